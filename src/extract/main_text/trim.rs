//! Head, tail and lines of an article that lead out of it.

use super::region::around;
use super::weight::{Weight, ends_sentence, is_loose};
use super::{Finder, Place, Title, main_of};
use crate::read::{Block, BlockKind, Page, Tag};

impl Finder<'_> {
    /// Lines inside the article that lead out of it: a paragraph that is a link, `Related: …`.
    pub(super) fn cut_lines(&self, blocks: &[Block], weights: &[Weight], places: &mut [Place]) {
        for (i, block) in blocks.iter().enumerate() {
            let weight = &weights[i];
            if places[i] != Place::Main || weight.guarded {
                continue;
            }
            let leads_alone = matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading(_))
                && weight.length < 40
                && self.words.is(&block.text);
            let only_link =
                block.kind == BlockKind::Paragraph && weight.links * 5 >= weight.length * 4;
            let leads = weight.links > 0 && self.words.opens(&block.text);
            if leads_alone || only_link || leads && weight.links * 2 > weight.length {
                places[i] = Place::Out;
            }
        }
    }

    /// Cuts short lines and appeals to the reader at the end of the article.
    pub(super) fn cut_loose_end(&self, blocks: &[Block], weights: &[Weight], places: &mut [Place]) {
        for (i, block) in blocks.iter().enumerate().rev() {
            if places[i] != Place::Main {
                continue;
            }
            let weight = &weights[i];
            let appeals = || weight.length < 300 && self.words.appeals(&block.text);
            let loose = match block.kind {
                _ if weight.guarded => false,
                BlockKind::Heading(_) => true,
                BlockKind::Paragraph | BlockKind::Term => is_loose(block, weight) || appeals(),
                BlockKind::Item(_) => appeals(),
                _ => false,
            };
            if !loose {
                break;
            }
            places[i] = Place::Out;
        }
    }

    /// Cuts what follows the article: from a heading like `Related posts` on, then short lines at the end.
    pub(super) fn cut_tail(&self, blocks: &[Block], weights: &[Weight], places: &mut [Place]) {
        let main: Vec<usize> = main_of(places).collect();
        let all: usize = main.iter().map(|i| weights[*i].prose).sum();
        let last_guarded = main.iter().rposition(|i| weights[*i].guarded);
        let mut seen = 0;
        for (at, i) in main.iter().enumerate() {
            let block = &blocks[*i];
            let opens = matches!(
                block.kind,
                BlockKind::Heading(_) | BlockKind::Paragraph | BlockKind::Item(1)
            ) && weights[*i].length <= 60
                && self.words.opens(&block.text);
            let rest_is_guarded = last_guarded.is_some_and(|last| last > at);
            if opens && seen * 2 >= all && !rest_is_guarded {
                main[at..].iter().for_each(|i| places[*i] = Place::Out);
                break;
            }
            seen += weights[*i].prose;
        }
    }
}

/// Sentences between title and region are the lead of the article.
pub(super) fn take_lead(
    page: &Page,
    weights: &[Weight],
    (title, out): (usize, &[Place]),
    places: &mut [Place],
) {
    let Some(first) = main_of(places)
        .find(|i| weights[*i].prose > 0)
        .filter(|first| *first > title)
    else {
        return;
    };
    let lead = |i: &usize| {
        let block = &page.blocks[*i];
        let kept = block.container.is_none_or(|c| out[c] == Place::Main);
        let told = match block.kind {
            BlockKind::Paragraph => weights[*i].length >= 60 && weights[*i].links == 0,
            BlockKind::Heading(level) => level > 1 && weights[*i].length >= 80,
            _ => false,
        };
        kept && told && ends_sentence(&block.text)
    };
    let leads: Vec<usize> = (title + 1..first).filter(lead).collect();
    if leads.len() <= 3 {
        leads.iter().for_each(|i| places[*i] = Place::Main);
    }
}

/// What stands before the title is out, the title and the lines under it are the head.
pub(super) fn cut_head(page: &Page, weights: &[Weight], title: Title, places: &mut [Place]) {
    let blocks = &page.blocks;
    let Title {
        block: title,
        named,
    } = title;
    let prose = |range: std::ops::Range<usize>| -> usize {
        range
            .filter(|i| places[*i] == Place::Main)
            .map(|i| weights[i].prose)
            .sum()
    };
    let (before, after) = (prose(0..title), prose(title..blocks.len()));
    let guarded = || (0..title).any(|i| weights[i].guarded && places[i] == Place::Main);
    if after == 0 || !named && (before * 2 > after || guarded()) {
        return;
    }
    places[..title].fill(Place::Out);
    places[title] = Place::Title;
    let is_header = |c: usize| page.containers[c].tag == Tag::Header;
    let header = around(page, blocks[title].container).find(|c| is_header(*c));
    for i in title + 1..blocks.len() {
        let in_header = || {
            let own = header.is_some_and(|h| around(page, blocks[i].container).any(|c| c == h));
            own && weights[i].prose < 600
                && !(weights[i].length >= 60 && ends_sentence(&blocks[i].text))
        };
        let head = match blocks[i].kind {
            BlockKind::Paragraph => is_loose(&blocks[i], &weights[i]) || in_header(),
            BlockKind::Heading(_) => in_header(),
            BlockKind::Term | BlockKind::Item(_) | BlockKind::Description => {
                is_loose(&blocks[i], &weights[i])
            }
            BlockKind::Row | BlockKind::Preformatted => false,
        };
        match places[i] {
            Place::Out => {}
            _ if head && !weights[i].guarded => places[i] = Place::Byline,
            _ => break,
        }
    }
}
