//! Plain text: every line is a block, `- ` starts a list item, blank lines separate.

use super::page::{Block, BlockKind};

/// Reads plain text. A line is never joined with the next one: what follows a short line may be its
/// content, and only the extractor can tell.
pub(super) fn read_text(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        let (kind, marker) = match marker_length(body) {
            Some(length) => (BlockKind::Item(depth(indent)), length),
            None => (BlockKind::Paragraph, 0),
        };
        let mut block = Block::new(kind);
        let offset = start + indent + marker;
        for (i, c) in body[marker..].trim_end().char_indices() {
            block.push(c, offset + i..offset + i + c.len_utf8());
        }
        if !block.text.is_empty() {
            blocks.push(block);
        }
        start += line.len();
    }
    blocks
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
        let blocks = read_text(text);
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
}
