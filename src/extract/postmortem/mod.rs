//! Postmortems of any site: title, organisation, dates, sections, events, durations, action items.
//!
//! Everything found is a suggestion with the place it stands at. What a page does not say stays absent.

mod actions;
mod draft;
mod events;
mod facts;
mod headings;
mod identity;
mod impact;
mod known;
mod marks;
mod nature;
mod organisation;
mod parts;
mod published;
mod terms;
mod times;

use std::ops::Range;

use chrono::NaiveDate;
use serde::Serialize;

pub use facts::{PageFact, PageFacts};
pub use nature::Nature;
pub(super) use parts::{Part, page_of};
pub use terms::Suggestion;
pub(crate) use terms::TermFinder;

use super::main_text::{Finder, Layout, Place};
use super::{Draft, Evidence, Lexicon};
use crate::finding::Finding;
use crate::model::PageKind;
use crate::read::{Block, BlockKind, Page};
use crate::time::{Day, Scan};
use crate::vocabulary::{Language, PageLabel, SectionKind};

/// A value that a page tells, and where.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Told {
    /// The value, normalized as far as the page allows.
    pub value: String,
    /// Where it stands.
    pub evidence: Evidence,
    /// How the value follows from the place: `stated`, or how it was derived.
    pub basis: &'static str,
}

/// A section of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// What it tells.
    pub kind: SectionKind,
    /// Its heading or label as the page writes it.
    pub heading: String,
    /// Its text.
    pub text: String,
    /// Where its heading stands.
    pub evidence: Evidence,
}

/// A thing that a list of a page names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub evidence: Evidence,
}

/// An event of a timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// Its local time, `2024-07-30T14:45`, where the day is known.
    pub local: Option<String>,
    /// Its instant, where day and zone are known (RFC 3339).
    pub instant: Option<String>,
    /// What is missing to make it an instant, or makes it ambiguous.
    pub doubt: Option<&'static str>,
    /// What happened.
    pub text: String,
    /// Where it stands.
    pub evidence: Evidence,
}

/// What a postmortem page tells.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Story {
    /// What the page is.
    pub nature: Nature,
    /// The language of its text.
    pub language: Option<Told>,
    /// The organisation whose incident it is.
    pub org: Option<Told>,
    /// Its title.
    pub title: Option<Told>,
    /// The local day the impact began.
    pub incident_date: Option<Told>,
    /// The day it was published.
    pub published: Option<Told>,
    /// Local time at which the impact began.
    pub start: Option<Told>,
    /// Local time at which it was over.
    pub end: Option<Told>,
    /// From the start to the detection.
    pub detected_after: Option<Told>,
    /// From the start to the end.
    pub resolved_after: Option<Told>,
    /// The severity the page gives.
    pub severity: Option<Told>,
    /// Terms of the vocabulary that the page names.
    pub suggestions: Vec<Suggestion>,
    /// Its sections.
    pub sections: Vec<Section>,
    /// What is to be done.
    pub action_items: Vec<Entry>,
    /// Events in order of time.
    pub timeline: Vec<Event>,
    /// The main text, block by block.
    pub text: String,
    /// What a curator has to know of the page.
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

/// What came of reading a page as a postmortem.
#[derive(Debug, Clone)]
pub(super) struct Telling {
    /// What it tells.
    pub(super) story: Story,
    /// The same as claims for the fields of a record, where the page tells of an incident.
    pub(super) draft: Option<Draft>,
    /// What it can be compared by with cases in other languages; empty where no one asked for it.
    pub(super) facts: PageFacts,
    /// The parts of a page that tells of several incidents.
    pub(super) parts: Vec<Part>,
}

/// What is asked of a page beside its story.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    /// Someone says that it is a postmortem, whatever its title.
    pub(super) is_postmortem: bool,
    /// Its facts.
    pub(super) facts: bool,
}

/// Reads a page as a postmortem.
pub(super) fn read_postmortem(page: &Page, cx: &Lexicon, asked: Asked) -> Telling {
    let reader = Reader::new(page, cx);
    let mut story = Story {
        text: reader.text(),
        language: identity::language(&reader),
        ..Story::default()
    };
    story.title = identity::title(&reader);
    story.nature = nature::nature(&reader, story.title.as_ref().map(|t| t.value.as_str()));
    let parts = parts::parts(&reader);
    story.findings = nature::findings(&reader, &story, &parts);
    story.published = published::published(&reader);
    let mut facts = PageFacts::default();
    if matches!(story.nature, Nature::Wall | Nature::Empty) {
        // Whatever such a page names is not about an incident.
        let draft = None;
        return Telling {
            story,
            draft,
            facts,
            parts,
        };
    }
    let published = story.published.as_ref().and_then(|p| p.value.parse().ok());
    let title = story.title.as_ref().map(|t| t.value.as_str());
    let known = known::Known::new(&reader, published, title);
    tell(&reader, &known, &mut story);
    if asked.facts {
        facts = facts::page_facts(&reader, &known);
    }
    let draft = draft::draft(&reader, &story, asked.is_postmortem);
    Telling {
        story,
        draft,
        facts,
        parts,
    }
}

/// Fills in what a page tells of its incident.
fn tell(reader: &Reader, known: &known::Known, story: &mut Story) {
    story.org = organisation::organisation(reader);
    story.severity = identity::severity(reader);
    story.suggestions = terms::suggestions(reader);
    story.sections = reader.sections();
    story.action_items = actions::action_items(reader);
    let events = events::events(reader, known);
    if story.nature != Nature::Maintenance {
        times::read_times(reader, known, &events, story);
    }
    if day_of_incident_alone(reader, story) {
        story.published = None;
    }
    let has_timeline = story
        .sections
        .iter()
        .any(|s| s.kind == SectionKind::Timeline);
    if let (false, Some(first)) = (has_timeline || events.list.len() < 2, events.list.first()) {
        // Dated entries without a heading are a timeline too.
        story.sections.push(Section {
            kind: SectionKind::Timeline,
            heading: String::new(),
            text: events
                .list
                .iter()
                .map(|e| e.event.evidence.quote.as_str())
                .collect::<Vec<_>>()
                .join("\n"),
            evidence: first.event.evidence.clone(),
        });
    }
    story.timeline = events.list.into_iter().map(|e| e.event).collect();
}

/// Whether the day taken for that of publication is a bare line which gives the day of the incident: as much as a
/// headline, and no word says that it is when the page was published.
fn day_of_incident_alone(reader: &Reader, story: &Story) -> bool {
    let (Some(published), Some(incident)) = (&story.published, &story.incident_date) else {
        return false;
    };
    let bare = |(i, block): (usize, &Block)| {
        let whole = block.text.trim() == published.evidence.quote.trim();
        whole && reader.evidence(i, 0..1).position == published.evidence.position
    };
    published.value == incident.value && reader.blocks().any(bare)
}

/// A page with what is needed to read it as a postmortem.
struct Reader<'a> {
    page: &'a Page,
    cx: &'a Lexicon,
    /// The blocks of the main text, by index in the page.
    main: Vec<usize>,
    /// Where each block of the page stands.
    layout: Layout,
    /// The language that times and headings are read by.
    language: String,
    /// Labels of sections in order.
    labels: Vec<headings::Label>,
    /// The section that each block stands in.
    sections: Vec<Option<SectionKind>>,
    /// The times of each block; absent for furniture and code.
    scans: Vec<Option<Scan<'a>>>,
}

impl<'a> Reader<'a> {
    fn new(page: &'a Page, cx: &'a Lexicon) -> Self {
        let layout = Finder::of(page, cx).layout(page);
        let main: Vec<usize> = (0..page.blocks.len())
            .filter(|i| layout.places[*i] != Place::Out)
            .collect();
        let mut reader = Self {
            page,
            cx,
            main,
            layout,
            language: "en".to_owned(),
            labels: Vec::new(),
            sections: Vec::new(),
            scans: Vec::new(),
        };
        reader.language = identity::language_tag(&reader);
        reader.labels = headings::labels(&reader);
        reader.sections = headings::sections(&reader.labels, page.blocks.len());
        reader.scans = page
            .blocks
            .iter()
            .zip(&reader.layout.places)
            .map(|(b, place)| {
                let reads = *place != Place::Out && b.kind != BlockKind::Preformatted;
                reads.then(|| cx.times.scan(&b.text, &reader.language))
            })
            .collect();
        reader.settle_days();
        reader
    }

    /// Days whose order of numbers is open are those near the days that are not.
    fn settle_days(&mut self) {
        let days = self.scans.iter().flatten().flat_map(Scan::days);
        let full = days.filter_map(|(_, day)| match day {
            Day::Full(day) => Some(day),
            _ => None,
        });
        let mut known: Vec<NaiveDate> = full.chain(day_in_name(&self.page.file)).collect();
        known.sort_unstable();
        known.dedup();
        for scan in self.scans.iter_mut().flatten() {
            scan.settle_days(&known);
        }
    }

    fn block(&self, i: usize) -> &'a Block {
        &self.page.blocks[i]
    }

    /// The languages, the page's own first.
    fn languages(&self) -> impl Iterator<Item = &'a Language> + '_ {
        let languages = &self.cx.languages;
        let own = languages.find(&self.language).into_iter();
        own.chain(languages.iter().filter(|l| l.language != self.language))
    }

    /// Words of page labels, the page's own language first.
    fn words(&self, label: PageLabel) -> impl Iterator<Item = &'a String> + '_ {
        let all = self.languages();
        all.filter_map(move |l| l.postmortem.labels.get(&label))
            .flatten()
    }

    /// The times of a block of the main text.
    fn scan(&self, i: usize) -> Option<&Scan<'a>> {
        self.scans.get(i)?.as_ref()
    }

    /// The blocks of the main text.
    fn blocks(&self) -> impl Iterator<Item = (usize, &'a Block)> + '_ {
        self.main.iter().map(|i| (*i, &self.page.blocks[*i]))
    }

    /// The main text.
    fn text(&self) -> String {
        let mut text = String::new();
        for (i, block) in self.blocks() {
            if self.layout.places[i] == Place::Main {
                text.push_str(&block.text);
                text.push('\n');
            }
        }
        text
    }

    fn evidence(&self, block: usize, range: Range<usize>) -> Evidence {
        let block = self.block(block);
        let source = block.source_range(range.clone());
        self.evidence_of_source(&source, block.text.get(range).unwrap_or_default())
    }

    /// Evidence of a range of the decoded source.
    fn evidence_of_source(&self, source: &Range<usize>, quote: &str) -> Evidence {
        Evidence {
            file: self.page.file.clone(),
            position: Some(self.page.decoded.position(source.start)),
            span: self.page.decoded.raw_range(source),
            quote: quote.to_owned(),
            extractor: PageKind::Postmortem,
        }
    }

    fn told(
        &self,
        block: usize,
        range: Range<usize>,
        value: impl Into<String>,
        basis: &'static str,
    ) -> Told {
        Told {
            value: value.into(),
            evidence: self.evidence(block, range),
            basis,
        }
    }

    /// The block of the main text before a block.
    fn before(&self, block: usize) -> Option<&'a Block> {
        let at = self.main.partition_point(|i| *i < block);
        Some(self.block(self.main[at.checked_sub(1)?]))
    }

    /// The blocks of the main text after a block.
    fn after(&self, block: usize) -> impl Iterator<Item = (usize, &'a Block)> + '_ {
        let at = self.main.partition_point(|i| *i <= block);
        self.main[at..].iter().map(|i| (*i, &self.page.blocks[*i]))
    }

    /// Whether a block tells of the incident: no code, nothing to be done, nothing learned.
    fn is_story(&self, i: usize) -> bool {
        let aside = matches!(
            self.section_of(i),
            Some(SectionKind::ActionItems | SectionKind::Lessons)
        );
        !aside && self.block(i).kind != BlockKind::Preformatted
    }

    /// Whether a short block says when the page, or an update on it, was published.
    fn is_byline(&self, block: &Block) -> bool {
        let text = block.text.trim_start();
        let head = &text[..text.floor_char_boundary(24)];
        text.chars().count() < 80 && self.says_published(&head.to_lowercase())
    }

    /// Whether a text in lower case starts with a word for publication.
    fn says_published(&self, lower: &str) -> bool {
        let mut words = self.words(PageLabel::Published);
        words.any(|w| lower.starts_with(w.as_str()))
    }

    /// Whether a text ends with a word for an update: "(Update 23-April-2025)" is when a page was written on.
    fn is_update(&self, before: &str) -> bool {
        let lower = before.trim_end().to_lowercase();
        let mut words = self.words(PageLabel::Updated);
        words.any(|w| lower.ends_with(w.as_str()))
    }

    /// The section a block stands in: the kind of the nearest label that reaches it.
    fn section_of(&self, block: usize) -> Option<SectionKind> {
        self.sections.get(block).copied().flatten()
    }

    fn sections(&self) -> Vec<Section> {
        let mut out = Vec::new();
        for label in &self.labels {
            let heading = self.block(label.block);
            let mut text = heading.text[label.text.end.min(heading.text.len())..]
                .trim_start_matches([':', ' ', '：'])
                .to_owned();
            for (_, block) in self.after(label.block).take_while(|(i, _)| *i < label.end) {
                if !matches!(block.kind, BlockKind::Heading(_)) {
                    if !text.is_empty() {
                        text.push('\n');
                    }
                    text.push_str(&block.text);
                }
            }
            out.push(Section {
                kind: label.kind,
                heading: heading.text[label.text.clone()].to_owned(),
                text,
                evidence: self.evidence(label.block, label.text.clone()),
            });
        }
        out
    }
}

/// A day in the name of the file or in the address of the page.
fn day_in_name(name: &str) -> Option<NaiveDate> {
    let digits: Vec<&str> = name
        .split(|c: char| !c.is_ascii_digit())
        .filter(|p| !p.is_empty())
        .collect();
    let compact = digits.iter().filter(|d| d.len() == 8).find_map(|d| {
        let number = |range: Range<usize>| d[range].parse::<u32>().ok();
        let year = number(0..4).filter(|y| (1990..2100).contains(y))?;
        NaiveDate::from_ymd_opt(year.cast_signed(), number(4..6)?, number(6..8)?)
    });
    let parts = digits.windows(3).find_map(|w| {
        let [year, month, day] = [w[0], w[1], w[2]];
        let shape = year.len() == 4 && month.len() <= 2 && day.len() <= 2;
        let year: i32 = year
            .parse()
            .ok()
            .filter(|y| shape && (1990..2100).contains(y))?;
        NaiveDate::from_ymd_opt(year, month.parse().ok()?, day.parse().ok()?)
    });
    parts.or(compact)
}
