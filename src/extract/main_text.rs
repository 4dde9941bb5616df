//! The main text of a page: which blocks belong to the article, and which stand around it.
//!
//! Elements that their names or their links give away are left out, then the smallest element that
//! holds nearly all of the remaining prose is taken, then head and tail are cut. Nothing that stands
//! under a section heading of a postmortem or tells a clock time is cut for being short or full of links.

use std::collections::HashSet;

use super::section_words::OwnWords;
use crate::read::{Block, BlockKind, Page, Role, Tag};
use crate::vocabulary::{Languages, PageLabel, fold};

/// Where a block stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the article.
    Main,
    /// Its title.
    Title,
    /// Between title and text: authors, day.
    Byline,
    /// Around it.
    Out,
}

/// Headings and lines that open what stands beside an article, in all languages.
#[derive(Debug, Clone)]
pub(crate) struct BesideWords {
    phrases: HashSet<String>,
}

impl BesideWords {
    pub(super) fn new(languages: &Languages) -> Self {
        let of = |l: &crate::vocabulary::Language| l.postmortem.labels.get(&PageLabel::Beside).cloned();
        let phrases = languages.iter().filter_map(of).flatten().map(|w| fold(&w)).collect();
        Self { phrases }
    }

    /// Whether a line opens what stands beside the article: a known phrase, alone or before a few words.
    fn opens(&self, text: &str) -> bool {
        let head: String = text.chars().take(80).collect();
        let folded = fold(head.trim_matches(|c: char| !c.is_alphanumeric()));
        if self.phrases.contains(&folded) {
            return true;
        }
        let mut ends = folded.char_indices().filter(|(_, c)| !c.is_alphanumeric()).map(|(i, _)| i);
        let short = text.chars().count() <= 60;
        ends.any(|end| {
            let (phrase, rest) = folded.split_at(end);
            (short || rest.starts_with(':')) && phrase.contains(' ') && self.phrases.contains(phrase)
                || rest.starts_with(':') && self.phrases.contains(phrase)
        })
    }
}

/// What finds the main text of one page.
pub(super) struct Finder<'a> {
    pub(super) beside: &'a BesideWords,
    pub(super) sections: OwnWords<'a>,
    /// The titles that the page gives itself outside its text.
    pub(super) titles: Vec<String>,
}

/// What is counted of a block.
struct Weight {
    /// How long its text is to a reader.
    length: usize,
    /// How much of that is linked.
    links: usize,
    /// How much it speaks for being in an article.
    prose: usize,
    /// Whether it is kept though it is short or linked.
    guarded: bool,
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

fn weigh(block: &Block, in_section: bool) -> Weight {
    let all = length(&block.text);
    let linked = |l: &crate::read::Link| block.text.get(l.range.clone()).map_or(0, length);
    let links: usize = block.links.iter().map(linked).sum();
    let clock = has_clock(&block.text);
    let listed = matches!(block.kind, BlockKind::Item(_) | BlockKind::Row | BlockKind::Description);
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
    let guarded = in_section || (clock && listed && links * 2 <= all) || block.kind == BlockKind::Preformatted;
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

impl Finder<'_> {
    /// The place of each block.
    pub(super) fn places(&self, page: &Page) -> Vec<Place> {
        let blocks = &page.blocks;
        if page.containers.is_empty() {
            return vec![Place::Main; blocks.len()];
        }
        let weights = self.weights(blocks);
        let out = left_out(page, &weights);
        let mut places: Vec<Place> = blocks
            .iter()
            .map(|b| b.container.map_or(Place::Main, |c| out[c]))
            .collect();
        let kept = sums(page, |i| match places[i] {
            Place::Main => weights[i].prose,
            _ => 0,
        });
        let title = self.title(blocks);
        let inside = chosen(page, &kept, title.and_then(|i| blocks[i].container));
        for (i, block) in blocks.iter().enumerate() {
            if !block.container.is_some_and(|c| inside[c]) {
                places[i] = Place::Out;
            }
        }
        self.cut_lines(blocks, &weights, &mut places);
        if let Some(title) = title {
            cut_head(blocks, &weights, title, &mut places);
        }
        self.cut_tail(blocks, &weights, &mut places);
        places
    }

    fn weights(&self, blocks: &[Block]) -> Vec<Weight> {
        let mut in_section = false;
        let weigh = |block: &Block| {
            match block.kind {
                BlockKind::Heading(level) => {
                    in_section = level > 1 && self.sections.heading(&block.text, false).is_some();
                }
                BlockKind::Paragraph if block.text.len() < 80 => {
                    in_section = self.sections.inline(block).is_some() || in_section && !block.links.is_empty();
                }
                _ => {}
            }
            weigh(block, in_section)
        };
        blocks.iter().map(weigh).collect()
    }

    /// The heading that is the page's title: the one that its own title names, or the first of level 1.
    fn title(&self, blocks: &[Block]) -> Option<usize> {
        let headings = || blocks.iter().enumerate().filter(|(_, b)| matches!(b.kind, BlockKind::Heading(1..=3)));
        let named = |b: &Block| {
            let text = fold(&b.text);
            text.chars().count() > 8 && self.titles.iter().any(|t| t.contains(&text))
        };
        let found = headings().find(|(_, b)| named(b));
        let found = found.or_else(|| headings().find(|(_, b)| b.kind == BlockKind::Heading(1) && !b.furniture));
        found.map(|(i, _)| i)
    }

    /// Lines inside the article that lead out of it: a paragraph that is a link, `Related: …`.
    fn cut_lines(&self, blocks: &[Block], weights: &[Weight], places: &mut [Place]) {
        for (i, block) in blocks.iter().enumerate() {
            let weight = &weights[i];
            if places[i] != Place::Main || weight.guarded {
                continue;
            }
            let only_link = block.kind == BlockKind::Paragraph && weight.links * 5 >= weight.length * 4;
            let leads = weight.links > 0 && self.beside.opens(&block.text);
            if only_link || leads && weight.links * 2 > weight.length {
                places[i] = Place::Out;
            }
        }
    }

    /// Cuts what follows the article: from a heading like `Related posts` on, then short lines at the end.
    fn cut_tail(&self, blocks: &[Block], weights: &[Weight], places: &mut [Place]) {
        let main: Vec<usize> = (0..blocks.len()).filter(|i| places[*i] == Place::Main).collect();
        let all: usize = main.iter().map(|i| weights[*i].prose).sum();
        let mut seen = 0;
        for (at, i) in main.iter().enumerate() {
            let block = &blocks[*i];
            let opens = matches!(block.kind, BlockKind::Heading(_) | BlockKind::Paragraph | BlockKind::Item(1))
                && weights[*i].length <= 60
                && self.beside.opens(&block.text);
            let rest_is_guarded = || main[at + 1..].iter().any(|i| weights[*i].guarded);
            if opens && seen * 2 >= all && !rest_is_guarded() {
                main[at..].iter().for_each(|i| places[*i] = Place::Out);
                break;
            }
            seen += weights[*i].prose;
        }
        for (i, block) in blocks.iter().enumerate().rev() {
            if places[i] != Place::Main {
                continue;
            }
            let loose = match block.kind {
                BlockKind::Heading(_) => !weights[i].guarded,
                BlockKind::Paragraph | BlockKind::Term => !weights[i].guarded && is_loose(block, &weights[i]),
                _ => false,
            };
            if !loose {
                break;
            }
            places[i] = Place::Out;
        }
    }
}

/// A short line that is no sentence.
fn is_loose(block: &Block, weight: &Weight) -> bool {
    let sentence = block
        .text
        .trim_end_matches(['"', '”', '\'', '’', ')', ' '])
        .ends_with(['.', '!', '?', '。', '다', '…', ':']);
    weight.length < 60 && !sentence
}

/// What stands before the title is out, the title and the lines under it are the head.
fn cut_head(blocks: &[Block], weights: &[Weight], title: usize, places: &mut [Place]) {
    let prose = |range: std::ops::Range<usize>| -> usize {
        range.filter(|i| places[*i] == Place::Main).map(|i| weights[i].prose).sum()
    };
    let (before, after) = (prose(0..title), prose(title..blocks.len()));
    if before * 2 > after || weights[..title].iter().zip(places.iter()).any(|(w, p)| w.guarded && *p == Place::Main) {
        return;
    }
    places[..title].fill(Place::Out);
    places[title] = Place::Title;
    for i in title + 1..blocks.len() {
        let head = match blocks[i].kind {
            BlockKind::Paragraph | BlockKind::Term | BlockKind::Item(_) | BlockKind::Description => {
                is_loose(&blocks[i], &weights[i])
            }
            _ => false,
        };
        match places[i] {
            Place::Out => {}
            _ if head && !weights[i].guarded => places[i] = Place::Byline,
            _ => break,
        }
    }
}

/// A number of each block summed up over the containers around it.
fn sums(page: &Page, of: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut sums = vec![0; page.containers.len()];
    for (i, block) in page.blocks.iter().enumerate() {
        if let Some(container) = block.container {
            sums[container] += of(i);
        }
    }
    for (i, container) in page.containers.iter().enumerate().rev() {
        if let Some(parent) = container.parent {
            sums[parent] += sums[i];
        }
    }
    sums
}

/// Containers that stand beside the article by their name or their links, unless most of the text
/// is in them.
fn left_out(page: &Page, weights: &[Weight]) -> Vec<Place> {
    let prose = sums(page, |i| weights[i].prose);
    let lengths = sums(page, |i| weights[i].length);
    let links = sums(page, |i| weights[i].links);
    let guarded = sums(page, |i| usize::from(weights[i].guarded));
    let all = prose.first().copied().unwrap_or(0);
    let mut out: Vec<Place> = Vec::with_capacity(page.containers.len());
    for (i, container) in page.containers.iter().enumerate() {
        let small = prose[i] * 5 < all * 2;
        let linked = |percent: usize| guarded[i] == 0 && links[i] * 100 > lengths[i] * percent;
        let place = match (container.tag, container.role) {
            (Tag::Nav | Tag::Aside | Tag::Footer | Tag::Form, _) | (_, Role::Beside) if small => Place::Out,
            (Tag::Caption, _) | (_, Role::Caption) if prose[i] < 1200 => Place::Out,
            (Tag::Figure, _) if guarded[i] == 0 && prose[i] < 600 => Place::Out,
            (Tag::List, _) if linked(65) => Place::Out,
            _ if small && linked(70) => Place::Out,
            (_, Role::Byline) if prose[i] < 300 => Place::Byline,
            _ => Place::Main,
        };
        let inherited = container.parent.map_or(Place::Main, |p| out[p]);
        out.push(if inherited == Place::Main || place == Place::Out { place } else { inherited });
    }
    out
}

/// The containers of the article: bodies that their names call so, the one `article` that holds the
/// title, or the smallest element that holds nearly all of the text.
fn chosen(page: &Page, kept: &[usize], title: Option<usize>) -> Vec<bool> {
    let containers = &page.containers;
    let all = kept.first().copied().unwrap_or(0);
    let mut inside = vec![false; containers.len()];
    let mut bodies = 0;
    for (i, container) in containers.iter().enumerate() {
        let around = container.parent.is_some_and(|p| inside[p]);
        inside[i] = around || container.role == Role::Body;
        if inside[i] && !around {
            bodies += kept[i];
        }
    }
    if bodies * 2 > all {
        return inside;
    }
    let article = around(page, title).find(|c| containers[*c].tag == Tag::Article);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); containers.len()];
    for (i, container) in containers.iter().enumerate() {
        if let Some(parent) = container.parent {
            children[parent].push(i);
        }
    }
    let mut at = article.filter(|a| kept[*a] * 5 > all).unwrap_or(0);
    while let Some(next) = children[at].iter().copied().max_by_key(|c| kept[*c]) {
        if kept[next] * 5 < kept[at] * 4 || kept[next] == 0 {
            break;
        }
        at = next;
    }
    for (i, container) in containers.iter().enumerate() {
        inside[i] = i == at || container.parent.is_some_and(|p| inside[p]);
    }
    inside
}

/// A container and those around it, from the inside out.
fn around(page: &Page, from: Option<usize>) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(from, |c| page.containers[*c].parent)
}
