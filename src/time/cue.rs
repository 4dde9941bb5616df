//! Cue words beside a time: what began, was noticed, was over.

use std::collections::HashMap;

use crate::vocabulary::{Cue, Languages};

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

/// Finds cue words, built once from the languages.
#[derive(Debug, Clone)]
pub struct CueReader {
    by_tag: HashMap<String, Stems>,
}

impl CueReader {
    /// Compiles the cue words of every language.
    pub fn new(languages: &Languages) -> Self {
        let mut by_tag = HashMap::new();
        for language in languages.iter() {
            let mut words = Stems::new();
            for (cue, stems) in &language.postmortem.cues {
                for stem in stems {
                    let stem: Vec<char> = fold_phrase(stem).chars().collect();
                    if let Some(first) = stem.first() {
                        words.entry(*first).or_default().push((stem, *cue));
                    }
                }
            }
            by_tag.insert(language.language.clone(), words);
        }
        Self { by_tag }
    }

    /// The cues of a text in a language.
    pub fn find(&self, text: &str, language: &str) -> Cues {
        let folded = Folded::new(text);
        self.in_chars(&folded.chars, language)
    }

    pub(super) fn in_chars(&self, chars: &[char], language: &str) -> Cues {
        let primary = language.split('-').next().unwrap_or(language);
        let Some(words) = self.by_tag.get(primary).or_else(|| self.by_tag.get("en")) else {
            return Cues::default();
        };
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
