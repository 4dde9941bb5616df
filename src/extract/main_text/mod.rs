//! The main text of a page: which blocks belong to the article, and which stand around it.
//!
//! Elements that their names or their links give away are left out, then the smallest element that
//! holds nearly all of the remaining prose is taken, then head and tail are cut. Nothing that stands
//! under a section heading of a postmortem or tells a clock time is cut for being short or full of links.

mod blocks;
mod region;
mod trim;
mod weight;
mod words;

use crate::read::{Block, BlockKind, Meta, Page};
use crate::vocabulary::fold;

use super::Lexicon;
use super::section_words::{OwnWords, tell_of_incident};
pub use blocks::{MainBlock, main_blocks};
pub(super) use region::around;
use region::{Look, Region, left_out, sums};
use trim::{cut_head, take_lead};
use weight::{Weight, weigh};
pub(crate) use words::PageWords;

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

/// How a page is laid out.
#[derive(Debug)]
pub(super) struct Layout {
    /// Where each block stands.
    pub(super) places: Vec<Place>,
    /// The block of the title.
    pub(super) title: Option<usize>,
    /// Whether the page tells of an incident, by its title or its section headings.
    pub(super) incident: bool,
}

/// What finds the main text of one page.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    words: &'a PageWords,
    sections: OwnWords<'a>,
    /// The titles that the page gives itself outside its text.
    titles: Vec<String>,
    /// What they fall into at dashes, bars and colons.
    title_parts: Vec<String>,
}

/// The heading that is the title.
#[derive(Clone, Copy)]
struct Title {
    block: usize,
    /// Whether the page names it so outside its text.
    named: bool,
}

impl<'a> Finder<'a> {
    /// What finds the main text of a page.
    pub(super) fn of(page: &'a Page, cx: &'a Lexicon) -> Self {
        let declared = page.language.as_deref().and_then(|l| l.split('-').next());
        let titled = |m: &&Meta| matches!(m.key.as_str(), "og:title" | "ld:headline");
        let titles = page.meta.iter().filter(titled).map(|m| &m.value);
        let titles: Vec<&String> = page.title.iter().chain(titles).collect();
        let separators = [" | ", " – ", " — ", " · ", " :: ", " » ", " - ", ": "];
        let parts = titles
            .iter()
            .flat_map(|t| separators.iter().flat_map(|s| t.split(s)));
        let mut title_parts: Vec<String> = parts.map(fold).collect();
        title_parts.sort_unstable();
        title_parts.dedup();
        Self {
            words: &cx.page_words,
            sections: cx.section_words.of(declared.unwrap_or("en")),
            titles: titles.iter().map(|t| fold(t)).collect(),
            title_parts,
        }
    }
}

impl Finder<'_> {
    /// The place of each block, and what was found out on the way.
    pub(super) fn layout(&self, page: &Page) -> Layout {
        let blocks = &page.blocks;
        let weights = self.weights(blocks);
        let title = self.title(blocks);
        let incident = self.is_incident(blocks, &weights, title);
        let places = if page.containers.is_empty() {
            vec![Place::Main; blocks.len()]
        } else {
            self.places(page, &weights, title, incident)
        };
        Layout {
            places,
            title: title.map(|t| t.block),
            incident,
        }
    }

    fn places(
        &self,
        page: &Page,
        weights: &[Weight],
        title: Option<Title>,
        incident: bool,
    ) -> Vec<Place> {
        let all: usize = weights.iter().map(|w| w.prose).sum();
        let looks = [Look::Names, Look::Elements];
        for look in looks {
            let places = self.places_by(look, page, weights, title, incident);
            let main: usize = main_of(&places).map(|i| weights[i].prose).sum();
            // Names of classes deceive: where hardly anything is left, they are not gone by.
            if main >= 350 || main * 5 >= all && main > 0 {
                return places;
            }
        }
        let place = |b: &Block| if b.furniture { Place::Out } else { Place::Main };
        page.blocks.iter().map(place).collect()
    }

    fn places_by(
        &self,
        look: Look,
        page: &Page,
        weights: &[Weight],
        title: Option<Title>,
        incident: bool,
    ) -> Vec<Place> {
        let blocks = &page.blocks;
        let out = left_out(look, page, weights, title);
        let mut places: Vec<Place> = blocks
            .iter()
            .map(|b| b.container.map_or(Place::Main, |c| out[c]))
            .collect();
        let kept = sums(page, |i| match places[i] {
            Place::Main => weights[i].prose,
            _ => 0,
        });
        let guards = sums(page, |i| {
            usize::from(places[i] == Place::Main && weights[i].guarded)
        });
        let region = Region {
            page,
            kept: &kept,
            guards: &guards,
            title: title.and_then(|t| blocks[t.block].container),
            named: title.is_some_and(|t| t.named),
            incident,
        };
        let inside = region.chosen();
        for (i, block) in blocks.iter().enumerate() {
            if !block.container.is_some_and(|c| inside[c]) {
                places[i] = Place::Out;
            }
        }
        self.cut_lines(blocks, weights, &mut places);
        if let Some(title) = title {
            take_lead(page, weights, (title.block, &out), &mut places);
            cut_head(page, weights, title, &mut places);
        }
        self.cut_tail(blocks, weights, &mut places);
        if incident {
            let head = |place: &Place| matches!(place, Place::Title | Place::Byline);
            places
                .iter_mut()
                .filter(|p| head(p))
                .for_each(|p| *p = Place::Main);
        } else {
            self.cut_loose_end(blocks, weights, &mut places);
        }
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
                    in_section = self.sections.inline(block).is_some()
                        || in_section && !block.links.is_empty();
                }
                _ => {}
            }
            weigh(block, in_section)
        };
        blocks.iter().map(weigh).collect()
    }

    /// Whether the page tells of an incident, by its title or its section headings. Of such a page
    /// rather too much is kept than too little: its title names the service and the day, its short
    /// lines are states and times.
    fn is_incident(&self, blocks: &[Block], weights: &[Weight], title: Option<Title>) -> bool {
        let title = title.map(|t| blocks[t.block].text.as_str());
        let titles = title
            .into_iter()
            .chain(self.titles.iter().map(String::as_str));
        if titles.into_iter().any(|t| self.words.names_incident(t)) {
            return true;
        }
        let headings = blocks
            .iter()
            .zip(weights)
            .filter(|(b, w)| w.guarded && matches!(b.kind, BlockKind::Heading(_)));
        tell_of_incident(headings.filter_map(|(b, _)| self.sections.heading(&b.text, false)))
    }

    /// The title: the heading or line that the page's own title names, or the first heading of level 1.
    fn title(&self, blocks: &[Block]) -> Option<Title> {
        let headings = || {
            blocks
                .iter()
                .enumerate()
                .filter(|(_, b)| matches!(b.kind, BlockKind::Heading(1..=3)))
        };
        let lines = blocks
            .iter()
            .enumerate()
            .filter(|(_, b)| b.kind == BlockKind::Paragraph && b.text.len() < 200);
        // A heading may be one part of "Site - Outage of the shop"; a line must be most of it.
        let alike = |b: &Block| {
            let text = fold(&b.text);
            let alike = match b.kind {
                BlockKind::Heading(_) => self.title_parts.iter().map(|t| alike(&text, t)).max(),
                _ => {
                    let most = |t: &&String| text.chars().count() * 5 >= t.chars().count() * 3;
                    self.titles
                        .iter()
                        .filter(most)
                        .map(|t| alike(&text, t))
                        .max()
                }
            };
            alike.unwrap_or(0)
        };
        let title = |block, named| Title { block, named };
        let best = headings()
            .map(|(i, b)| (alike(b), i))
            .filter(|(alike, _)| *alike > 0);
        let best = best
            .max_by_key(|(alike, i)| (*alike, std::cmp::Reverse(*i)))
            .map(|(_, i)| i);
        let mut lines = lines.filter(|(_, b)| alike(b) > 0).map(|(i, _)| i);
        let found = best.or_else(|| lines.next()).map(|i| title(i, true));
        found.or_else(|| {
            let (i, _) =
                headings().find(|(_, b)| b.kind == BlockKind::Heading(1) && !b.furniture)?;
            Some(title(i, false))
        })
    }
}

fn main_of(places: &[Place]) -> impl Iterator<Item = usize> + '_ {
    (0..places.len()).filter(|i| places[*i] == Place::Main)
}

/// How many characters two titles begin with alike, where they are one apart from a site's name or a
/// number behind; else 0.
fn alike(a: &str, b: &str) -> usize {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let shorter = a.chars().count().min(b.chars().count());
    if same >= 8 && same * 4 >= shorter * 3 {
        same
    } else {
        0
    }
}
