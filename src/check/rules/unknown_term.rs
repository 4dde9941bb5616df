//! Every term is in the vocabulary.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;
use crate::vocabulary::{Kind, Lookup};

pub(super) const RULE: Rule = Rule {
    id: "unknown-term",
    level: Level::Error,
    why: "A reader finds cases by their terms; a term that is in no list is never found.",
    bad: r##"[{"id":"IL-0001","symptoms":["high-latncy"]}]"##,
    good: r##"[{"id":"IL-0001","symptoms":["high-latency"]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let case = &record.case;
    let single = [
        ("date_kind", &case.date_kind),
        ("severity", &case.severity),
        ("root_cause", &case.root_cause),
    ];
    for (field, term) in single {
        if let (Some(term), Some(kind)) = (term, Kind::of_field(field)) {
            check_term(kind, term.as_str(), format!("/{field}"), cx, hits);
        }
    }
    let value = record.value();
    for (field, _) in case.term_sets() {
        let Some(kind) = Kind::of_field(field) else {
            continue;
        };
        // The file's own order, which may differ from the sorted set.
        let written = value.get(field).and_then(|v| v.as_array());
        for (i, term) in written.into_iter().flatten().enumerate() {
            if let Some(term) = term.as_str() {
                check_term(kind, term, format!("/{field}/{i}"), cx, hits);
            }
        }
    }
    for (i, source) in case.sources.iter().enumerate() {
        if let Some(term) = &source.kind {
            check_term(
                Kind::SourceKind,
                term.as_str(),
                format!("/sources/{i}/kind"),
                cx,
                hits,
            );
        }
    }
}

fn check_term(kind: Kind, term: &str, pointer: String, cx: &Context<'_>, hits: &mut Hits) {
    let vocabulary = &cx.lexicon.vocabulary;
    if vocabulary.term(kind, term).is_some() {
        return;
    }
    let list = kind.as_str();
    let message = format!("`{term}` is no term of {list}");
    let near = match vocabulary.lookup(kind, term) {
        Lookup::Term(slug) => Some(slug.to_owned()),
        Lookup::Ambiguous(_) | Lookup::Unknown => cx.nearest(kind, term),
    };
    let all = format!("all terms: incidentlib vocab {list}");
    hits.push(pointer, message).help = Some(match near {
        Some(slug) => format!("did you mean `{slug}`? {all}"),
        None => all,
    });
}
