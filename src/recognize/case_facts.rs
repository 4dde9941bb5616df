//! The facts of a case: those of its record's texts, in every language it has.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate};

use super::Seen;
use crate::extract::Lexicon;
use crate::facts::{Fact, sentence_around};
use crate::finding::Pointer;
use crate::model::{Case, CaseId, LanguageTag, Localized, Step};
use crate::normalize::source_key;
use crate::time::Context;

/// Days after the incident that a record's texts may still tell of without a year.
const AFTERMATH: Days = Days::new(60);

/// What the times in the texts of a record are read with, by its day: their days are near it.
pub(crate) fn record_context(day: Option<NaiveDate>) -> Context {
    Context {
        written: day.and_then(|day| day.checked_add_days(AFTERMATH)),
        ..Context::default()
    }
}

/// A fact of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFact {
    /// What is told.
    pub fact: Fact,
    /// The text that tells it.
    pub pointer: Pointer,
    /// The words it stands in.
    pub quote: String,
    /// The sentence around it.
    pub sentence: String,
}

/// What a page can be compared with.
#[derive(Debug, Clone)]
pub struct CaseFacts {
    /// The case.
    pub id: CaseId,
    /// Its organisation.
    pub org: Option<String>,
    /// Its day.
    pub day: Option<NaiveDate>,
    /// The day is that of publication.
    pub published: bool,
    /// The facts of its texts.
    pub facts: Vec<CaseFact>,
    /// Keys of the addresses of its sources.
    pub sources: BTreeSet<String>,
}

impl CaseFacts {
    /// The facts of a case by its record.
    pub fn of(id: CaseId, case: &Case, cx: &Lexicon) -> Self {
        let day = case.date.map(NaiveDate::from);
        let mut out = Self {
            id,
            org: case.org.clone(),
            day,
            published: case
                .date_kind
                .as_ref()
                .is_some_and(|k| k.as_str() == "published"),
            facts: Vec::new(),
            sources: case
                .sources
                .iter()
                .filter_map(|s| source_key(s.url.as_deref()?))
                .collect(),
        };
        let texts = [
            ("title", &case.title),
            ("summary", &case.summary),
            ("symptoms_text", &case.symptoms_text),
            ("trigger", &case.trigger),
            ("detection", &case.detection),
            ("lessons", &case.lessons),
        ];
        for (field, text) in texts {
            if let Some(text) = text {
                out.add_text(&Pointer::default().child(field), text, cx);
            }
        }
        for (field, steps) in [
            ("remediation", &case.remediation),
            ("action_items", &case.action_items),
        ] {
            out.add_steps(&Pointer::default().child(field), steps, cx);
        }
        let impact = [
            ("scope", &case.impact.scope),
            ("users", &case.impact.users),
            ("region", &case.impact.region),
        ];
        // The words of the impact are English, whatever the languages of a library.
        if let Ok(english) = "en".parse() {
            for (name, text) in impact {
                if let Some(text) = text {
                    out.add(Pointer::new("/impact").child(name), text, &english, cx);
                }
            }
        }
        out
    }

    /// A page that became a case in this run: the next page may tell of the same incident.
    pub fn of_page(id: CaseId, seen: &Seen) -> Self {
        let facts = seen.facts.iter().map(|f| CaseFact {
            fact: f.fact.clone(),
            pointer: Pointer::default(),
            quote: f.evidence.quote.clone(),
            sentence: f.sentence.clone(),
        });
        Self {
            id,
            org: seen.org.map(str::to_owned),
            day: seen.day.or(seen.published),
            published: seen.day.is_none(),
            facts: facts.collect(),
            sources: seen.own_address.iter().cloned().collect(),
        }
    }

    fn add_steps(&mut self, at: &Pointer, steps: &[Step], cx: &Lexicon) {
        for (i, step) in steps.iter().enumerate() {
            self.add_text(&at.child(i).child("text"), &step.text, cx);
        }
    }

    fn add_text(&mut self, at: &Pointer, text: &Localized, cx: &Lexicon) {
        for (language, text) in text.iter() {
            self.add(at.child(language), text, language, cx);
        }
    }

    fn add(&mut self, pointer: Pointer, text: &str, language: &LanguageTag, cx: &Lexicon) {
        let context = record_context(self.day);
        let language = language.as_str();
        let scan = cx.times.scan(text, language);
        for found in cx.facts.facts(text, language, &scan, &context) {
            self.facts.push(CaseFact {
                quote: text[found.bytes.clone()].to_owned(),
                sentence: sentence_around(text, &found.bytes).to_owned(),
                fact: found.fact,
                pointer: pointer.clone(),
            });
        }
    }
}
