//! Controlled lists: one file for each kind, looked up by slug, label or alias in any language.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use super::segment::SurfaceWords;

/// A controlled list of terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Fields of technology.
    Domain,
    /// What could be observed.
    Symptom,
    /// How bad it was.
    Severity,
    /// The parts that failed.
    Component,
    /// Why it happened.
    RootCause,
    /// What made it worse or possible.
    Contributing,
    /// Which day the date of a record is.
    DateKind,
    /// What a source is.
    SourceKind,
}

impl Kind {
    /// Every kind, in the order of the record's fields.
    pub const ALL: [Self; 8] = [
        Self::Domain,
        Self::Symptom,
        Self::Severity,
        Self::Component,
        Self::RootCause,
        Self::Contributing,
        Self::DateKind,
        Self::SourceKind,
    ];

    /// The name of the list: its file in `schema/vocabulary` without `.json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Symptom => "symptom",
            Self::Severity => "severity",
            Self::Component => "component",
            Self::RootCause => "root-cause",
            Self::Contributing => "contributing",
            Self::DateKind => "date-kind",
            Self::SourceKind => "source-kind",
        }
    }

    /// The list that the values of a record's field come from.
    pub fn of_field(field: &str) -> Option<Self> {
        Some(match field {
            "domain" => Self::Domain,
            "symptoms" => Self::Symptom,
            "severity" => Self::Severity,
            "components" => Self::Component,
            "root_cause" => Self::RootCause,
            "contributing" => Self::Contributing,
            "date_kind" => Self::DateKind,
            _ => return None,
        })
    }
}

impl std::str::FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.replace('_', "-");
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == wanted || format!("{}s", kind.as_str()) == wanted)
            .ok_or_else(|| {
                let all: Vec<&str> = Self::ALL.map(Self::as_str).to_vec();
                format!("`{text}` is not a vocabulary; there are {}", all.join(", "))
            })
    }
}

/// One term of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermEntry {
    /// Its name in records, kebab-case, never reused.
    pub slug: String,
    /// Its name for readers, by language.
    pub label: BTreeMap<String, String>,
    /// One line that says when to use it, by language.
    pub definition: BTreeMap<String, String>,
    /// Other words for it, by language.
    #[serde(default)]
    pub aliases: BTreeMap<String, Vec<String>>,
}

impl TermEntry {
    /// The label in `language`, or the slug where there is none.
    pub fn label_in(&self, language: &str) -> &str {
        self.label.get(language).unwrap_or(&self.slug)
    }
}

/// One list as its file holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermList {
    /// Which list.
    pub kind: Kind,
    /// What the list is for.
    pub description: BTreeMap<String, String>,
    /// Its terms, sorted by slug.
    pub terms: Vec<TermEntry>,
}

/// What a text means in one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// Exactly this term.
    Term(&'a str),
    /// An alias that more than one term claims.
    Ambiguous(Vec<&'a str>),
    /// No term.
    Unknown,
}

/// All lists, indexed.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    lists: BTreeMap<Kind, TermList>,
    // By kind and folded text; names (slug, label) win over aliases.
    names: HashMap<(Kind, String), usize>,
    aliases: HashMap<(Kind, String), Vec<usize>>,
    words: BTreeMap<Kind, SurfaceWords>,
    // Every slug, label and alias, folded, with its slug.
    folded: BTreeMap<Kind, Vec<(String, String)>>,
}

impl Vocabulary {
    /// Indexes lists; a kind without a list has no terms.
    pub fn new(lists: impl IntoIterator<Item = TermList>) -> Self {
        let lists: BTreeMap<Kind, TermList> = lists.into_iter().map(|l| (l.kind, l)).collect();
        let mut names = HashMap::new();
        let mut aliases: HashMap<(Kind, String), Vec<usize>> = HashMap::new();
        for (&kind, list) in &lists {
            for (i, term) in list.terms.iter().enumerate() {
                names.insert((kind, fold(&term.slug)), i);
                for label in term.label.values() {
                    names.entry((kind, fold(label))).or_insert(i);
                }
                for alias in term.aliases.values().flatten() {
                    let holders = aliases.entry((kind, fold(alias))).or_default();
                    if !holders.contains(&i) {
                        holders.push(i);
                    }
                }
            }
        }
        let words = lists
            .iter()
            .map(|(&kind, list)| (kind, SurfaceWords::of(&list.terms)));
        let words = words.collect();
        let folded = lists
            .iter()
            .map(|(&kind, list)| (kind, folded_words(&list.terms)));
        let folded = folded.collect();
        Self {
            lists,
            names,
            aliases,
            words,
            folded,
        }
    }

    pub(super) fn folded_words(&self, kind: Kind) -> impl Iterator<Item = (&str, &str)> {
        let words = self.folded.get(&kind).into_iter().flatten();
        words.map(|(word, slug)| (word.as_str(), slug.as_str()))
    }

    pub(super) fn words(&self, kind: Kind) -> Cow<'_, SurfaceWords> {
        self.words
            .get(&kind)
            .map_or_else(Cow::default, Cow::Borrowed)
    }

    /// The terms of one list, sorted by slug.
    pub fn terms(&self, kind: Kind) -> &[TermEntry] {
        self.lists.get(&kind).map_or(&[], |list| &list.terms)
    }

    /// The lists that are there.
    pub fn lists(&self) -> impl Iterator<Item = &TermList> {
        self.lists.values()
    }

    /// The term with exactly this slug.
    pub fn term(&self, kind: Kind, slug: &str) -> Option<&TermEntry> {
        let terms = self.terms(kind);
        let found = self.names.get(&(kind, fold(slug))).map(|&i| &terms[i]);
        found.filter(|term| term.slug == slug)
    }

    /// What `text` means: a slug, a label or an alias of any language, whatever its case, spacing
    /// and hyphens.
    pub fn lookup(&self, kind: Kind, text: &str) -> Lookup<'_> {
        let key = (kind, fold(text));
        let terms = self.terms(kind);
        if let Some(&i) = self.names.get(&key) {
            return Lookup::Term(&terms[i].slug);
        }
        match self.aliases.get(&key).map(Vec::as_slice) {
            Some([only]) => Lookup::Term(&terms[*only].slug),
            Some(many) => Lookup::Ambiguous(many.iter().map(|&i| terms[i].slug.as_str()).collect()),
            None => Lookup::Unknown,
        }
    }
}

fn folded_words(terms: &[TermEntry]) -> Vec<(String, String)> {
    let words_of = |term: &TermEntry| {
        let names = std::iter::once(&term.slug).chain(term.label.values());
        let words = names.chain(term.aliases.values().flatten());
        words
            .map(|word| (fold(word), term.slug.clone()))
            .collect::<Vec<_>>()
    };
    terms.iter().flat_map(words_of).collect()
}

/// Folds what does not tell words apart: compatibility forms, case, runs of blanks and hyphens.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let folded: String = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkc().flat_map(char::to_lowercase).nfc().collect()
    };
    let words =
        folded.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '‐' | '‑' | '–'));
    for word in words.filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
