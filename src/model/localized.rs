//! Text in several languages.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::canonical::canonical_text;
use super::language::LanguageTag;

/// One text by language tag. Paragraphs are separated by a blank line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Localized {
    texts: BTreeMap<LanguageTag, String>,
    extra: Map<String, Value>,
}

impl Localized {
    /// The text in one language, if it is there and not blank.
    pub fn text(&self, language: &LanguageTag) -> Option<&str> {
        self.texts
            .get(language)
            .map(String::as_str)
            .filter(|text| !text.trim().is_empty())
    }

    /// Every language with its text, sorted by tag; blank texts left out.
    pub fn iter(&self) -> impl Iterator<Item = (&LanguageTag, &str)> {
        self.texts
            .iter()
            .map(|(tag, text)| (tag, text.as_str()))
            .filter(|(_, text)| !text.trim().is_empty())
    }

    /// Puts `text` in `language`, in place of what stood there.
    pub fn set(&mut self, language: LanguageTag, text: String) {
        self.extra.shift_remove(language.as_str());
        self.texts.insert(language, text);
    }

    pub(super) fn from_value(value: Value) -> Result<Self, Value> {
        let map = super::fields::object(value)?;
        let mut out = Self::default();
        for (key, value) in map {
            match (key.parse::<LanguageTag>(), value) {
                (Ok(tag), Value::String(text)) => {
                    out.texts.insert(tag, text);
                }
                (_, value) => {
                    out.extra.insert(key, value);
                }
            }
        }
        Ok(out)
    }

    pub(super) fn to_value(&self) -> Value {
        let mut map = Map::new();
        for (tag, text) in &self.texts {
            let text = canonical_text(text).into_owned();
            map.insert(tag.to_string(), Value::String(text));
        }
        for (key, value) in &self.extra {
            map.insert(key.clone(), value.clone());
        }
        Value::Object(map)
    }
}

impl FromIterator<(LanguageTag, String)> for Localized {
    fn from_iter<I: IntoIterator<Item = (LanguageTag, String)>>(texts: I) -> Self {
        Self {
            texts: texts.into_iter().collect(),
            extra: Map::new(),
        }
    }
}
