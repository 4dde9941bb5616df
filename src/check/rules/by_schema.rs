//! What `schema/case.schema.json` and `schema/sources.schema.json` say no to, by kind.

use crate::check::rule::{Check, Rule};
use crate::finding::Level;

pub(super) const RULES: [Rule; 4] = [
    Rule {
        id: "missing-field",
        level: Level::Error,
        why: "Programs and pages rely on every field being there, filled or null.",
        bad: r#"{"normalized/IL-0001.json":{"id":"IL-0001"}}"#,
        good: r#"{"normalized/IL-0001.json":"full"}"#,
        check: Check::Schema,
    },
    Rule {
        id: "unknown-key",
        level: Level::Error,
        why: "A mistyped key hides its value from every reader.",
        bad: r#"[{"id":"IL-0001","sumary":{"en":"x"}}]"#,
        good: r#"{"normalized/IL-0001.json":"full"}"#,
        check: Check::Schema,
    },
    Rule {
        id: "wrong-type",
        level: Level::Error,
        why: "A number where a text is expected breaks the programs that read the record.",
        bad: r#"[{"id":"IL-0001","org":5}]"#,
        good: r#"{"normalized/IL-0001.json":"full"}"#,
        check: Check::Schema,
    },
    Rule {
        id: "wrong-form",
        level: Level::Error,
        why: "A value in another form is sorted, compared and shown wrongly.",
        bad: r#"[{"id":"IL-0001","date":"2023-02-30"}]"#,
        good: r#"{"normalized/IL-0001.json":"full"}"#,
        check: Check::Schema,
    },
];
