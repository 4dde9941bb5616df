//! Terms of the vocabulary that a page names: suggestions with their place and a score, never more.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use super::Reader;
use crate::extract::Evidence;
use crate::read::BlockKind;
use crate::vocabulary::{Kind, Names, SectionKind, Vocabulary};

/// A term that a page speaks of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suggestion {
    /// The field of the record it would stand in.
    pub field: &'static str,
    /// Its slug.
    pub term: String,
    /// How much speaks for it, from 0 to 1: how often and in which sections the page names it.
    pub score: f64,
    /// The place that speaks for it most.
    pub evidence: Evidence,
}

/// The fields that terms are suggested for, each with the sections that tell of it and how many are
/// suggested at most.
const FIELDS: [(&str, Kind, &[SectionKind], usize); 5] = [
    ("domain", Kind::Domain, &[], 4),
    (
        "components",
        Kind::Component,
        &[
            SectionKind::RootCause,
            SectionKind::Trigger,
            SectionKind::Summary,
        ],
        6,
    ),
    (
        "symptoms",
        Kind::Symptom,
        &[
            SectionKind::Impact,
            SectionKind::Detection,
            SectionKind::Summary,
        ],
        6,
    ),
    (
        "root_cause",
        Kind::RootCause,
        &[SectionKind::RootCause, SectionKind::Trigger],
        1,
    ),
    (
        "contributing",
        Kind::Contributing,
        &[
            SectionKind::RootCause,
            SectionKind::Contributing,
            SectionKind::Lessons,
        ],
        6,
    ),
];

/// A suggestion needs at least this score.
const LEAST: f64 = 0.3;

/// Finds the names of all terms in one pass.
#[derive(Debug, Clone)]
pub(crate) struct TermFinder {
    names: Names,
    /// The field and slug of each name.
    owners: Vec<(usize, String)>,
}

impl TermFinder {
    pub(crate) fn new(vocabulary: &Vocabulary) -> Self {
        let (mut names, mut owners) = (Vec::new(), Vec::new());
        for (field, (_, kind, ..)) in FIELDS.iter().enumerate() {
            let says_something = |slug: &str| !matches!(slug, "unknown" | "other" | "none");
            for term in vocabulary
                .terms(*kind)
                .iter()
                .filter(|t| says_something(&t.slug))
            {
                let aliases = term.aliases.values().flatten();
                let mut all: Vec<String> = term.label.values().chain(aliases).cloned().collect();
                all.push(term.slug.replace('-', " "));
                all.retain(|name| {
                    name.chars().count() >= 2 && name.chars().any(char::is_alphabetic)
                });
                all.sort_unstable();
                all.dedup();
                for name in all {
                    names.push(name);
                    owners.push((field, term.slug.clone()));
                }
            }
        }
        Self {
            names: Names::new(names, true),
            owners,
        }
    }

    /// The names in a text: field, slug and place. Short names count only in
    /// capitals, `CI`: `time` and `edge` are words of any text.
    fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, &'a str, Range<usize>)> {
        self.names.places(text).filter_map(move |(pattern, at)| {
            let name = &text[at.clone()];
            let latin = name.is_ascii();
            let joins =
                |c: Option<char>| latin && c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let after = text[at.end..].strip_prefix('s').unwrap_or(&text[at.end..]);
            let whole =
                !joins(text[..at.start].chars().next_back()) && !joins(after.chars().next());
            let short = latin && name.len() <= 4;
            let shouted = !short || name.chars().all(|c| !c.is_ascii_lowercase());
            let (field, slug) = &self.owners[pattern];
            (whole && shouted).then_some((*field, slug.as_str(), at))
        })
    }
}

/// The terms that a page names, the best of each field first.
pub(super) fn suggestions(reader: &Reader) -> Vec<Suggestion> {
    struct Found {
        weight: f64,
        best: (f64, usize, Range<usize>),
    }
    let mut found: BTreeMap<(usize, &str), Found> = BTreeMap::new();
    for (n, (i, block)) in reader.blocks().enumerate() {
        if block.kind == BlockKind::Preformatted {
            continue;
        }
        let section = reader.section_of(i);
        let aside = matches!(
            section,
            Some(SectionKind::ActionItems | SectionKind::Lessons)
        );
        let titled = matches!(block.kind, BlockKind::Heading(1)) || n == 0;
        for (field, slug, at) in reader.cx.terms.find(&block.text) {
            let (_, _, sections, _) = FIELDS[field];
            let told = section.is_some_and(|s| sections.contains(&s));
            let weight = match () {
                () if told || titled => 2.0,
                () if aside => 0.25,
                () => 0.75,
            };
            let entry = found.entry((field, slug)).or_insert_with(|| Found {
                weight: 0.0,
                best: (weight, i, at.clone()),
            });
            entry.weight += weight;
            if weight > entry.best.0 {
                entry.best = (weight, i, at);
            }
        }
    }
    let mut out: Vec<(usize, Suggestion)> = found
        .into_iter()
        .map(|((field, slug), found)| {
            let (_, block, at) = found.best;
            // Half of the way to certainty for one mention where the field is told of.
            let score = (found.weight / (found.weight + 2.0) * 100.0).round() / 100.0;
            let suggestion = Suggestion {
                field: FIELDS[field].0,
                term: slug.to_owned(),
                score,
                evidence: reader.evidence(block, at),
            };
            (field, suggestion)
        })
        .filter(|(_, s)| s.score >= LEAST)
        .collect();
    out.sort_by(|(f, a), (g, b)| {
        f.cmp(g)
            .then(b.score.total_cmp(&a.score))
            .then(a.term.cmp(&b.term))
    });
    let mut taken = [0; FIELDS.len()];
    out.retain(|(field, _)| {
        taken[*field] += 1;
        taken[*field] <= FIELDS[*field].3
    });
    out.into_iter().map(|(_, s)| s).collect()
}
