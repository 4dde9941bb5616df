//! What the reading of files reports: these have no check of their own.

use crate::check::rule::{Check, Rule};
use crate::finding::Level;

pub(super) const RULES: [Rule; 9] = [
    Rule {
        id: "empty-file",
        level: Level::Error,
        why: "An empty file is what a failed save or a full disk leaves behind.",
        bad: r#"{"normalized/IL-0001.json":""}"#,
        good: r#"[{"id":"IL-0001"}]"#,
        check: Check::Reading,
    },
    Rule {
        id: "json-syntax",
        level: Level::Error,
        why: "A file that is not JSON cannot be read by any program.",
        bad: r#"{"normalized/IL-0001.json":"{\"id\": \"IL-0001\","}"#,
        good: r#"[{"id":"IL-0001"}]"#,
        check: Check::Reading,
    },
    Rule {
        id: "not-utf8",
        level: Level::Error,
        why: "Records are UTF-8; in another character set every Korean letter is damaged.",
        bad: r#"{"normalized/IL-0001.json":[123,255,125]}"#,
        good: r#"[{"id":"IL-0001","title":{"ko":"큐가 멈췄다"}}]"#,
        check: Check::Reading,
    },
    Rule {
        id: "duplicate-key",
        level: Level::Error,
        why: "Of a key that stands twice every program drops one value, and not all the same one.",
        bad: r#"{"normalized/IL-0001.json":"{\"id\": \"IL-0001\", \"id\": \"IL-0002\"}"}"#,
        good: r#"[{"id":"IL-0001"}]"#,
        check: Check::Reading,
    },
    Rule {
        id: "not-an-object",
        level: Level::Error,
        why: "A record file holds one record and nothing else.",
        bad: r#"{"normalized/IL-0001.json":"[1, 2]"}"#,
        good: r#"[{"id":"IL-0001"}]"#,
        check: Check::Reading,
    },
    Rule {
        id: "too-large",
        level: Level::Error,
        why: "A file far larger than any record or page is something else.",
        bad: "",
        good: "",
        check: Check::Disk,
    },
    Rule {
        id: "not-a-file",
        level: Level::Error,
        why: "A folder, a device or a stray file where records stand is read by nobody.",
        bad: "",
        good: "",
        check: Check::Disk,
    },
    Rule {
        id: "unreadable-file",
        level: Level::Error,
        why: "A file that cannot be opened was not checked, and that must not look like a pass.",
        bad: "",
        good: "",
        check: Check::Disk,
    },
    Rule {
        id: "outside-library",
        level: Level::Error,
        why: "A link that leads out of the library would bring in files that nobody reviewed.",
        bad: "",
        good: "",
        check: Check::Disk,
    },
];
