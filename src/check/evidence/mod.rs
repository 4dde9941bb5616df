//! The raw pages of a case, read for looking its facts up.

mod telling;

use chrono::{Days, NaiveDate};
use serde_json::Value;

pub use telling::{Around, Stated, StatedFact, Telling, stated};

use super::context::Context;
use super::snapshot::RawFolder;
use crate::extract::{Extracted, Given, Lexicon, extract_given};
use crate::model::Case;
use crate::read::Media;
use crate::time;

/// Days after the incident that a record's texts may still tell of without a year.
const AFTERMATH: Days = Days::new(60);

/// A raw page with what it tells.
#[derive(Debug)]
pub struct ReadPage {
    /// Its path in the library.
    pub file: String,
    /// What its whole text tells.
    pub telling: Telling,
    /// What the extractors read of it.
    pub extracted: Extracted,
}

/// What a case is checked against.
#[derive(Debug)]
pub struct Evidence {
    /// Its raw pages that could be read, sorted by path.
    pub pages: Vec<ReadPage>,
    /// What is known of the texts of its record.
    pub around: Around,
}

impl Evidence {
    /// Reads the raw pages of a case; none where the context has no way to read them.
    pub(super) fn of(case: &Case, folder: Option<&RawFolder>, cx: &Context<'_>) -> Self {
        let around = around(case);
        let mut pages = Vec::new();
        if let (Some(folder), Some(read)) = (folder, cx.pages) {
            for file in &folder.files {
                let path = format!("{}/{}", folder.path, file.name);
                let Some(bytes) = read(&path) else { continue };
                let manifest = folder.manifest().map(|(_, manifest)| manifest);
                let entry = manifest.and_then(|m| m.pages.iter().find(|p| p.file == file.name));
                let given = Given {
                    kind: entry.map(|entry| entry.kind),
                    part: entry.and_then(|entry| entry.part.as_deref()),
                    facts: true,
                    ..Given::default()
                };
                let extracted = extract_given(&path, &bytes, given, cx.lexicon);
                let telling = telling_of(&extracted, &around, cx.lexicon);
                pages.push(ReadPage {
                    file: path,
                    telling,
                    extracted,
                });
            }
        }
        Self { pages, around }
    }

    /// Whether any page tells a fact.
    pub fn tells(&self, fact: &StatedFact) -> bool {
        let mut pages = self.pages.iter();
        pages.any(|page| page.telling.tells(fact, self.around.day))
    }
}

/// What is known of the texts of a record: their days are near its own.
pub fn around(case: &Case) -> Around {
    let day = case.date.map(NaiveDate::from);
    Around {
        context: time::Context {
            written: day.and_then(|day| day.checked_add_days(AFTERMATH)),
            ..time::Context::default()
        },
        day: day.unwrap_or_default(),
    }
}

fn telling_of(extracted: &Extracted, record: &Around, cx: &Lexicon) -> Telling {
    let mut out = Telling::default();
    let Some(page) = &extracted.page else {
        return out;
    };
    if extracted.media == Media::Json {
        let around = Around {
            context: time::Context::default(),
            ..*record
        };
        if let Ok(value) = serde_json::from_str::<Value>(&page.decoded.text) {
            add_json(&value, "en", &mut out, &around, cx);
        }
        return out;
    }
    let story = extracted.story.as_ref();
    let told = story
        .and_then(|s| s.language.as_ref())
        .map(|l| l.value.as_str());
    let drafted = extracted.draft.as_ref().and_then(|d| d.language.as_ref());
    let language = told
        .or(drafted.map(|l| l.as_str()))
        .or(page.language.as_deref())
        .unwrap_or("en");
    let around = Around {
        context: extracted.facts.context,
        ..*record
    };
    for block in &page.blocks {
        out.add(&block.text, language, &around, cx);
    }
    let title = page.title.iter().map(String::as_str);
    for text in title.chain(page.meta.iter().map(|m| m.value.as_str())) {
        out.add(text, language, &around, cx);
        for (_, day) in cx.times.days(text) {
            out.add_known_day(day.into());
        }
    }
    out
}

/// Every text of a JSON page, each in the language that its key names.
fn add_json(value: &Value, language: &str, out: &mut Telling, around: &Around, cx: &Lexicon) {
    match value {
        Value::String(text) => out.add(text, language, around, cx),
        Value::Array(all) => all
            .iter()
            .for_each(|v| add_json(v, language, out, around, cx)),
        Value::Object(members) => {
            for (key, value) in members {
                let named = cx.languages.find(key).map_or(language, |_| key.as_str());
                add_json(value, named, out, around, cx);
            }
        }
        Value::Number(number) => out.add(&number.to_string(), language, around, cx),
        _ => {}
    }
}
