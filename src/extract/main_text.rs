//! The main text of a page: which blocks belong to the article, and which stand around it.
//!
//! Elements that their names or their links give away are left out, then the smallest element that
//! holds nearly all of the remaining prose is taken, then head and tail are cut. Nothing that stands
//! under a section heading of a postmortem or tells a clock time is cut for being short or full of links.

use std::collections::HashSet;

use super::section_words::OwnWords;
use crate::read::{Block, BlockKind, Page, Role, Tag};
use crate::vocabulary::{Languages, PageLabel, SectionKind, fold};

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

/// Lines that open what stands beside an article, and words that name an incident, in all languages.
#[derive(Debug, Clone)]
pub(crate) struct PageWords {
    beside: HashSet<String>,
    incident: Vec<String>,
    appeal: Vec<String>,
}

impl PageWords {
    pub(super) fn new(languages: &Languages) -> Self {
        let of = |label: PageLabel| {
            let words = languages
                .iter()
                .filter_map(move |l| l.postmortem.labels.get(&label));
            words.flatten().map(|w| fold(w))
        };
        Self {
            beside: of(PageLabel::Beside).collect(),
            incident: of(PageLabel::Incident).collect(),
            appeal: of(PageLabel::Appeal).collect(),
        }
    }

    /// Whether a title names an incident.
    fn names_incident(&self, title: &str) -> bool {
        let folded = fold(title);
        self.incident.iter().any(|word| stands_in(word, &folded))
    }

    /// Whether a text asks readers to subscribe, follow, register or pay.
    fn appeals(&self, text: &str) -> bool {
        let folded = fold(text);
        self.appeal.iter().any(|word| stands_in(word, &folded))
    }

    /// Whether a line is one of the phrases.
    fn is(&self, text: &str) -> bool {
        self.beside
            .contains(&fold(text.trim_matches(|c: char| !c.is_alphanumeric())))
    }

    /// Whether a line opens what stands beside the article: a known phrase, alone or before a few words.
    fn opens(&self, text: &str) -> bool {
        let head: String = text.chars().take(80).collect();
        let folded = fold(head.trim_matches(|c: char| !c.is_alphanumeric()));
        if self.beside.contains(&folded) {
            return true;
        }
        let mut ends = folded
            .char_indices()
            .filter(|(_, c)| !c.is_alphanumeric())
            .map(|(i, _)| i);
        let short = text.chars().count() <= 60;
        ends.any(|end| {
            let (phrase, rest) = folded.split_at(end);
            (short || rest.starts_with(':')) && phrase.contains(' ') && self.beside.contains(phrase)
                || rest.starts_with(':') && self.beside.contains(phrase)
        })
    }
}

/// What finds the main text of one page.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    pub(super) words: &'a PageWords,
    pub(super) sections: OwnWords<'a>,
    /// The titles that the page gives itself outside its text.
    pub(super) titles: Vec<String>,
}

/// The heading that is the title.
#[derive(Clone, Copy)]
struct Title {
    block: usize,
    /// Whether the page names it so outside its text.
    named: bool,
}

/// What elements are judged by.
#[derive(Clone, Copy)]
enum Look {
    /// By what they are, and by their classes and ids.
    Names,
    /// By what they are; by their names only where little stands in them.
    Elements,
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
        let mut kinds: Vec<SectionKind> = blocks
            .iter()
            .zip(weights)
            .filter(|(b, w)| w.guarded && matches!(b.kind, BlockKind::Heading(_)))
            .filter_map(|(b, _)| self.sections.heading(&b.text, false))
            .filter(|k| !matches!(k, SectionKind::Summary | SectionKind::Contributing))
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.len() > 1
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
        let named = |b: &Block| {
            let text = fold(&b.text);
            self.titles.iter().any(|title| begins_alike(&text, title))
        };
        let title = |block, named| Title { block, named };
        let found = headings()
            .chain(lines)
            .find(|(_, b)| named(b))
            .map(|(i, _)| title(i, true));
        found.or_else(|| {
            let (i, _) =
                headings().find(|(_, b)| b.kind == BlockKind::Heading(1) && !b.furniture)?;
            Some(title(i, false))
        })
    }

    /// Lines inside the article that lead out of it: a paragraph that is a link, `Related: …`.
    fn cut_lines(&self, blocks: &[Block], weights: &[Weight], places: &mut [Place]) {
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
    fn cut_loose_end(&self, blocks: &[Block], weights: &[Weight], places: &mut [Place]) {
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
    fn cut_tail(&self, blocks: &[Block], weights: &[Weight], places: &mut [Place]) {
        let main: Vec<usize> = main_of(places).collect();
        let all: usize = main.iter().map(|i| weights[*i].prose).sum();
        let mut seen = 0;
        for (at, i) in main.iter().enumerate() {
            let block = &blocks[*i];
            let opens = matches!(
                block.kind,
                BlockKind::Heading(_) | BlockKind::Paragraph | BlockKind::Item(1)
            ) && weights[*i].length <= 60
                && self.words.opens(&block.text);
            let rest_is_guarded = || main[at + 1..].iter().any(|i| weights[*i].guarded);
            if opens && seen * 2 >= all && !rest_is_guarded() {
                main[at..].iter().for_each(|i| places[*i] = Place::Out);
                break;
            }
            seen += weights[*i].prose;
        }
    }
}

fn main_of(places: &[Place]) -> impl Iterator<Item = usize> + '_ {
    (0..places.len()).filter(|i| places[*i] == Place::Main)
}

/// Whether a word stands in a text on its own, or anywhere where words are not set apart.
fn stands_in(word: &str, text: &str) -> bool {
    let wide = word.chars().any(|c| c > '\u{1100}');
    text.match_indices(word)
        .any(|(at, _)| wide || !text[..at].ends_with(char::is_alphanumeric))
}

/// Whether two titles are one, apart from a site's name or a number behind.
fn begins_alike(a: &str, b: &str) -> bool {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let shorter = a.chars().count().min(b.chars().count());
    same >= 8 && same * 4 >= shorter * 3
}

/// A short line that is no sentence.
fn is_loose(block: &Block, weight: &Weight) -> bool {
    weight.length < 60 && !ends_sentence(&block.text)
}

fn ends_sentence(text: &str) -> bool {
    let closing = ['"', '”', '\'', '’', ')', ' '];
    text.trim_end_matches(closing)
        .ends_with(['.', '!', '?', '。', '다', '…', ':'])
}

/// Sentences between title and region are the lead of the article.
fn take_lead(
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
fn cut_head(page: &Page, weights: &[Weight], title: Title, places: &mut [Place]) {
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
        let listed = matches!(
            blocks[i].kind,
            BlockKind::Term | BlockKind::Item(_) | BlockKind::Description
        );
        let head = match blocks[i].kind {
            BlockKind::Paragraph => is_loose(&blocks[i], &weights[i]) || in_header(),
            BlockKind::Heading(_) => in_header(),
            _ => listed && is_loose(&blocks[i], &weights[i]),
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

/// How much of the prose of each container is quoted.
fn quotes(page: &Page, weights: &[Weight]) -> Vec<usize> {
    let mut inside = vec![false; page.containers.len()];
    for (i, container) in page.containers.iter().enumerate() {
        inside[i] = container.tag == Tag::Quote || container.parent.is_some_and(|p| inside[p]);
    }
    sums(page, |i| match page.blocks[i].container {
        Some(c) if inside[c] => weights[i].prose,
        _ => 0,
    })
}

/// Containers that stand beside the article by their name or their links, unless most of the text
/// is in them.
fn left_out(look: Look, page: &Page, weights: &[Weight], title: Option<Title>) -> Vec<Place> {
    let prose = sums(page, |i| weights[i].prose);
    let lengths = sums(page, |i| weights[i].length);
    let links = sums(page, |i| weights[i].links);
    let guarded = sums(page, |i| usize::from(weights[i].guarded));
    let quoted = quotes(page, weights);
    let all = prose.first().copied().unwrap_or(0);
    let titled: HashSet<usize> =
        around(page, title.and_then(|t| page.blocks[t.block].container)).collect();
    let mut out: Vec<Place> = Vec::with_capacity(page.containers.len());
    for (i, container) in page.containers.iter().enumerate() {
        let rest = all - prose[i];
        let small = prose[i] * 5 < all * 2
            || (rest > 250 && rest * 3 > all && !titled.contains(&i) && guarded[i] == 0);
        let quote = quoted[i] * 2 > prose[i];
        let linked = |percent: usize| guarded[i] == 0 && links[i] * 100 > lengths[i] * percent;
        let role = match look {
            Look::Names => container.role,
            Look::Elements if prose[i] * 10 < all => container.role,
            Look::Elements => Role::Plain,
        };
        let place = match (container.tag, role) {
            // Tags without links are places, versions, things concerned.
            (Tag::List, Role::Beside) if links[i] == 0 => Place::Main,
            (Tag::Nav | Tag::Aside | Tag::Footer | Tag::Form, _) | (_, Role::Beside)
                if small && !quote =>
            {
                Place::Out
            }
            (Tag::Caption, _) | (_, Role::Caption) if prose[i] < 1200 => Place::Out,
            (Tag::Figure, _) if guarded[i] == 0 && prose[i] < 600 => Place::Out,
            (Tag::List, _) if linked(65) => Place::Out,
            _ if small && linked(70) => Place::Out,
            (_, Role::Byline) if prose[i] < 300 => Place::Byline,
            _ => Place::Main,
        };
        let inherited = container.parent.map_or(Place::Main, |p| out[p]);
        out.push(if inherited == Place::Main || place == Place::Out {
            place
        } else {
            inherited
        });
    }
    out
}

/// What the region of the article is chosen by.
struct Region<'a> {
    page: &'a Page,
    /// Prose of each container that was not left out.
    kept: &'a [usize],
    /// Blocks of each container that must stay.
    guards: &'a [usize],
    /// The container of the title.
    title: Option<usize>,
    named: bool,
    incident: bool,
}

impl Region<'_> {
    /// The containers of the article: bodies that their names call so, the one `article` that holds
    /// the title, or the smallest element that holds nearly all of the text.
    fn chosen(&self) -> Vec<bool> {
        let containers = &self.page.containers;
        let kept = self.kept;
        let all = kept.first().copied().unwrap_or(0);
        let mut inside = vec![false; containers.len()];
        let (mut bodies, mut guards) = (0, 0);
        for (i, container) in containers.iter().enumerate() {
            let around = container.parent.is_some_and(|p| inside[p]);
            inside[i] = around || container.role == Role::Body;
            if inside[i] && !around {
                bodies += kept[i];
                guards += self.guards[i];
            }
        }
        let whole = !self.incident || guards == self.guards.first().copied().unwrap_or(0);
        if bodies * 2 > all && whole {
            if let (true, Some(title)) = (self.incident, self.title) {
                inside[title] = true;
            }
            return inside;
        }
        let title: Vec<usize> = around(self.page, self.title).collect();
        let article = title
            .iter()
            .copied()
            .find(|c| containers[*c].tag == Tag::Article);
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); containers.len()];
        for (i, container) in containers.iter().enumerate() {
            if let Some(parent) = container.parent {
                children[parent].push(i);
            }
        }
        let mut at = article
            .filter(|a| kept[*a] * 5 > all || self.named && kept[*a] > 300)
            .unwrap_or(0);
        while let Some(next) = children[at].iter().copied().max_by_key(|c| kept[*c]) {
            let loses = self.incident
                && (self.guards[next] < self.guards[at]
                    || title.contains(&at) && !title.contains(&next));
            let listed = matches!(containers[next].tag, Tag::List | Tag::Table);
            if kept[next] * 5 < kept[at] * 4 || kept[next] == 0 || listed || loses {
                break;
            }
            at = next;
        }
        for (i, container) in containers.iter().enumerate() {
            inside[i] = i == at || container.parent.is_some_and(|p| inside[p]);
        }
        inside
    }
}

/// A container and those around it, from the inside out.
fn around(page: &Page, from: Option<usize>) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(from, |c| page.containers[*c].parent)
}
