//! Plain text: every line is a block, `- ` starts a list item, blank lines separate. Headings and lists
//! of MediaWiki and reStructuredText are read too.

use super::front_matter::{Meta, lines};
use super::page::{Block, BlockKind};

/// Reads plain text. A line is never joined with the next one: what follows a short line may be its
/// content, and only the extractor can tell.
pub(super) fn read_text(text: &str) -> (Vec<Block>, Vec<Meta>) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut meta = Vec::new();
    let mut start = 0;
    // Where the open `<pre>` box begins, and whether it is the head of the page.
    let mut boxed = None::<(usize, bool)>;
    for line in text.split_inclusive('\n') {
        let next = start + line.len();
        let body = line.trim();
        if boxed.is_none() && body == "<pre>" {
            boxed = Some((next, blocks.is_empty()));
        } else if body == "</pre>" && boxed.is_some() {
            // The head of a MediaWiki page is such a box of `Key: value` lines.
            if let Some((from, true)) = boxed.take() {
                meta = lines(text, from..start);
                blocks.clear();
            }
        } else if let Some(found) = directive(line, start) {
            meta.extend(found);
        } else if boxed.is_some() {
            push_line(&mut blocks, BlockKind::Preformatted, line, start);
        } else if let Some((level, mark)) = wiki_heading(body) {
            let indent = line.len() - line.trim_start().len();
            let inner = &body[mark..body.len() - mark];
            push_line(
                &mut blocks,
                BlockKind::Heading(level),
                inner,
                start + indent + mark,
            );
        } else if underlines(body, blocks.last()) {
            if let Some(title) = blocks.last_mut() {
                title.kind = BlockKind::Heading(underline_level(body));
            }
        } else {
            let indent = line.len() - line.trim_start().len();
            let content = &line[indent..];
            let (kind, marker) = match marker_length(content) {
                Some(length) => (BlockKind::Item(depth(indent)), length),
                None => (BlockKind::Paragraph, 0),
            };
            push_line(
                &mut blocks,
                kind,
                &content[marker..],
                start + indent + marker,
            );
        }
        start = next;
    }
    (blocks, meta)
}

fn push_line(blocks: &mut Vec<Block>, kind: BlockKind, line: &str, start: usize) {
    let mut block = Block::new(kind);
    let text = if kind == BlockKind::Preformatted {
        line.trim_end()
    } else {
        line.trim()
    };
    let lead = line.find(text).unwrap_or(0);
    for (i, c) in text.char_indices() {
        let at = start + lead + i;
        block.push(c, at..at + c.len_utf8());
    }
    if !block.text.is_empty() {
        blocks.push(block);
    }
}

/// `== Timeline ==` of MediaWiki: its level and the length of its marks.
fn wiki_heading(line: &str) -> Option<(u8, usize)> {
    let marks = line.len() - line.trim_start_matches('=').len();
    let closing = line.len() - line.trim_end_matches('=').len();
    let even = marks == closing && (1..=6).contains(&marks) && line.len() > marks * 2;
    let inner = line.get(marks..line.len().checked_sub(marks)?)?;
    let told = even && inner.chars().any(char::is_alphanumeric);
    told.then(|| (u8::try_from(marks).unwrap_or(6), marks))
}

/// A line of `====` under a title (reStructuredText, Setext).
fn underlines(line: &str, title: Option<&Block>) -> bool {
    let mark = line.chars().next();
    let uniform = mark.is_some_and(|m| {
        matches!(m, '=' | '-' | '~' | '^' | '*' | '#') && line.chars().all(|c| c == m)
    });
    let long = line.len() >= 4;
    let fits = title.is_some_and(|t| {
        t.kind == BlockKind::Paragraph && t.text.chars().count() <= line.chars().count() + 3
    });
    uniform && long && fits
}

fn underline_level(line: &str) -> u8 {
    match line.as_bytes().first() {
        Some(b'=' | b'#') => 1,
        Some(b'-' | b'*') => 2,
        _ => 3,
    }
}

/// `.. post:: Jan 25, 2021` and its options, metadata of reStructuredText.
fn directive(line: &str, start: usize) -> Option<Option<Meta>> {
    let body = line.trim();
    let (key, value) = match body.strip_prefix(".. ") {
        Some(rest) => rest.split_once("::")?,
        None if line.starts_with("   :") => body[1..].split_once(':')?,
        None => return None,
    };
    let value = value.trim();
    let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !plain {
        return None;
    }
    let meta = line
        .find(value)
        .filter(|_| !value.is_empty())
        .map(|at| Meta {
            key: key.to_ascii_lowercase(),
            value: value.to_owned(),
            source: start + at..start + at + value.len(),
        });
    Some(meta)
}

/// The bytes of `- `, `* ` or `• ` with the blanks after it; a lone mark is an empty item and no text.
fn marker_length(line: &str) -> Option<usize> {
    let mark = line
        .chars()
        .next()
        .filter(|c| matches!(c, '-' | '*' | '•'))?;
    let rest = &line[mark.len_utf8()..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (blanks > 0).then_some(mark.len_utf8() + blanks)
}

fn depth(indent: usize) -> u8 {
    u8::try_from(1 + indent / 2).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_items_with_their_places() {
        let text = "Title\r\n\r\n- one\n  * two  \n-three\n- –\n";
        let (blocks, _) = read_text(text);
        let seen: Vec<(BlockKind, &str)> =
            blocks.iter().map(|b| (b.kind, b.text.as_str())).collect();
        assert_eq!(
            seen,
            [
                (BlockKind::Paragraph, "Title"),
                (BlockKind::Item(1), "one"),
                (BlockKind::Item(2), "two"),
                (BlockKind::Paragraph, "-three"),
                (BlockKind::Item(1), "–"),
            ]
        );
        for block in &blocks {
            assert_eq!(&text[block.source_range(0..block.text.len())], block.text);
        }
    }

    #[test]
    fn a_box_that_never_ends_is_kept() {
        let (blocks, meta) = read_text("<pre>\n one\ntwo\n");
        let seen: Vec<&str> = blocks.iter().map(|b| b.text.as_str()).collect();
        assert_eq!(seen, [" one", "two"]);
        assert!(meta.is_empty());
    }

    #[test]
    fn headings_of_mediawiki_and_restructuredtext() {
        let text = "<pre>\n  Title: Fork\n</pre>\n==Root cause==\nLocks.\n.. post:: Jan 25, 2021\n   :author: Eric\n\nAn outage\n=========\n";
        let (blocks, meta) = read_text(text);
        let seen: Vec<(BlockKind, &str)> =
            blocks.iter().map(|b| (b.kind, b.text.as_str())).collect();
        assert_eq!(
            seen,
            [
                (BlockKind::Heading(2), "Root cause"),
                (BlockKind::Paragraph, "Locks."),
                (BlockKind::Heading(1), "An outage"),
            ]
        );
        let keys: Vec<(&str, &str)> = meta
            .iter()
            .map(|m| (m.key.as_str(), m.value.as_str()))
            .collect();
        assert_eq!(
            keys,
            [
                ("title", "Fork"),
                ("post", "Jan 25, 2021"),
                ("author", "Eric")
            ]
        );
        for found in &meta {
            assert_eq!(&text[found.source.clone()], found.value);
        }
    }
}
