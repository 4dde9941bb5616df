//! What is said about a library as a whole: about its settings, its schema, and its being empty.

use crate::check::rule::{Check, Rule};
use crate::finding::Level;

pub(super) const RULES: [Rule; 7] = [
    Rule {
        id: "no-records",
        level: Level::Error,
        why: "A check that found nothing to check must not look like a pass.",
        bad: "{}",
        good: r#"[{"id":"IL-0001"}]"#,
        check: Check::Library,
    },
    Rule {
        id: "retired-ids",
        level: Level::Error,
        why: "Whoever kept an id is led to where its case is now; a lead that ends nowhere breaks every link to it.",
        bad: r#"{"normalized/IL-0001.json":{"id":"IL-0001"},"normalized/retired.json":{"IL-0002":{"merged_into":"IL-0003","on":"2026-03-01"}}}"#,
        good: r#"{"normalized/IL-0001.json":{"id":"IL-0001"},"normalized/retired.json":{"IL-0002":{"merged_into":"IL-0001","on":"2026-03-01"}}}"#,
        check: Check::Library,
    },
    Rule {
        id: "review-own-change",
        level: Level::Error,
        why: "Who changes a record and signs it in one pull request reviews their own text under another's name.",
        bad: "",
        good: "",
        check: Check::Disk,
    },
    Rule {
        id: "schema-out-of-step",
        level: Level::Error,
        why: "Editors complete terms from the schema; it must list the terms that the vocabulary has.",
        bad: "",
        good: "",
        check: Check::Disk,
    },
    Rule {
        id: "vanished-id",
        level: Level::Error,
        why: "An id that was published is kept in links and notes of others; it is merged, renumbered or withdrawn, never dropped.",
        bad: "",
        good: "",
        check: Check::Disk,
    },
    Rule {
        id: "waiver-over",
        level: Level::Error,
        why: "An exception that has ended must be looked at again.",
        bad: "",
        good: "",
        check: Check::Library,
    },
    Rule {
        id: "waiver-unused",
        level: Level::Error,
        why: "An exception that hides nothing will one day hide something new.",
        bad: "",
        good: "",
        check: Check::Library,
    },
];
