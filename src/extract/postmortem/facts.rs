//! The facts of a page, each with its place and its sentence: what the page is compared by with cases
//! told in another language.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Reader;
use super::known::Known;
use crate::extract::Evidence;
use crate::facts::{Fact, sentence_around};
use crate::read::BlockKind;
use crate::time::Context;

/// A fact of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PageFact {
    /// What is told.
    pub fact: Fact,
    /// Where.
    pub evidence: Evidence,
    /// The sentence around it.
    pub sentence: String,
}

/// What a page can be compared by with texts of any language.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageFacts {
    /// The facts of its main text, in order.
    pub facts: Vec<PageFact>,
    /// Display names of the organisations that the main text names.
    pub organisations: BTreeSet<String>,
    /// Addresses that the main text links to, and the one the page gives itself.
    pub links: BTreeSet<String>,
    /// The day of writing and the zone that its times are told by.
    pub context: Context,
}

/// Facts that are kept of a page; a long postmortem tells a few hundred.
const MOST: usize = 20_000;

/// The facts of the main text. Code and what stands beside the article tell none.
pub(super) fn page_facts(reader: &Reader, known: &Known) -> PageFacts {
    let context = known.context(None);
    let mut out = PageFacts {
        context,
        ..PageFacts::default()
    };
    for (i, block) in reader.blocks() {
        let known_names = reader.cx.organisations.mentions(&block.text);
        out.organisations
            .extend(known_names.iter().map(|(_, o)| o.name.clone()));
        out.links.extend(block.links.iter().map(|l| l.href.clone()));
        let Some(scan) = reader.scan(i) else { continue };
        if out.facts.len() >= MOST {
            break;
        }
        // Headings are written with capitals that say nothing.
        let heading = matches!(block.kind, BlockKind::Heading(_));
        let facts = &reader.cx.facts;
        for found in facts.facts(&block.text, &reader.language, scan, &context) {
            let is_name = matches!(found.fact, Fact::Name(_));
            let of_organisation =
                |r: &Range<usize>| r.start < found.bytes.end && found.bytes.start < r.end;
            if is_name && (heading || known_names.iter().any(|(r, _)| of_organisation(r))) {
                continue;
            }
            if out.facts.len() >= MOST {
                break;
            }
            out.facts.push(PageFact {
                sentence: sentence_around(&block.text, &found.bytes).to_owned(),
                evidence: reader.evidence(i, found.bytes),
                fact: found.fact,
            });
        }
    }
    let own = ["canonical", "og:url", "source", "url"];
    let of_page = reader
        .page
        .meta
        .iter()
        .filter(|m| own.contains(&m.key.as_str()));
    out.links.extend(of_page.map(|m| m.value.clone()));
    out
}
