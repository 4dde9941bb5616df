//! Cue words beside a time: what began, was noticed, was over.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use crate::vocabulary::{Cue, Language, Languages};

use super::fold::{Folded, fold_phrase, is_spaced_letter};

/// The cues of a piece of text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cues(u16);

impl Cues {
    /// Whether a cue is among them.
    pub fn has(self, cue: Cue) -> bool {
        self.0 & bit(cue) != 0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cues of both.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

fn bit(cue: Cue) -> u16 {
    1 << match cue {
        Cue::Start => 0,
        Cue::Impact => 1,
        Cue::Detected => 2,
        Cue::Resolved => 3,
        Cue::Trigger => 4,
        Cue::Backlog => 5,
        Cue::Cause => 6,
        Cue::Unknown => 7,
        Cue::Full => 8,
        Cue::Ongoing => 9,
    }
}

/// The stems of one language by their first character.
type Stems = HashMap<char, Vec<(Vec<char>, Cue)>>;

/// The stems of a language.
fn compile(words: &CueWords) -> Stems {
    let mut stems = Stems::new();
    for (cue, phrases) in words {
        for phrase in phrases {
            let stem: Vec<char> = fold_phrase(phrase).chars().collect();
            if let Some(first) = stem.first() {
                stems.entry(*first).or_default().push((stem, *cue));
            }
        }
    }
    stems
}

/// Finds cue words, built once from the languages.
#[derive(Debug, Clone)]
pub struct CueReader {
    by_tag: HashMap<String, (CueWords, OnceLock<Stems>)>,
}

type CueWords = BTreeMap<Cue, Vec<String>>;

impl CueReader {
    /// Takes over the cue words of every language; each is compiled when first a text is in it.
    pub fn new(languages: &Languages) -> Self {
        let words = |l: &Language| (l.postmortem.cues.clone(), OnceLock::new());
        let by_tag = languages.iter().map(|l| (l.language.clone(), words(l)));
        Self {
            by_tag: by_tag.collect(),
        }
    }

    /// The cues of a text in a language.
    pub fn find(&self, text: &str, language: &str) -> Cues {
        let folded = Folded::new(text);
        self.in_chars(&folded.chars, language)
    }

    pub(super) fn in_chars(&self, chars: &[char], language: &str) -> Cues {
        let primary = language.split('-').next().unwrap_or(language);
        let own = self.by_tag.get(primary).or_else(|| self.by_tag.get("en"));
        let Some((words, stems)) = own else {
            return Cues::default();
        };
        let words = stems.get_or_init(|| compile(words));
        let mut cues = Cues::default();
        // "Being restored" is no recovery.
        let mut ongoing = 0;
        for (at, c) in chars.iter().enumerate() {
            let inside = is_spaced_letter(*c) && at > 0 && is_spaced_letter(chars[at - 1]);
            if inside {
                continue;
            }
            let stems = words.get(c).into_iter().flatten();
            let mut here = Cues::default();
            for (stem, cue) in stems.filter(|(stem, _)| chars[at..].starts_with(stem)) {
                here = Cues(here.0 | bit(*cue));
                if *cue == Cue::Ongoing {
                    ongoing = ongoing.max(at + stem.len());
                }
            }
            if at < ongoing {
                here = Cues(here.0 & !bit(Cue::Resolved));
            }
            cues = cues.and(here);
        }
        cues
    }
}
