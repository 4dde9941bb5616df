//! The words of each language that pages are read by: labels, months, units, dashes that mean nothing.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::postmortem_words::PostmortemWords;
use super::terms::fold;
use super::time_words::TimeWords;

/// One language as `schema/language/<tag>.json` holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// Its tag, `en`.
    pub language: String,
    /// Its name, by language.
    pub name: BTreeMap<String, String>,
    /// The Unicode script that its running text is written in, `Latin` or `Hangul`.
    pub script: String,
    /// What a page prints where it has nothing to say.
    pub absent: Vec<String>,
    /// How its texts tell of dates, times and durations.
    pub time: TimeWords,
    /// How its texts tell of large numbers and shares.
    #[serde(default)]
    pub amounts: AmountWords,
    /// How its postmortems name their sections and tell of a story.
    #[serde(default)]
    pub postmortem: PostmortemWords,
    /// Labels of a case page; absent where no case pages are written in the language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_page: Option<CasePageWords>,
}

/// Words that make a number of digits larger, or a share.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AmountWords {
    /// What a number before the word is multiplied by: `million`, `만`.
    pub scales: BTreeMap<String, f64>,
    /// Words for a hundredth, beside the sign.
    pub percent: Vec<String>,
}

/// Labels of a case page: for each field, how pages write its label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CasePageWords {
    /// Label words by the name of the field or section they stand for.
    pub labels: BTreeMap<String, Vec<String>>,
    /// Headings whose content is for readers only and belongs to no field.
    pub reader_sections: Vec<String>,
    /// Text of the link to an archived copy.
    pub archived_copy: Vec<String>,
    /// Why a page calls another case similar.
    pub reasons: ReasonWords,
}

/// Words of the reasons why two cases are similar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonWords {
    /// Both have the same root cause.
    pub same_root_cause: Vec<String>,
    /// Stands before a term that both have.
    pub shared: Vec<String>,
}

/// No mark for "nothing to say" is longer, in bytes.
const LONGEST_MARK: usize = 60;

/// All languages, sorted by tag.
#[derive(Debug, Clone, Default)]
pub struct Languages {
    all: Vec<Language>,
    // Marks for "nothing to say", as written and folded.
    absent: HashSet<String>,
}

impl Languages {
    /// Sorts languages by tag.
    pub fn new(languages: impl IntoIterator<Item = Language>) -> Self {
        let mut all: Vec<Language> = languages.into_iter().collect();
        all.sort_by(|a, b| a.language.cmp(&b.language));
        let marks = all.iter().flat_map(|l| &l.absent);
        let absent = marks
            .flat_map(|mark| [mark.clone(), fold(mark)])
            .filter(|m| !m.is_empty());
        let absent = absent.collect();
        Self { all, absent }
    }

    /// Every language, sorted by tag.
    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.all.iter()
    }

    /// The language with this tag.
    pub fn find(&self, tag: &str) -> Option<&Language> {
        self.all.iter().find(|l| l.language == tag)
    }

    /// Whether a value is only the mark for "nothing to say" in some language.
    pub fn is_absent_mark(&self, text: &str) -> bool {
        let text = text.trim();
        let short = text.len() <= LONGEST_MARK;
        short && (self.absent.contains(text) || self.absent.contains(&fold(text)))
    }
}
