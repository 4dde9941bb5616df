//! The whole line for one case: its raw pages are read, extracted, normalized, merged with its record,
//! and the result is checked. Nothing is written here; the caller gets what should be written.

mod adopt;
mod evidence;
mod postmortem;

use std::collections::BTreeMap;

pub use adopt::{Adopted, Adoption, Intake, NewPage, Recognized, adopt, next_id};
pub use evidence::{FactSupport, Support, facts_for, support_for};

use crate::check::{Context, RawFolder, check_raw, check_record};
use crate::extract::{
    Extracted, Given, Nature, PageFacts, SimilarCase, Story, Suggestion, extract_given,
};
use crate::finding::{Finding, Level, Pointer};
use crate::library::Library;
use crate::merge::{self, Merged, merge};
use crate::model::{Case, CaseId, PageKind, RawPage, ReviewState, Source};
use crate::normalize::{Proposal, normalize};
use crate::read::{LARGEST_PAGE, read_record};
use crate::recognize::{CaseFacts, Seen, contradictions};

/// One raw page on its way through the stages.
#[derive(Debug, Clone)]
pub struct PageRun {
    /// Its path in the library.
    pub file: String,
    /// Where it was saved from.
    pub url: Option<String>,
    /// Length in bytes.
    pub length: usize,
    /// Media type.
    pub media: &'static str,
    /// Character set.
    pub encoding: &'static str,
    /// Blocks of text, where it is no JSON.
    pub blocks: usize,
    /// What it is.
    pub kind: Option<PageKind>,
    /// What it says, when an extractor read it and it is about this case.
    pub proposal: Option<Proposal>,
    /// What it tells as a postmortem.
    pub story: Option<Box<Story>>,
    /// What a postmortem can be compared by with records in other languages.
    pub facts: PageFacts,
    /// The headings of the incidents that it tells of, where they are several and no one of them was meant.
    pub parts: Vec<String>,
    /// It comes into the library by this run.
    pub new: bool,
    /// What was wrong with it.
    pub findings: Vec<Finding>,
}

/// One case on its way through the stages.
#[derive(Debug, Clone)]
pub struct CaseRun {
    /// The case.
    pub id: CaseId,
    /// Its raw pages, in the order of the manifest.
    pub pages: Vec<PageRun>,
    /// What was filled and what differs.
    pub merged: Merged,
    /// The record's file.
    pub file: String,
    /// The text of the record as it stands; absent when there is none.
    pub before: Option<String>,
    /// The text it should have; absent when nothing can be written.
    pub after: Option<String>,
    /// What the check says about the record as it should be.
    pub checked: Vec<Finding>,
}

impl CaseRun {
    /// Whether the record has to be written.
    pub fn writes(&self) -> bool {
        self.after.is_some() && self.after != self.before
    }

    /// Everything that was found on the way, located, in the order of the stages.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        let pages = self.pages.iter().flat_map(|p| &p.findings);
        pages.chain(&self.merged.findings).chain(&self.checked)
    }

    /// The terms that its postmortems name.
    pub fn suggestions(&self) -> impl Iterator<Item = &Suggestion> {
        let stories = self.pages.iter().filter_map(|p| p.story.as_deref());
        stories.flat_map(|story| &story.suggestions)
    }

    /// The cases that its pages call similar, each once.
    pub fn similar(&self) -> Vec<&SimilarCase> {
        let mut out: Vec<&SimilarCase> = Vec::new();
        for page in self.pages.iter().filter_map(|p| p.proposal.as_ref()) {
            for similar in &page.similar {
                if !out.iter().any(|known| known.id == similar.id) {
                    out.push(similar);
                }
            }
        }
        out
    }
}

/// What is known of a page before it is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// Where it was saved from.
    pub url: Option<&'a str>,
    /// What it is; without it the page itself decides.
    pub kind: Option<PageKind>,
    /// The character set that the server named.
    pub charset: Option<&'a str>,
    /// The heading of the part that is meant, where it tells of several incidents.
    pub part: Option<&'a str>,
    /// What kind of source it is, when a curator says.
    pub source_kind: Option<&'a str>,
    /// The case it should be about.
    pub id: Option<&'a CaseId>,
}

/// What a run does beyond the usual.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Related cases that pages compute are written into `related`, for an editor to choose from.
    pub with_related: bool,
    /// Terms that a postmortem suggests are filled in where the record has none.
    pub with_terms: bool,
}

/// Takes a page through reading, extracting and normalizing.
pub fn run_page(
    library: &Library,
    file: &str,
    bytes: &[u8],
    about: About,
    options: Options,
) -> PageRun {
    let given = Given {
        kind: about.kind,
        charset: about.charset,
        part: about.part,
        facts: true,
    };
    let extracted = extract_given(file, bytes, given, &library.lexicon);
    let encoding = extracted.encoding();
    let Extracted {
        mut draft,
        story,
        facts,
        parts,
        kind,
        media,
        page,
        mut findings,
    } = extracted;
    if let (Some(draft), Some(story)) = (&mut draft, &story) {
        findings.extend(postmortem::keep_languages(draft, library));
        postmortem::claim_source(draft, story, about, library);
        if options.with_terms {
            postmortem::claim_terms(draft, story, library);
        }
    }
    let mut proposal = draft.map(|draft| {
        let mut proposal = normalize(&draft, &library.settings.org_aliases, &library.lexicon);
        findings.append(&mut proposal.findings);
        proposal
    });
    let told = proposal.as_ref().and_then(|p| p.case.id.clone());
    if let (Some(id), Some(told)) = (about.id, told)
        && *id != told
    {
        let message = format!(
            "this page is about {told}, but it lies with the pages of {id}; it is not merged"
        );
        let help = format!("move it to raw/{told}/ with its entry in sources.json");
        findings.push(Finding::new("page-id-differs", Level::Error, file, message).help(help));
        proposal = None;
    }
    let text = page.as_ref().map_or("", |p| &p.decoded.text);
    findings.iter_mut().for_each(|f| f.locate_in(text));
    PageRun {
        file: file.to_owned(),
        url: about.url.map(str::to_owned),
        length: bytes.len(),
        media: media.as_str(),
        encoding,
        blocks: page.as_ref().map_or(0, |p| p.blocks.len()),
        kind,
        proposal,
        story: story.map(Box::new),
        facts,
        parts,
        new: false,
        findings,
    }
}

impl PageRun {
    /// The page as it is compared with cases; `None` for what can tell of no incident.
    pub fn seen(&self) -> Option<Seen<'_>> {
        let story = self.story.as_deref()?;
        let tells = matches!(story.nature, Nature::Incident | Nature::Other);
        tells.then(|| Seen::new(story, &self.facts, self.url.as_deref()))
    }
}

/// Reads every listed page of a raw folder. Pages that are new and not on disk yet are taken from
/// `new`, by path.
pub fn run_pages(
    library: &Library,
    folder: &RawFolder,
    id: &CaseId,
    new: &BTreeMap<String, PageRun>,
    options: Options,
) -> Vec<PageRun> {
    let pages = folder
        .manifest()
        .map_or(&[][..], |(_, manifest)| &manifest.pages);
    pages
        .iter()
        .filter(|page| folder.files.iter().any(|f| f.name == page.file))
        .map(|page| {
            let file = format!("{}/{}", folder.path, page.file);
            if let Some(run) = new.get(&file) {
                return run.clone();
            }
            match library.read_file(&file, LARGEST_PAGE) {
                Ok(bytes) => {
                    let about = About {
                        url: page.url.as_deref(),
                        kind: Some(page.kind),
                        charset: page.charset(),
                        part: page.part.as_deref(),
                        source_kind: None,
                        id: Some(id),
                    };
                    run_page(library, &file, &bytes, about, options)
                }
                Err(finding) => unread_page(file, page, finding),
            }
        })
        .collect()
}

fn unread_page(file: String, page: &RawPage, finding: Finding) -> PageRun {
    PageRun {
        file,
        url: page.url.clone(),
        length: 0,
        media: "unread",
        encoding: "none",
        blocks: 0,
        kind: Some(page.kind),
        proposal: None,
        story: None,
        facts: PageFacts::default(),
        parts: Vec::new(),
        new: false,
        findings: vec![finding],
    }
}

/// Merges what the pages say into the record and checks the result.
pub fn run_case(
    id: &CaseId,
    mut pages: Vec<PageRun>,
    folder: Option<&RawFolder>,
    options: Options,
    cx: &Context<'_>,
) -> CaseRun {
    let record = cx.record(id);
    let proposals: Vec<Proposal> = pages
        .iter()
        .filter_map(|page| {
            let known = !page.new;
            page.proposal.clone().map(|p| Proposal { known, ..p })
        })
        .collect();
    let state = record.map(|r| ReviewState::of(&r.case, &cx.policy.reviewers));
    let merging = merge::Options {
        reviewed: state == Some(ReviewState::Reviewed),
        with_related: options.with_related,
    };
    let mut merged = merge(record.map(|r| &r.case), &proposals, merging);
    report_contradictions(&mut pages, id, &merged.case, cx);
    let file = format!("normalized/{id}.json");
    let before = record.map(|r| r.text.clone());
    let untouched = record.is_some_and(|r| merged.case == r.case || r.has_duplicate_keys);
    let after = if untouched {
        before.clone()
    } else if record.is_none() && pages.iter().all(is_useless) {
        None
    } else {
        merged.case.id.get_or_insert_with(|| id.clone());
        if record.is_none() {
            complete_new(&mut merged.case, &pages);
        }
        Some(merged.case.print())
    };
    let mut checked = folder.map_or(Vec::new(), |folder| check_raw(folder, cx));
    // The record that this run makes is not in the index yet.
    checked.retain(|f| f.rule != "raw-without-record" || after.is_none());
    if let Some(text) = &after {
        let (record, findings) = read_record(&file, text.clone().into_bytes());
        checked.extend(findings);
        checked.extend(record.iter().flat_map(|r| check_record(r, cx)));
    }
    checked = cx.policy.apply_levels(checked);
    checked.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    CaseRun {
        id: id.clone(),
        pages,
        merged,
        file,
        before,
        after,
        checked,
    }
}

/// Adds to each postmortem what it tells otherwise than the record.
fn report_contradictions(pages: &mut [PageRun], id: &CaseId, case: &Case, cx: &Context<'_>) {
    let tells = |page: &PageRun| page.proposal.is_some() && !page.facts.facts.is_empty();
    if !pages.iter().any(tells) {
        return;
    }
    let case = CaseFacts::of(id.clone(), case, cx.lexicon);
    for page in pages.iter_mut().filter(|page| tells(page)) {
        let found = contradictions(&page.file, &page.facts.facts, &case);
        page.findings.extend(found);
    }
}

/// A page that tells nothing and is no evidence either.
fn is_useless(page: &PageRun) -> bool {
    page.proposal.is_none() && page.kind != Some(PageKind::Postmortem)
}

/// A record that did not exist before says whose text it holds: a program's, until a person edits it.
/// A postmortem is a source even before its text is understood.
fn complete_new(case: &mut Case, pages: &[PageRun]) {
    if case.review.written_by.is_none() {
        case.review.written_by = Some("session".to_owned());
    }
    if case.sources.is_empty() {
        let postmortems = pages
            .iter()
            .filter(|p| p.kind == Some(PageKind::Postmortem));
        case.sources.extend(
            postmortems
                .filter_map(|page| page.url.clone())
                .map(Source::at),
        );
    }
}

/// A pointer as people type it: `/timeline/resolved_after` or `timeline.resolved_after`.
pub fn pointer_from_words(text: &str) -> Pointer {
    let text = text.trim();
    if text.is_empty() || text.starts_with('/') {
        return Pointer::new(text.trim_end_matches('/'));
    }
    text.split(['.', '/'])
        .fold(Pointer::default(), |at, token| at.child(token))
}
