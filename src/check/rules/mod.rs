//! The table of rules, one file for each; a new rule is a file here and two lines below.

mod archive_before_incident;
mod archive_form;
mod archive_mismatch;
mod archive_missing;
mod archive_suspicious;
mod bad_address;
mod by_schema;
mod canonical_form;
mod damaged_text;
mod date_in_future;
mod duplicate_id;
mod duplicate_source;
mod duration_arithmetic;
mod duration_form;
mod id_equals_file_name;
mod id_prefix;
mod language_missing;
mod language_swapped;
mod languages_disagree;
mod library_wide;
mod markup_leftover;
mod near_duplicate;
mod organisation_spelling;
mod raw_hash_stale;
mod raw_missing;
mod raw_unlisted;
mod raw_without_record;
mod reading;
mod recurrence_earlier;
mod related_exists;
mod resolve_after_detect;
mod review_by_author;
mod review_incomplete;
mod review_stale;
mod source_contradicts;
mod ungrounded_fact;
mod unknown_reviewer;
mod unknown_term;

use std::sync::LazyLock;

use super::context::{Context, Hits};
use super::evidence::Evidence;
use super::snapshot::RawFolder;
use crate::finding::Level;
use crate::model::Case;
use crate::normalize::{ArchiveAudit, audit_archive, check_address};
use crate::read::RecordFile;

/// A named check.
#[derive(Debug)]
pub struct Rule {
    /// Its name, kebab-case, never reused.
    pub id: &'static str,
    /// How much its findings matter unless the settings say otherwise.
    pub level: Level,
    /// Why it is there, for the reader of the library.
    pub why: &'static str,
    /// A library that breaks it: a list of records, or files by path. Empty where a test of the
    /// command line shows it, because it takes a disk or settings.
    pub bad: &'static str,
    /// A library that keeps it.
    pub good: &'static str,
    pub(super) check: Check,
}

/// Who finds what a rule names.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    /// The reading of files.
    Reading,
    /// Loading from disk; shown by tests of the command line.
    Disk,
    /// The JSON Schemas.
    Schema,
    /// The check of the library as a whole.
    Library,
    /// This function, for each record.
    Record(fn(&RecordFile, &Context<'_>, &mut Hits)),
    /// This function, for each record with its raw pages.
    Evidence(fn(&RecordFile, &Evidence<'_>, &Context<'_>, &mut Hits)),
    /// This function, for each raw folder.
    Raw(fn(&RawFolder, &Context<'_>, &mut Hits)),
}

/// Every rule.
pub static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut rules = Vec::new();
    rules.extend(reading::RULES);
    rules.extend(by_schema::RULES);
    rules.extend(library_wide::RULES);
    rules.extend([
        id_equals_file_name::RULE,
        id_prefix::RULE,
        canonical_form::RULE,
        unknown_term::RULE,
        date_in_future::RULE,
        duration_form::RULE,
        resolve_after_detect::RULE,
        language_missing::RULE,
        language_swapped::RULE,
        markup_leftover::RULE,
        damaged_text::RULE,
        bad_address::RULE,
        archive_missing::RULE,
        archive_mismatch::RULE,
        archive_suspicious::RULE,
        archive_form::RULE,
        archive_before_incident::RULE,
        review_incomplete::RULE,
        review_by_author::RULE,
        unknown_reviewer::RULE,
        review_stale::RULE,
        duplicate_id::RULE,
        duplicate_source::RULE,
        near_duplicate::RULE,
        organisation_spelling::RULE,
        related_exists::RULE,
        recurrence_earlier::RULE,
        languages_disagree::RULE,
        ungrounded_fact::RULE,
        duration_arithmetic::RULE,
        source_contradicts::RULE,
        raw_hash_stale::RULE,
        raw_missing::RULE,
        raw_unlisted::RULE,
        raw_without_record::RULE,
    ]);
    rules
});

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// Every link to a copy in a record, with its pointer and what the two addresses say of it. What is no address at
/// all is for `bad-address`.
fn archives_of<'c>(
    case: &'c Case,
    cx: &Context<'_>,
) -> impl Iterator<Item = (String, &'c str, ArchiveAudit)> {
    let today = cx.today.into();
    let sources = case.sources.iter().enumerate();
    sources.filter_map(move |(i, source)| {
        let (url, archived) = (source.url.as_deref()?, source.archived.as_deref()?);
        let addresses = [url, archived].iter().all(|a| check_address(a).is_ok());
        let audit = || audit_archive(url, archived, today);
        addresses.then(|| (format!("/sources/{i}/archived"), archived, audit()))
    })
}

/// The language of a text of [`texts_of`]: the last token of its pointer; the words of the impact are English.
pub(super) fn language_of(pointer: &str) -> &str {
    match pointer.strip_prefix("/impact/") {
        Some(_) => "en",
        None => pointer.rsplit('/').next().unwrap_or_default(),
    }
}

/// Every text of a record that a person reads, with its pointer.
pub(super) fn texts_of(case: &Case) -> Vec<(String, &str)> {
    let mut out = Vec::new();
    for (field, text) in case.texts() {
        let texts = text.into_iter().flat_map(|t| t.iter());
        out.extend(texts.map(|(tag, words)| (format!("/{field}/{tag}"), words)));
    }
    for (field, steps) in case.steps() {
        for (i, step) in steps.iter().enumerate() {
            let texts = step.text.iter();
            out.extend(texts.map(|(tag, words)| (format!("/{field}/{i}/text/{tag}"), words)));
        }
    }
    let impact = &case.impact;
    for (name, words) in [
        ("scope", &impact.scope),
        ("users", &impact.users),
        ("region", &impact.region),
    ] {
        out.extend(words.as_deref().map(|w| (format!("/impact/{name}"), w)));
    }
    out
}
