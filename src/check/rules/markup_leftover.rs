//! Texts are plain text, without remains of HTML or Markdown.

use std::sync::LazyLock;

use regex::Regex;

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::check::texts::texts_of;
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "markup-leftover",
    level: Level::Warning,
    why: "Readers would see the tags and entities; programs would have to guess how to undo them.",
    bad: r##"[{"id":"IL-0001","title":{"en":"Tom &amp; <b>Jerry</b>"}}]"##,
    good: r##"[{"id":"IL-0001","title":{"en":"p < 0.05 & the shard-map<T> in *.example.org"}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    for (pointer, text) in texts_of(&record.case) {
        if let Some(found) = MARKUP.find(text) {
            let message = format!("`{}` looks like a remain of markup", found.as_str());
            hits.push(pointer, message).help =
                Some("write what it stands for as plain text".to_owned());
        }
    }
}

/// HTML tags and character references, Markdown links, images, bold text and fences.
static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    let tags =
        "a|b|i|p|br|hr|em|ul|ol|li|td|tr|th|h[1-6]|div|span|code|pre|img|table|strong|script|style";
    let pattern = format!(
        r"(?i)</?(?:{tags})(?:\s[^<>]*)?/?>|&(?:[a-z]{{2,8}}|#[0-9]{{2,6}}|#x[0-9a-f]{{2,6}});|!?\[[^\]\n]+\]\(https?://[^)\s]+\)|\*\*[^*\n]+\*\*|```"
    );
    Regex::new(&pattern).expect("a fixed pattern")
});
