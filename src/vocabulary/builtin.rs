//! The data of `schema/` as compiled in.

use super::language::{Language, Languages};
use super::organisations::{OrganisationList, Organisations};
use super::terms::{TermList, Vocabulary};

macro_rules! schema_files {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../", $path)))),*]
    };
}

/// Every file of `schema/` by its path in a library, as `init` writes it.
pub const BUILTIN_FILES: [(&str, &str); 21] = schema_files![
    "schema/case.schema.json",
    "schema/language/de.json",
    "schema/language/en.json",
    "schema/language/es.json",
    "schema/language/fr.json",
    "schema/language/id.json",
    "schema/language/ja.json",
    "schema/language/ko.json",
    "schema/language/pt.json",
    "schema/language/ru.json",
    "schema/language/zh.json",
    "schema/organisation/known.json",
    "schema/sources.schema.json",
    "schema/vocabulary/component.json",
    "schema/vocabulary/contributing.json",
    "schema/vocabulary/date-kind.json",
    "schema/vocabulary/domain.json",
    "schema/vocabulary/root-cause.json",
    "schema/vocabulary/severity.json",
    "schema/vocabulary/source-kind.json",
    "schema/vocabulary/symptom.json",
];

/// The vocabulary that is compiled in.
pub fn builtin_vocabulary() -> Vocabulary {
    Vocabulary::new(files_below("schema/vocabulary/").map(|text| {
        serde_json::from_str::<TermList>(text)
            .expect("the compiled-in vocabulary is checked by tests/it/contract.rs")
    }))
}

/// The languages that are compiled in.
pub fn builtin_languages() -> Languages {
    Languages::new(files_below("schema/language/").map(|text| {
        serde_json::from_str::<Language>(text)
            .expect("the compiled-in languages are checked by tests/it/contract.rs")
    }))
}

/// The organisations that are compiled in.
pub fn builtin_organisations() -> Organisations {
    Organisations::merged(files_below("schema/organisation/").map(|text| {
        serde_json::from_str::<OrganisationList>(text)
            .expect("the compiled-in organisations are checked by tests/it/contract.rs")
    }))
}

fn files_below(folder: &str) -> impl Iterator<Item = &'static str> {
    BUILTIN_FILES
        .iter()
        .filter(move |(path, _)| path.starts_with(folder))
        .map(|(_, text)| *text)
}
