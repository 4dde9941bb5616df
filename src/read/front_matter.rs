//! The head of a Markdown page: YAML between `---`, TOML between `+++`, bare `key: value` lines, or the
//! members of an MDX `export`.
//!
//! Only scalars are read: they are what a page says of itself (title, date, author).

use std::ops::Range;

/// One thing a page says of itself outside its text: front matter, `<meta>`, JSON-LD, `<time>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// Its name in lower case.
    pub key: String,
    /// Its value.
    pub value: String,
    /// The bytes of the decoded source it stands in.
    pub source: Range<usize>,
}

/// The metadata at the head, and where the text begins.
pub(super) fn split(source: &str) -> (Vec<Meta>, usize) {
    let start = source.len() - source.trim_start_matches('\u{feff}').len();
    let text = &source[start..];
    for fence in ["---", "+++"] {
        if let Some(rest) = text.strip_prefix(fence)
            && rest.starts_with(['\n', '\r'])
        {
            let mut at = start + fence.len();
            let head = at;
            for line in source[at..].split_inclusive('\n') {
                if at > head && line.trim_end() == fence {
                    return (lines(source, head..at), at + line.len());
                }
                at += line.len();
            }
        }
    }
    if text.starts_with("import ") || text.starts_with("export ") {
        return exports(source, start);
    }
    bare(source, start)
}

/// `key: value` lines at the very start with a blank line after them, a title among them.
fn bare(source: &str, start: usize) -> (Vec<Meta>, usize) {
    let mut at = start;
    for line in source[start..].split_inclusive('\n') {
        if line.trim().is_empty() {
            break;
        }
        let key = line.split_once(':').map(|(key, _)| key.trim());
        let plain = key.is_some_and(|k| {
            !k.is_empty()
                && k.len() < 24
                && k.chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        });
        if !plain {
            return (Vec::new(), start);
        }
        at += line.len();
    }
    let found = lines(source, start..at);
    if found.iter().any(|m| m.key == "title") {
        (found, at)
    } else {
        (Vec::new(), start)
    }
}

/// The imports and exports of an MDX page.
fn exports(source: &str, start: usize) -> (Vec<Meta>, usize) {
    let (mut at, mut depth, mut end) = (start, 0_i64, start);
    for line in source[start..].split_inclusive('\n') {
        let text = line.trim();
        let opens = depth > 0
            || text.starts_with("import ")
            || text.starts_with("export ")
            || text.is_empty();
        if !opens {
            break;
        }
        let count = |set: &[char]| i64::try_from(line.matches(set).count()).unwrap_or(0);
        depth += count(&['{', '[', '(']) - count(&['}', ']', ')']);
        at += line.len();
        end = at;
    }
    (lines(source, start..end), end)
}

pub(super) fn lines(source: &str, range: Range<usize>) -> Vec<Meta> {
    let mut at = range.start;
    let mut out = Vec::new();
    for line in source[range].split_inclusive('\n') {
        let body = line.trim();
        let parts = body
            .split_once(':')
            .filter(|(k, _)| !k.contains('='))
            .or_else(|| body.split_once('='));
        if let Some((key, value)) = parts {
            let value = value.trim().trim_end_matches(',');
            let scalar = !value.starts_with(['[', '{', '|', '>']);
            let value = value.trim_matches(['"', '\'']);
            let known = !value.is_empty() && scalar;
            if known && let Some(offset) = line.find(value) {
                let source = at + offset..at + offset + value.len();
                let key = key.trim().trim_matches('"').to_ascii_lowercase();
                out.push(Meta {
                    key,
                    value: value.to_owned(),
                    source,
                });
            }
        }
        at += line.len();
    }
    out
}
