//! Times that a page and a record tell differently: the hands of the clock stand alike, and the half of the
//! day or the zone is another.

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::{CaseFact, CaseFacts};
use crate::extract::{Evidence, PageFact};
use crate::facts::{ClockTime, Fact};
use crate::finding::{Finding, Level, Pointer, shortened};

/// Sentences in messages are cut after this many letters.
const SHOWN: usize = 70;

/// Times of a page that are looked at; a postmortem tells a few dozen.
const MOST: usize = 1000;

/// What a page tells otherwise than the record of its incident, each time beside the record's text. `file` is the page.
///
/// A time is reported where its sentence names what the record's sentence names, or where it is no
/// round one and the record's time stands nowhere on the page: two events may well be twelve hours apart.
pub fn contradictions(file: &str, facts: &[PageFact], case: &CaseFacts) -> Vec<Finding> {
    let Some(day) = case.day else {
        return Vec::new();
    };
    let page = told_by_page(facts);
    let record = told_by_case(&case.facts);
    let seen: Vec<bool> = record
        .iter()
        .map(|r| page.iter().any(|p| p.clock.agrees(&r.clock, day)))
        .collect();
    let mut out: Vec<Finding> = Vec::new();
    let mut said: BTreeSet<&str> = BTreeSet::new();
    for told in &page {
        if record.iter().any(|r| told.clock.agrees(&r.clock, day)) || said.contains(told.quote) {
            continue;
        }
        let by_record = against(told, &record, &seen, day);
        let by_itself = match by_record {
            Some(_) => None,
            None => against_itself(told, &page, day),
        };
        let message = match (by_record, by_itself) {
            (Some(other), _) => format!(
                "the page has `{}` (“{}”), the record `{}` (`{}`: “{}”)",
                told.quote,
                cut(told.sentence),
                other.quote,
                other.place,
                cut(other.sentence)
            ),
            (None, Some(other)) => {
                let beside = beside(told, &record).map_or(String::new(), |r| {
                    format!(
                        "; the record tells of it in `{}`: “{}”",
                        r.place,
                        cut(r.sentence)
                    )
                });
                format!(
                    "the page has `{}` (“{}”) and `{}` (“{}”){beside}",
                    told.quote,
                    cut(told.sentence),
                    other.quote,
                    cut(other.sentence)
                )
            }
            (None, None) => continue,
        };
        said.insert(told.quote);
        let finding = Finding::new("source-contradicts", Level::Warning, file, message)
            .help("see which of the two is right; where it is the record, it stays as it is");
        out.push(told.place.locate(finding));
    }
    out
}

/// A clock time with its sentence, the names in it, and its place.
struct Told<'a, P> {
    clock: ClockTime,
    quote: &'a str,
    sentence: &'a str,
    names: BTreeSet<&'a str>,
    place: &'a P,
}

type OfPage<'a> = Told<'a, Evidence>;
type OfCase<'a> = Told<'a, Pointer>;

/// The clock times among facts, each given with its quote, its sentence and its place.
fn told<'a, P>(
    facts: impl Iterator<Item = (&'a Fact, &'a str, &'a str, &'a P)> + Clone,
) -> Vec<Told<'a, P>> {
    let names = names(facts.clone().map(|(fact, _, sentence, _)| (fact, sentence)));
    facts
        .filter_map(|(fact, quote, sentence, place)| {
            Some(Told {
                clock: clock(fact)?,
                quote: quote.trim(),
                sentence,
                names: names_in(&names, sentence),
                place,
            })
        })
        .collect()
}

/// The times of a page, those that stand twice in equal sentences once.
fn told_by_page(facts: &[PageFact]) -> Vec<OfPage<'_>> {
    let all = facts.iter();
    let mut page = told(all.map(|f| {
        let evidence = &f.evidence;
        (
            &f.fact,
            evidence.quote.as_str(),
            f.sentence.as_str(),
            evidence,
        )
    }));
    let mut seen = BTreeSet::new();
    page.retain(|t| seen.insert((t.quote, t.sentence)));
    page.truncate(MOST);
    page
}

fn told_by_case(facts: &[CaseFact]) -> Vec<OfCase<'_>> {
    let all = facts.iter();
    told(all.map(|f| (&f.fact, f.quote.as_str(), f.sentence.as_str(), &f.pointer)))
}

impl<P> Told<'_, P> {
    fn shares_name<Q>(&self, other: &Told<'_, Q>) -> bool {
        !self.names.is_disjoint(&other.names)
    }
}

fn clock(fact: &Fact) -> Option<ClockTime> {
    match fact {
        Fact::Clock(clock) => Some(*clock),
        _ => None,
    }
}

/// Every name with the sentence it stands in, sorted by sentence.
fn names<'a>(facts: impl Iterator<Item = (&'a Fact, &'a str)>) -> Vec<(&'a str, &'a str)> {
    let mut out: Vec<(&str, &str)> = facts
        .filter_map(|(fact, sentence)| match fact {
            Fact::Name(name) => Some((sentence, name.folded.as_str())),
            _ => None,
        })
        .collect();
    out.sort_unstable();
    out
}

fn names_in<'a>(names: &[(&'a str, &'a str)], sentence: &str) -> BTreeSet<&'a str> {
    let from = names.partition_point(|(s, _)| *s < sentence);
    let here = names[from..].iter().take_while(|(s, _)| *s == sentence);
    here.map(|(_, name)| *name).collect()
}

/// The time of the record that a time of the page contradicts. `seen` says which of the record's times the page
/// has too.
fn against<'t, 'a>(
    told: &OfPage,
    record: &'t [OfCase<'a>],
    seen: &[bool],
    day: NaiveDate,
) -> Option<&'t OfCase<'a>> {
    let others = || {
        let all = record.iter().zip(seen);
        all.filter(|(r, _)| told.clock.contradicts(&r.clock, day))
    };
    let named = others().find(|(r, _)| told.shares_name(r));
    let only = || {
        let mut unseen = others().filter(|(_, seen)| !**seen);
        unseen.next().filter(|_| !told.clock.is_round())
    };
    named.or_else(only).map(|(r, _)| r)
}

/// Another place of the page that tells the same of the same thing with the other half of the day.
fn against_itself<'t, 'a>(
    told: &OfPage,
    page: &'t [OfPage<'a>],
    day: NaiveDate,
) -> Option<&'t OfPage<'a>> {
    let zone_less = |t: &OfPage| t.clock.zone.is_none();
    let mut others = page.iter().filter(|p| {
        p.clock.contradicts(&told.clock, day) && p.shares_name(told) && !p.clock.is_round()
    });
    // Of the two the one that says less of itself is the doubtful one.
    others.find(|p| zone_less(told) && !zone_less(p))
}

/// The sentence of the record that names most of what a sentence of the page names.
fn beside<'t, 'a>(told: &OfPage, record: &'t [OfCase<'a>]) -> Option<&'t OfCase<'a>> {
    let shared = |r: &&OfCase| told.names.intersection(&r.names).count();
    let best = record.iter().max_by_key(shared)?;
    (shared(&best) > 0).then_some(best)
}

fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    shortened(&text, SHOWN)
}
