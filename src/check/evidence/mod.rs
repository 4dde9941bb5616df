//! The raw pages of a case, read for looking its facts up.

mod telling;

use chrono::NaiveDate;
use serde_json::Value;

pub(super) use telling::{Around, ReadText, Stated, StatedFact, Telling, stated};

use super::context::ReadPages;
use super::snapshot::RawFolder;
use super::texts::{language_of, texts_of};
use crate::extract::{Extracted, Given, Lexicon, extract_given};
use crate::model::Case;
use crate::read::Media;
use crate::recognize::record_context;
use crate::time;

/// A raw page with what it tells.
#[derive(Debug)]
pub(super) struct ReadPage {
    /// Its path in the library.
    pub(super) file: String,
    /// What its whole text tells.
    pub(super) telling: Telling,
    /// What the extractors read of it.
    pub(super) extracted: Extracted,
}

/// What a case is checked against.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    /// The texts of its record by their pointers.
    pub(super) texts: Vec<(String, ReadText<'a>)>,
    /// Its raw pages that could be read, sorted by path.
    pub(super) pages: Vec<ReadPage>,
    /// What is known of the texts of its record.
    pub(super) around: Around,
}

impl<'a> Evidence<'a> {
    /// Reads the texts and the raw pages of a case.
    pub(super) fn of(
        case: &'a Case,
        folder: &RawFolder,
        read: ReadPages<'_>,
        cx: &'a Lexicon,
    ) -> Self {
        let around = around(case);
        let texts = texts_of(case).into_iter().map(|(pointer, text)| {
            let read = ReadText::new(text, language_of(&pointer), cx);
            (pointer, read)
        });
        let pages = folder.files.iter().filter_map(|file| {
            let path = format!("{}/{}", folder.path, file.name);
            let bytes = read(&path)?;
            let manifest = folder.manifest().map(|(_, manifest)| manifest);
            let entry = manifest.and_then(|m| m.pages.iter().find(|p| p.file == file.name));
            let given = Given {
                kind: entry.map(|entry| entry.kind),
                part: entry.and_then(|entry| entry.part.as_deref()),
                facts: true,
                ..Given::default()
            };
            let extracted = extract_given(&path, &bytes, given, cx);
            let telling = telling_of(&extracted, &around, cx);
            Some(ReadPage {
                file: path,
                telling,
                extracted,
            })
        });
        Self {
            texts: texts.collect(),
            pages: pages.collect(),
            around,
        }
    }

    /// Whether any page tells a fact.
    pub(super) fn tells(&self, fact: &StatedFact) -> bool {
        let mut pages = self.pages.iter();
        pages.any(|page| page.telling.tells(fact, self.around.day))
    }
}

/// What is known of the texts of a record.
pub(super) fn around(case: &Case) -> Around {
    let day = case.date.map(NaiveDate::from);
    Around {
        context: record_context(day),
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
        out.add(&ReadText::new(&block.text, language, cx), &around);
    }
    let title = page.title.iter().map(String::as_str);
    for text in title.chain(page.meta.iter().map(|m| m.value.as_str())) {
        out.add(&ReadText::new(text, language, cx), &around);
        for (_, day) in cx.times.days(text) {
            out.add_known_day(day.into());
        }
    }
    out
}

/// Every text of a JSON page, each in the language that its key names.
fn add_json(value: &Value, language: &str, out: &mut Telling, around: &Around, cx: &Lexicon) {
    match value {
        Value::String(text) => out.add(&ReadText::new(text, language, cx), around),
        Value::Array(all) => all
            .iter()
            .for_each(|v| add_json(v, language, out, around, cx)),
        Value::Object(members) => {
            for (key, value) in members {
                let named = cx.languages.find(key).map_or(language, |_| key.as_str());
                add_json(value, named, out, around, cx);
            }
        }
        Value::Number(number) => {
            out.add(&ReadText::new(&number.to_string(), language, cx), around);
        }
        _ => {}
    }
}
