//! Proposals and the record that stands become one record.
//!
//! What stands in the record wins. Blanks are filled, from the most trusted page first. Sources
//! that contradict the record or each other are findings that show both quotes. A reviewed record is
//! never touched: what a page would add to it is reported.

mod blanks;
mod steps;
mod texts;

use serde_json::Value;

use crate::finding::{Finding, Level, Pointer, shortened};
use crate::model::{Case, PageKind, Source, Term};
use crate::normalize::{Grounds, Proposal, same_address};

/// One value that merging put into the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The field.
    pub pointer: Pointer,
    /// Its new value.
    pub value: Value,
    /// The raw file it came from.
    pub from: String,
}

/// What came of merging.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The record as it should be.
    pub case: Case,
    /// What was filled, in the order of the record's fields.
    pub changes: Vec<Change>,
    /// Contradictions and differences.
    pub findings: Vec<Finding>,
}

/// How to merge.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The record was reviewed and is left as it is.
    pub reviewed: bool,
    /// Related cases that pages compute are written into `related`, for an editor to choose from.
    pub with_related: bool,
}

/// Merges `proposals` into `record`, or into a new record when there is none.
pub fn merge(record: Option<&Case>, proposals: &[Proposal], options: Options) -> Merged {
    let mut order: Vec<&Proposal> = proposals.iter().collect();
    order.sort_by_key(|p| trust(p.kind));
    let mut merger = Merger {
        case: record.cloned().unwrap_or_default(),
        is_new: record.is_none(),
        changes: Vec::new(),
        findings: Vec::new(),
        grounds: order.iter().flat_map(|p| p.grounds.clone()).collect(),
    };
    let mut rest = order.iter();
    if record.is_none()
        && let Some(first) = rest.next()
    {
        merger.start_from(first);
    }
    for proposal in rest {
        merger.take(proposal);
    }
    if options.with_related {
        merger.take_related(&order);
    }
    let Merger {
        mut case,
        mut changes,
        mut findings,
        ..
    } = merger;
    if options.reviewed && !changes.is_empty() {
        findings.extend(changes.iter().map(not_filled));
        changes.clear();
        case = record.cloned().unwrap_or_default();
    }
    Merged {
        case,
        changes,
        findings,
    }
}

/// A record from an API holds both languages and its terms; a page shows a part of it.
fn trust(kind: PageKind) -> u8 {
    match kind {
        PageKind::ApiRecord => 0,
        PageKind::CasePage => 1,
        PageKind::Postmortem => 2,
    }
}

fn not_filled(change: &Change) -> Finding {
    let value = shown(&change.value);
    let message = format!(
        "`{}` would be {value}, but the record is reviewed and stays as it is",
        change.pointer
    );
    Finding::new("reviewed-not-filled", Level::Note, &change.from, message)
        .help("edit the record by hand and have it reviewed again")
}

struct Merger {
    case: Case,
    is_new: bool,
    changes: Vec<Change>,
    findings: Vec<Finding>,
    // What every page says where, so that a contradiction can show both quotes.
    grounds: Vec<Grounds>,
}

impl Merger {
    /// A new record starts as what the most trusted page tells, with whatever fits no type.
    fn start_from(&mut self, page: &Proposal) {
        self.case = page.case.clone();
        self.note_values(&Pointer::default(), &page.case.to_value(), page);
    }

    fn note_values(&mut self, at: &Pointer, value: &Value, page: &Proposal) {
        match value {
            Value::Null => {}
            Value::Object(map) => {
                for (key, child) in map {
                    self.note_values(&at.child(key), child, page);
                }
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                for (i, child) in items.iter().enumerate() {
                    self.note_values(&at.child(i), child, page);
                }
            }
            Value::Array(items) if items.is_empty() => {}
            value => self.change(at.clone(), value.clone(), page),
        }
    }

    fn take(&mut self, page: &Proposal) {
        let told = &page.case;
        let mut case = std::mem::take(&mut self.case);
        self.fill(&mut case.id, &told.id, "/id", page);
        self.merge_text("title", &mut case.title, &told.title, page);
        self.fill(&mut case.org, &told.org, "/org", page);
        self.fill(&mut case.date, &told.date, "/date", page);
        self.fill_term(&mut case.date_kind, &told.date_kind, "/date_kind", page);
        self.fill_set(&mut case.domain, &told.domain, "/domain", page);
        self.fill_term(&mut case.severity, &told.severity, "/severity", page);
        self.fill_term(&mut case.root_cause, &told.root_cause, "/root_cause", page);
        self.fill_set(
            &mut case.contributing,
            &told.contributing,
            "/contributing",
            page,
        );
        self.fill_set(&mut case.components, &told.components, "/components", page);
        self.fill_set(&mut case.symptoms, &told.symptoms, "/symptoms", page);
        self.fill_words(
            &mut case.impact.scope,
            &told.impact.scope,
            "/impact/scope",
            page,
        );
        self.fill_words(
            &mut case.impact.users,
            &told.impact.users,
            "/impact/users",
            page,
        );
        self.fill_words(
            &mut case.impact.region,
            &told.impact.region,
            "/impact/region",
            page,
        );
        let (timeline, tells) = (&mut case.timeline, &told.timeline);
        self.fill(
            &mut timeline.detected_after,
            &tells.detected_after,
            "/timeline/detected_after",
            page,
        );
        self.fill(
            &mut timeline.resolved_after,
            &tells.resolved_after,
            "/timeline/resolved_after",
            page,
        );
        self.merge_text("summary", &mut case.summary, &told.summary, page);
        self.merge_text(
            "symptoms_text",
            &mut case.symptoms_text,
            &told.symptoms_text,
            page,
        );
        self.merge_text("trigger", &mut case.trigger, &told.trigger, page);
        self.merge_text("detection", &mut case.detection, &told.detection, page);
        self.merge_steps(
            "remediation",
            &mut case.remediation,
            &told.remediation,
            page,
        );
        self.merge_steps(
            "action_items",
            &mut case.action_items,
            &told.action_items,
            page,
        );
        self.merge_text("lessons", &mut case.lessons, &told.lessons, page);
        self.fill_sources(&mut case.sources, &told.sources, page);
        self.fill_list(&mut case.docs, &told.docs, "/docs", page);
        self.fill_list(&mut case.related, &told.related, "/related", page);
        self.fill(
            &mut case.recurrence_of,
            &told.recurrence_of,
            "/recurrence_of",
            page,
        );
        let (review, tells) = (&mut case.review, &told.review);
        if self.is_new && review.written_by.is_none() && tells.written_by.is_some() {
            *review = tells.clone();
            self.note_change("/review", Value::Null, page);
        }
        self.keep_unknown(&mut case, told, page);
        self.case = case;
    }

    /// One value: fills a blank, reports a contradiction.
    fn fill<T: Clone + PartialEq + ToString>(
        &mut self,
        here: &mut Option<T>,
        told: &Option<T>,
        pointer: &'static str,
        page: &Proposal,
    ) {
        let Some(told) = told else { return };
        match here {
            None if !self.may_fill(pointer, &told.to_string().into(), page) => {}
            None => {
                *here = Some(told.clone());
                self.note_change(pointer, told.to_string().into(), page);
            }
            Some(here) if here == told => {}
            Some(here) => {
                let here = here.to_string();
                self.contradiction(pointer, &here, &told.to_string(), page);
            }
        }
    }

    /// A term: `unknown` on a page says nothing against a term that stands, and a new record takes
    /// any other page's term over it.
    fn fill_term(
        &mut self,
        here: &mut Option<Term>,
        told: &Option<Term>,
        pointer: &'static str,
        page: &Proposal,
    ) {
        let silent = told.as_ref().is_none_or(Term::is_unknown) && here.is_some();
        if silent {
            return;
        }
        if self.is_new && here.as_ref().is_some_and(Term::is_unknown) {
            *here = None;
        }
        self.fill(here, told, pointer, page);
    }

    /// Words such as the scope of the impact: like a term, and a difference in wording is no
    /// contradiction.
    fn fill_words(
        &mut self,
        here: &mut Option<String>,
        told: &Option<String>,
        pointer: &'static str,
        page: &Proposal,
    ) {
        let Some(told) = told else { return };
        let told_nothing = told == "unknown";
        match here {
            Some(here) if told_nothing || here == told => {}
            Some(here) if here != "unknown" || !self.is_new => {
                let here = here.clone();
                self.difference(pointer, &here, told, page);
            }
            _ if !self.may_fill(pointer, &told.as_str().into(), page) => {}
            _ => {
                *here = Some(told.clone());
                self.note_change(pointer, told.as_str().into(), page);
            }
        }
    }

    /// A set: an empty one is filled whole. Terms that only the page has are reported, for a page
    /// that shows a set shows all of it.
    fn fill_set(
        &mut self,
        here: &mut std::collections::BTreeSet<Term>,
        told: &std::collections::BTreeSet<Term>,
        pointer: &'static str,
        page: &Proposal,
    ) {
        if here.is_empty() && !told.is_empty() {
            let value: Value = told.iter().map(Term::as_str).collect();
            if self.may_fill(pointer, &value, page) {
                here.clone_from(told);
                self.note_change(pointer, value, page);
            }
            return;
        }
        for term in told.difference(here) {
            let message =
                format!("the page also names `{term}`, which is not among the record's terms");
            let mut finding = Finding::new("term-not-in-record", Level::Note, &page.file, message)
                .help(format!(
                    "add it to `{}` if it belongs there",
                    pointer.trim_start_matches('/')
                ));
            if let Some(grounds) = grounds_of(page, pointer, Some(&term.as_str().into())) {
                finding = grounds.evidence.locate(finding);
            }
            self.findings.push(finding);
        }
    }

    fn fill_list<T: Clone + PartialEq>(
        &mut self,
        here: &mut Vec<T>,
        told: &[T],
        pointer: &'static str,
        page: &Proposal,
    ) {
        if here.is_empty() && !told.is_empty() {
            *here = told.to_vec();
            self.note_change(pointer, Value::Null, page);
        }
    }

    /// Sources are known by their address: a known one gets its blanks filled, a new one is added.
    fn fill_sources(&mut self, here: &mut Vec<Source>, told: &[Source], page: &Proposal) {
        for source in told {
            let Some(url) = &source.url else { continue };
            let known = here
                .iter()
                .position(|s| s.url.as_deref().is_some_and(|u| same_address(u, url)));
            match known {
                Some(i) => {
                    let pointer = |name: &str| Pointer::new(format!("/sources/{i}/{name}"));
                    let known = &mut here[i];
                    if known.archived.is_none() && source.archived.is_some() {
                        known.archived.clone_from(&source.archived);
                        self.change(pointer("archived"), text_or_null(&source.archived), page);
                    }
                    match (&known.kind, &source.kind) {
                        (None, Some(kind)) => {
                            known.kind = Some(kind.clone());
                            self.change(pointer("kind"), kind.as_str().into(), page);
                        }
                        (Some(a), Some(b)) if a != b && page.kind != PageKind::Postmortem => {
                            let (a, b) = (a.to_string(), b.to_string());
                            self.contradiction(pointer("kind").as_str(), &a, &b, page);
                        }
                        _ => {}
                    }
                }
                None => {
                    let pointer = format!("/sources/{}", here.len());
                    if self.may_fill(&pointer, &url.as_str().into(), page) {
                        self.change(Pointer::new(pointer), url.as_str().into(), page);
                        here.push(source.clone());
                    }
                }
            }
        }
    }

    /// Members that the contract does not have are kept on a new record, where the check reports them.
    fn keep_unknown(&mut self, case: &mut Case, told: &Case, page: &Proposal) {
        for (key, value) in told.extra() {
            if self.is_new && !case.extra().contains_key(key) {
                case.keep_extra(key.clone(), value.clone());
                self.change(Pointer::default().child(key), value.clone(), page);
            }
        }
    }

    fn take_related(&mut self, pages: &[&Proposal]) {
        for page in pages {
            for similar in &page.similar {
                let own = self.case.id.as_ref() == Some(&similar.id);
                if !own && !self.case.related.contains(&similar.id) {
                    self.case.related.push(similar.id.clone());
                    self.change(
                        Pointer::new("/related"),
                        similar.id.to_string().into(),
                        page,
                    );
                }
            }
        }
    }

    fn note_change(&mut self, pointer: &str, value: Value, page: &Proposal) {
        self.change(Pointer::new(pointer), value, page);
    }

    fn change(&mut self, pointer: Pointer, value: Value, page: &Proposal) {
        self.changes.push(Change {
            pointer,
            value,
            from: page.file.clone(),
        });
    }

    /// The record (or the page that filled it) and this page say different things.
    fn contradiction(&mut self, pointer: &str, here: &str, told: &str, page: &Proposal) {
        let other = self.grounds.iter().find(|g| {
            let same = g.value.as_str() == Some(here) && g.pointer.as_str() == pointer;
            same && g.evidence.file != page.file
        });
        let there = match other {
            Some(g) => {
                let quote = first_words(&g.evidence.quote);
                format!("{} has `{here}` (“{quote}”)", g.evidence.file)
            }
            None => format!("the record has `{here}`"),
        };
        let quote = grounds_of(page, pointer, None);
        let said = quote.map_or(String::new(), |g| {
            format!(" (“{}”)", first_words(&g.evidence.quote))
        });
        let message = format!("`{pointer}`: this page has `{told}`{said}, {there}");
        let derived = quote.is_some_and(|g| g.derivation.is_some());
        let level = if derived && page.kind == PageKind::Postmortem {
            Level::Note
        } else {
            Level::Warning
        };
        let mut finding = Finding::new("source-contradicts", level, &page.file, message)
            .help("read both places; correct the record, or leave it where it is right: it stays as it is");
        if let Some(g) = quote {
            finding = g.evidence.locate(finding);
        }
        self.findings.push(finding);
    }

    /// The same thing in other words: worth a look, and no contradiction.
    fn difference(&mut self, pointer: &str, here: &str, told: &str, page: &Proposal) {
        // A record retells a postmortem in words of its own.
        if page.kind == PageKind::Postmortem {
            return;
        }
        let message = format!(
            "`{pointer}` is worded otherwise: the page has “{}”, the record “{}”",
            first_difference(told, here),
            first_difference(here, told)
        );
        let mut finding = Finding::new("text-differs", Level::Note, &page.file, message);
        if let Some(g) = grounds_of(page, pointer, None) {
            finding = g.evidence.locate(finding);
        }
        self.findings.push(finding);
    }
}

fn grounds_of<'p>(page: &'p Proposal, pointer: &str, value: Option<&Value>) -> Option<&'p Grounds> {
    page.grounds
        .iter()
        .find(|g| g.pointer.as_str() == pointer && value.is_none_or(|v| g.value == *v))
}

fn text_or_null(text: &Option<String>) -> Value {
    text.clone().map_or(Value::Null, Value::String)
}

/// A value as messages show it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", first_words(text)),
        Value::Null => "filled".to_owned(),
        other => format!("`{other}`"),
    }
}

fn first_words(text: &str) -> String {
    cut(text, 0)
}

/// The words around the first place where `text` differs from `other`.
fn first_difference(text: &str, other: &str) -> String {
    let same = text
        .char_indices()
        .zip(other.chars())
        .take_while(|((_, a), b)| a == b)
        .last()
        .map_or(0, |((i, c), _)| i + c.len_utf8());
    let word = text[..same].rfind(char::is_whitespace).map_or(0, |i| i + 1);
    cut(text, word)
}

fn cut(text: &str, from: usize) -> String {
    let part = text[from..].trim();
    let lead = if from > 0 { "…" } else { "" };
    format!("{lead}{}", shortened(part, 60))
}
