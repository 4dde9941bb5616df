//! Which raw page says what a record says, and which says something else.

use chrono::NaiveDate;
use serde_json::Value;

use super::PageRun;
use crate::extract::{Lexicon, PageFact};
use crate::facts::Fact;
use crate::finding::Pointer;
use crate::normalize::Grounds;
use crate::time::Context;

/// A place in a raw page that bears on a value of the record.
#[derive(Debug, Clone)]
pub struct Support<'a> {
    /// The value the page gives, and where.
    pub grounds: &'a Grounds,
    /// Whether it is the record's value.
    pub agrees: bool,
}

/// Every place that bears on the value at `pointer`: those that say the same first, each in the order
/// of the pages.
pub fn support_for<'a>(pages: &'a [PageRun], pointer: &Pointer, value: &Value) -> Vec<Support<'a>> {
    let proposals = pages.iter().filter_map(|p| p.proposal.as_ref());
    let mut out: Vec<Support<'a>> = proposals
        .flat_map(|p| &p.grounds)
        .filter_map(|grounds| bears_on(grounds, pointer, value))
        .collect();
    out.sort_by_key(|support| !support.agrees);
    out
}

/// A fact of a record's text, and where a raw page tells it.
#[derive(Debug, Clone)]
pub struct FactSupport<'a> {
    /// The words of the record.
    pub quote: String,
    /// The first place of a page that tells it, in whatever notation or language.
    pub place: Option<&'a PageFact>,
}

/// Where the postmortems tell the facts of a text of the record. `day` is the day of the case.
pub fn facts_for<'a>(
    pages: &'a [PageRun],
    text: &str,
    language: &str,
    day: Option<NaiveDate>,
    cx: &Lexicon,
) -> Vec<FactSupport<'a>> {
    let scan = cx.times.scan(text, language);
    let told = cx.facts.facts(text, language, &scan, &Context::default());
    let told = told
        .into_iter()
        .filter(|f| !matches!(f.fact, Fact::Name(_)));
    told.map(|found| {
        let mut facts = pages.iter().flat_map(|p| &p.facts.facts);
        FactSupport {
            place: facts.find(|f| same_fact(&f.fact, &found.fact, day)),
            quote: text[found.bytes].to_owned(),
        }
    })
    .collect()
}

fn same_fact(a: &Fact, b: &Fact, day: Option<NaiveDate>) -> bool {
    match (a, b, day) {
        (Fact::Clock(a), Fact::Clock(b), Some(day)) => a.agrees(b, day),
        _ => a == b,
    }
}

fn bears_on<'a>(grounds: &'a Grounds, pointer: &Pointer, value: &Value) -> Option<Support<'a>> {
    let tokens: Vec<String> = pointer.tokens().collect();
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let same_value = same(&grounds.value, value);
    match tokens.as_slice() {
        // Members of a set are known by their value: the record sorts them, a page does not.
        ["domain" | "contributing" | "components" | "symptoms", _] => {
            let field = Pointer::default().child(tokens[0]);
            (grounds.pointer == field && same_value).then_some(Support {
                grounds,
                agrees: true,
            })
        }
        // Pages may list sources in another order.
        ["sources" | "docs", _, name] => {
            let theirs: Vec<String> = grounds.pointer.tokens().collect();
            let fits = theirs.len() == 3 && theirs[0] == tokens[0] && theirs[2] == *name;
            (fits && same_value).then_some(Support {
                grounds,
                agrees: true,
            })
        }
        _ => (grounds.pointer == *pointer).then_some(Support {
            grounds,
            agrees: same_value,
        }),
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.split_whitespace().eq(b.split_whitespace()),
        _ => a == b,
    }
}
