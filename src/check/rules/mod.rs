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

use super::rule::Rule;

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
