//! What can be mended in a record without changing what it says.

use std::collections::BTreeSet;

use super::context::Context;
use crate::model::{Case, ReviewState, Term};
use crate::normalize::{ArchiveVerdict, OrgAliases, audit_archive};
use crate::read::RecordFile;
use crate::vocabulary::{Kind, Lookup, fold};

/// The text that a record should have: in canonical form, terms by their slug where it has an alias or label, the
/// organisation by the spelling that the settings choose (`organisations`, folded spelling to name), links to copies
/// in the form in which they are kept. `None` where nothing is to be mended.
///
/// Of a record that a reviewer has read only the form and the links are mended: the rest is what they signed.
pub fn fixed(record: &RecordFile, organisations: &OrgAliases, cx: &Context<'_>) -> Option<String> {
    // Of a key that stands twice, nobody knows which value is meant.
    if record.has_duplicate_keys {
        return None;
    }
    let mut case = record.case.clone();
    mend_links(&mut case, cx);
    for old in case.references() {
        if let Some(new) = cx.snapshot.retired.successor(&old) {
            case.refer(&old, new);
        }
    }
    if ReviewState::of(&case, &cx.policy.reviewers) != ReviewState::Reviewed {
        mend_terms(&mut case, cx);
        if let Some(name) = case
            .org
            .as_deref()
            .and_then(|org| organisations.get(&fold(org)))
        {
            case.org = Some(name.clone());
        }
    }
    let text = case.print();
    (text != record.text).then_some(text)
}

fn mend_links(case: &mut Case, cx: &Context<'_>) {
    for source in &mut case.sources {
        let (Some(url), Some(archived)) = (&source.url, &source.archived) else {
            continue;
        };
        let audit = audit_archive(url, archived, cx.today.into());
        if audit.verdict == ArchiveVerdict::Match && audit.better.is_some() {
            source.archived = audit.better;
        }
    }
}

fn mend_terms(case: &mut Case, cx: &Context<'_>) {
    let slug = |kind: Kind, term: &Term| match cx.lexicon.vocabulary.term(kind, term.as_str()) {
        Some(_) => term.clone(),
        None => match cx.lexicon.vocabulary.lookup(kind, term.as_str()) {
            Lookup::Term(slug) => Term::new(slug.to_owned()),
            Lookup::Ambiguous(_) | Lookup::Unknown => term.clone(),
        },
    };
    for (kind, term) in [
        (Kind::DateKind, &mut case.date_kind),
        (Kind::Severity, &mut case.severity),
        (Kind::RootCause, &mut case.root_cause),
    ] {
        if let Some(term) = term {
            *term = slug(kind, term);
        }
    }
    for (kind, set) in [
        (Kind::Domain, &mut case.domain),
        (Kind::Contributing, &mut case.contributing),
        (Kind::Component, &mut case.components),
        (Kind::Symptom, &mut case.symptoms),
    ] {
        let mended: BTreeSet<Term> = set.iter().map(|term| slug(kind, term)).collect();
        *set = mended;
    }
    for source in &mut case.sources {
        if let Some(kind) = &mut source.kind {
            *kind = slug(Kind::SourceKind, kind);
        }
    }
}
