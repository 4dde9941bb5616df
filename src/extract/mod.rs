//! Pages to drafts: what each raw page claims, and where it claims it. Decides nothing.
//!
//! A draft keeps the page's own words: `High latency`, not `high-latency`. It is not a record and
//! cannot be saved as one.

mod api_record;
mod case_page;
mod main_text;
mod postmortem;
mod section_words;

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

use crate::facts::FactReader;
use crate::finding::{Finding, Level, Place, Pointer, Position};
use crate::model::{CaseId, LanguageTag, PageKind};
use crate::read::{self, Media, Page};
use crate::time::TimeReader;
use crate::vocabulary::{
    Languages, Organisations, Vocabulary, builtin_languages, builtin_organisations,
    builtin_vocabulary,
};
use main_text::PageWords;
pub use main_text::{MainBlock, main_blocks};
use postmortem::{Asked, Part, TermFinder, page_of, read_postmortem};
pub use postmortem::{Entry, Event, Nature, PageFact, PageFacts, Section, Story, Suggestion, Told};
use section_words::SectionWords;

/// Everything that pages are read by: terms, the words of each language, the shapes of days.
#[derive(Debug, Clone)]
pub struct Lexicon {
    /// Controlled lists.
    pub vocabulary: Vocabulary,
    /// Words by language.
    pub languages: Languages,
    /// Organisations that pages name.
    pub organisations: Organisations,
    /// Finds days, times and durations in text.
    pub times: TimeReader,
    /// Finds what texts of different languages tell alike.
    pub facts: FactReader,
    /// Headings of sections.
    pub(crate) section_words: SectionWords,
    /// What opens the part beside an article, what names an incident.
    pub(crate) page_words: PageWords,
    /// Finds the terms that a text names.
    pub(crate) terms: TermFinder,
}

impl Lexicon {
    /// Puts vocabulary and languages together.
    pub fn new(vocabulary: Vocabulary, languages: Languages, organisations: Organisations) -> Self {
        let times = TimeReader::new(&languages);
        let facts = FactReader::new(&languages);
        let section_words = SectionWords::new(&languages);
        let page_words = PageWords::new(&languages);
        let terms = TermFinder::new(&vocabulary);
        Self {
            vocabulary,
            languages,
            organisations,
            times,
            facts,
            section_words,
            page_words,
            terms,
        }
    }

    /// What is compiled in.
    pub fn builtin() -> Self {
        Self::new(
            builtin_vocabulary(),
            builtin_languages(),
            builtin_organisations(),
        )
    }
}

/// Where a value came from: the position and quote selectors of the W3C Web Annotation model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The raw file, relative to the library.
    pub file: String,
    /// The bytes of the raw file.
    pub span: Range<usize>,
    /// Line and column where it starts; of a PDF the page and the line on it.
    pub position: Option<Position>,
    /// The text that stands there, without markup.
    pub quote: String,
    /// The extractor that read it.
    pub extractor: PageKind,
}

impl Evidence {
    /// The same finding at this place.
    pub(crate) fn locate(&self, mut finding: Finding) -> Finding {
        finding.position = self.position;
        finding.at(Place::Bytes(self.span.clone()))
    }
}

/// One value that a page claims for a field of the record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// The field, as a pointer into a record; items of a list in the page's order.
    #[serde(serialize_with = "as_text")]
    pub pointer: Pointer,
    /// What the page says, in its own words; `null` where it says that there is nothing.
    pub value: Value,
    /// Where it says so.
    pub evidence: Evidence,
    /// How the value follows from the place, where it does not simply stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<String>,
}

/// Another case that a case page calls similar or related.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SimilarCase {
    /// Its id.
    #[serde(serialize_with = "as_text")]
    pub id: CaseId,
    /// Its title.
    pub title: String,
    /// Its organisation, where it can be told from the title.
    pub org: Option<String>,
    /// The year it happened.
    pub year: Option<i32>,
    /// Why it is similar, as the page says it. A related case without a reason was chosen by an editor.
    pub reason: Option<String>,
    /// Whether the reason names the same root cause.
    pub same_root_cause: bool,
    /// Labels of the terms that the reason says both share.
    pub shared: Vec<String>,
    /// Where the page says so.
    pub evidence: Evidence,
}

/// What one raw page claims, field by field.
#[derive(Debug, Clone, Serialize)]
pub struct Draft {
    /// The raw file, relative to the library.
    pub file: String,
    /// Which extractor read it.
    pub kind: PageKind,
    /// The language of its text; absent when it holds several.
    #[serde(serialize_with = "as_optional_text")]
    pub language: Option<LanguageTag>,
    /// The case it says it is about.
    #[serde(serialize_with = "as_optional_text")]
    pub id: Option<CaseId>,
    /// The claims in the order of the page.
    pub claims: Vec<Claim>,
    /// The cases it calls similar.
    pub similar: Vec<SimilarCase>,
    /// Addresses it offers to programs.
    pub program_links: Vec<String>,
    /// The page itself where it is JSON, so that no member of it is lost, whatever its shape.
    #[serde(skip)]
    pub document: Option<Value>,
    /// What could not be read.
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl Draft {
    fn new(file: &str, kind: PageKind) -> Self {
        Self {
            file: file.to_owned(),
            kind,
            language: None,
            id: None,
            claims: Vec::new(),
            similar: Vec::new(),
            program_links: Vec::new(),
            document: None,
            findings: Vec::new(),
        }
    }
}

fn as_text<T: std::fmt::Display, S: serde::Serializer>(value: &T, s: S) -> Result<S::Ok, S::Error> {
    s.collect_str(value)
}

fn as_optional_text<T: std::fmt::Display, S: serde::Serializer>(
    value: &Option<T>,
    s: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => s.collect_str(value),
        None => s.serialize_none(),
    }
}

/// A raw page with what was found out about it on the way to its draft.
#[derive(Debug, Clone)]
pub struct Extracted {
    /// The draft, when some extractor knows this kind of page.
    pub draft: Option<Draft>,
    /// What it tells as a postmortem, when it is no record and no case page.
    pub story: Option<Story>,
    /// What such a page can be compared by with cases in other languages; empty where no one asked for it.
    pub facts: PageFacts,
    /// The headings of the incidents that it tells of, where they are several and no one of them was meant.
    pub parts: Vec<String>,
    /// What the page is.
    pub kind: Option<PageKind>,
    /// Its media type.
    pub media: Media,
    /// The page as it was read; absent where there was nothing to read.
    pub page: Option<Page>,
    /// What was wrong with reading it.
    pub findings: Vec<Finding>,
}

impl Extracted {
    /// Its character set.
    pub fn encoding(&self) -> &'static str {
        self.page.as_ref().map_or("none", |p| p.decoded.encoding)
    }

    /// The text as decoded; findings are located in it.
    pub fn text(&self) -> &str {
        self.page.as_ref().map_or("", |p| &p.decoded.text)
    }
}

/// What is known of a page before it is read, and what is asked of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'a> {
    /// The kind that the manifest names; without it the page itself decides.
    pub kind: Option<PageKind>,
    /// The character set that the server named.
    pub charset: Option<&'a str>,
    /// The part of it that is meant, by its heading, where it tells of several incidents.
    pub part: Option<&'a str>,
    /// Whether the facts of a postmortem are wanted.
    pub facts: bool,
}

/// Reads a raw page and extracts its draft. `expected` is the kind that the manifest names; without
/// it the page itself decides.
pub fn extract(file: &str, bytes: &[u8], expected: Option<PageKind>, cx: &Lexicon) -> Extracted {
    let given = Given {
        kind: expected,
        ..Given::default()
    };
    extract_given(file, bytes, given, cx)
}

/// The same, with all that is known of the page.
pub fn extract_given(file: &str, bytes: &[u8], given: Given, cx: &Lexicon) -> Extracted {
    let expected = given.kind;
    let media = Media::guess(file, bytes);
    let (page, mut findings) = read::read_page_as(file, media, bytes, given.charset);
    let Some(page) = page else {
        return Extracted {
            draft: None,
            story: None,
            facts: PageFacts::default(),
            parts: Vec::new(),
            kind: expected,
            media,
            page: None,
            findings,
        };
    };
    let mut draft = match (media, expected) {
        (_, Some(PageKind::Postmortem)) => None,
        (Media::Json, _) => api_record::extract(&page, &mut findings),
        _ => case_page::extract(&page, expected.is_some(), cx, &mut findings),
    };
    let (mut story, mut facts, mut parts) = (None, PageFacts::default(), Vec::new());
    if media != Media::Json && draft.is_none() {
        let asked = Asked {
            is_postmortem: expected == Some(PageKind::Postmortem),
            facts: given.facts,
        };
        let mut told = read_postmortem(&page, cx, asked);
        match given.part {
            None => parts = told.parts.into_iter().map(|part| part.name).collect(),
            Some(wanted) => match told.parts.iter().find(|part| part.name == wanted) {
                Some(part) => told = read_postmortem(&page_of(&page, part), cx, asked),
                None => {
                    findings.push(no_part(file, wanted, &told.parts));
                    told.draft = None;
                }
            },
        }
        findings.append(&mut told.story.findings);
        let postmortem = expected.is_none_or(|kind| kind == PageKind::Postmortem);
        draft = told.draft.filter(|_| postmortem);
        (story, facts) = (Some(told.story), told.facts);
    }
    let kind = draft.as_ref().map(|d| d.kind).or(expected);
    for finding in &mut findings {
        finding.locate_in(&page.decoded.text);
    }
    Extracted {
        draft,
        story,
        facts,
        parts,
        kind,
        media,
        page: Some(page),
        findings,
    }
}

fn no_part(file: &str, wanted: &str, parts: &[Part]) -> Finding {
    let message = format!("the page has no part `{wanted}`");
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    let help = match names.as_slice() {
        [] => "it tells of one incident: leave the part out".to_owned(),
        names => format!("its parts are {}", names.join(", ")),
    };
    Finding::new("part-missing", Level::Error, file, message).help(help)
}
