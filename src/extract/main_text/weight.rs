//! What is counted of a block: length, links, prose.

use crate::read::{Block, BlockKind};

/// What is counted of a block.
pub(super) struct Weight {
    /// How long its text is to a reader.
    pub(super) length: usize,
    /// How much of that is linked.
    pub(super) links: usize,
    /// How much it speaks for being in an article.
    pub(super) prose: usize,
    /// Whether it is kept though it is short or linked.
    pub(super) guarded: bool,
}

/// How long a text is to a reader; a letter of Korean, Japanese or Chinese counts twice.
fn length(text: &str) -> usize {
    let of = |c: char| match c {
        '\u{2e80}'.. => 2,
        c if c.is_whitespace() => 0,
        _ => 1,
    };
    text.chars().map(of).sum()
}

pub(super) fn weigh(block: &Block, in_section: bool) -> Weight {
    let all = length(&block.text);
    let linked = |l: &crate::read::Link| block.text.get(l.range.clone()).map_or(0, length);
    let links: usize = block.links.iter().map(linked).sum();
    let clock = has_clock(&block.text);
    let listed = matches!(
        block.kind,
        BlockKind::Item(_) | BlockKind::Row | BlockKind::Description
    );
    let prose = match block.kind {
        BlockKind::Heading(_) => 0,
        BlockKind::Preformatted => all,
        _ if links * 2 > all || block.text.contains('©') => 0,
        _ if clock && listed => all + 60,
        _ if all < 25 => 0,
        _ if all < 60 => all / 3,
        _ if listed => all / 2,
        _ if all > 120 => all + all / 2,
        _ => all,
    };
    let guarded = in_section
        || (clock && listed && links * 2 <= all)
        || block.kind == BlockKind::Preformatted;
    Weight {
        length: all,
        links,
        prose,
        guarded,
    }
}

/// `14:05`: two digits behind a colon behind one or two.
fn has_clock(text: &str) -> bool {
    text.as_bytes().windows(4).any(|w| {
        w[0].is_ascii_digit() && w[1] == b':' && w[2].is_ascii_digit() && w[3].is_ascii_digit()
    })
}

/// A short line that is no sentence.
pub(super) fn is_loose(block: &Block, weight: &Weight) -> bool {
    weight.length < 60 && !ends_sentence(&block.text)
}

pub(super) fn ends_sentence(text: &str) -> bool {
    let closing = ['"', '”', '\'', '’', ')', ' '];
    text.trim_end_matches(closing)
        .ends_with(['.', '!', '?', '。', '다', '…', ':'])
}
