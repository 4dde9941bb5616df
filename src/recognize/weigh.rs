//! How much speaks for it that a page tells the incident of a case.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;

use super::{CaseFacts, Seen};
use crate::facts::{ClockTime, Fact, Name};
use crate::model::CaseId;

/// What comes of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Too little speaks for it.
    Other,
    /// A person should look.
    Perhaps,
    /// It is the same incident.
    Same,
}

/// Something that a page and a case have in common, or that tells them apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// `same day`, `clock times`, `names` …
    pub what: &'static str,
    /// The values, as many as are worth showing.
    pub values: Vec<String>,
    /// What it adds to the score; negative where it speaks against.
    pub weight: f64,
}

/// How alike a page and a case are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Likeness {
    /// The case.
    #[serde(serialize_with = "id_as_text")]
    pub id: CaseId,
    /// The sum of the reasons' weights.
    pub score: f64,
    /// What that comes to.
    pub verdict: Verdict,
    /// Why, the heaviest first.
    pub reasons: Vec<Reason>,
}

fn id_as_text<S: serde::Serializer>(id: &CaseId, s: S) -> Result<S::Ok, S::Error> {
    s.collect_str(id)
}

/// From this score on it is the same incident.
const SAME: f64 = 7.0;

/// From this score on a person should look.
const PERHAPS: f64 = 5.0;

/// Two stories with so many clock times each have one in common where they tell the same.
const MANY: usize = 4;

/// How much speaks for each case, the likest first. Names that several of the cases have say less.
pub fn likeness(seen: &Seen, cases: &[CaseFacts]) -> Vec<Likeness> {
    let mut frequency: BTreeMap<&Name, usize> = BTreeMap::new();
    for case in cases {
        for name in names(case.facts.iter().map(|f| &f.fact)) {
            *frequency.entry(name).or_default() += 1;
        }
    }
    let mut out: Vec<Likeness> = cases
        .iter()
        .map(|case| weigh(seen, case, &frequency, cases.len()))
        .collect();
    out.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    out
}

fn weigh(
    seen: &Seen,
    case: &CaseFacts,
    frequency: &BTreeMap<&Name, usize>,
    compared: usize,
) -> Likeness {
    let mut reasons: Vec<Reason> = [
        address(seen, case),
        day(seen, case),
        organisation(seen, case),
        clocks(seen, case, compared),
        shared_names(seen, case, frequency),
        amounts(seen, case),
    ]
    .into_iter()
    .flatten()
    .filter(|r| r.weight != 0.0)
    .collect();
    reasons.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let score = (reasons.iter().map(|r| r.weight).sum::<f64>() * 10.0).round() / 10.0;
    let weight_of = |what: &[&str]| -> f64 {
        let of = reasons.iter().filter(|r| what.contains(&r.what));
        of.map(|r| r.weight).sum()
    };
    // Day and organisation alone are two incidents of one day; names and organisation two of one product; times alone
    // may be chance.
    let content = weight_of(&["same times", "same names", "same amounts", "same page"]);
    let anchor = weight_of(&["same day", "same times", "same page"]);
    let kinds = [
        weight_of(&["same times"]) >= 1.5,
        weight_of(&["same names"]) >= 0.8,
        weight_of(&["same amounts"]) >= 0.5,
        weight_of(&["same organisation", "names the organisation"]) > 0.0,
        weight_of(&["same page"]) > 0.0,
        weight_of(&["links to its source"]) > 0.0,
    ];
    let several = kinds.iter().filter(|kind| **kind).count() >= 2 || kinds[4];
    let verdict = match score {
        SAME.. if several && content >= 1.0 && anchor >= 2.0 => Verdict::Same,
        PERHAPS.. => Verdict::Perhaps,
        _ => Verdict::Other,
    };
    Likeness {
        id: case.id.clone(),
        score,
        verdict,
        reasons,
    }
}

fn reason(what: &'static str, values: Vec<String>, weight: f64) -> Option<Reason> {
    Some(Reason {
        what,
        values,
        weight,
    })
}

/// The page is a source of the case, or links to one.
fn address(seen: &Seen, case: &CaseFacts) -> Option<Reason> {
    let own = seen.own_address.iter().find(|a| case.sources.contains(*a));
    if own.is_some() {
        return reason("same page", Vec::new(), 10.0);
    }
    let linked = seen.addresses.iter().any(|a| case.sources.contains(a));
    linked.then(|| reason("links to its source", Vec::new(), 2.5))?
}

/// The page tells the day of the case; or it tells another day as that of its incident.
fn day(seen: &Seen, case: &CaseFacts) -> Option<Reason> {
    let day = case.day?;
    let apart = |other: NaiveDate| (day - other).num_days();
    let told = |weight| reason("same day", vec![day.to_string()], weight);
    let other = |other: NaiveDate, weight| reason("another day", vec![other.to_string()], weight);
    if case.published {
        return match (seen.published, seen.day) {
            (Some(published), _) if published == day => told(2.5),
            (_, Some(incident)) if !(-1..=120).contains(&apart(incident)) => other(incident, -5.0),
            _ => None,
        };
    }
    match seen.day {
        Some(incident) if incident == day => told(4.0),
        // Times of two zones lie on two days.
        Some(incident) if apart(incident).abs() == 1 => told(3.0),
        _ if seen.days.contains(&day) => told(2.0),
        Some(incident) => other(incident, -6.0),
        None => match seen.published {
            Some(published) if !(-90..=1).contains(&apart(published)) => other(published, -2.0),
            _ => None,
        },
    }
}

fn organisation(seen: &Seen, case: &CaseFacts) -> Option<Reason> {
    let org = case.org.as_deref()?;
    let is = |name: &str| name.eq_ignore_ascii_case(org);
    let value = vec![org.to_owned()];
    match seen.org {
        Some(name) if is(name) => reason("same organisation", value, 2.0),
        _ if seen.organisations.iter().any(|name| is(name)) => {
            reason("names the organisation", value, 1.5)
        }
        Some(name) => reason("another organisation", vec![name.to_owned()], -1.5),
        None => None,
    }
}

/// Clock times that stand in both, as they are or moved by the difference of two zones. They weigh as much as
/// chance is unlikely to have brought them together, among all cases that the page is compared with.
fn clocks(seen: &Seen, case: &CaseFacts, compared: usize) -> Option<Reason> {
    let page = minutes(seen.facts.iter().map(|f| &f.fact));
    let record = minutes(case.facts.iter().map(|f| &f.fact));
    if page.is_empty() || record.is_empty() {
        return None;
    }
    let moved = |shift: u32| -> Vec<u32> {
        let shifted = record
            .iter()
            .filter(|m| page.contains(&((**m + shift) % 1440)));
        shifted.copied().collect()
    };
    let straight = moved(0);
    let best = (1..48)
        .map(|half_hours| moved(half_hours * 30))
        .max_by_key(Vec::len)
        .filter(|best| best.len() >= 3 && best.len() > straight.len() + 1);
    // How many would be shared by chance, were they spread over the day.
    let expected = (page.len() * record.len()) as f64 / 1440.0;
    let tries = if best.is_some() { 47.0 } else { 1.0 } * compared.max(1) as f64;
    let shared = best.unwrap_or(straight);
    if shared.is_empty() && page.len() >= MANY && record.len() >= MANY {
        return reason("no time in common", Vec::new(), -2.0);
    }
    // Full and half hours are shared more often than others.
    let round = shared.iter().filter(|m| m.is_multiple_of(30)).count();
    let telling = shared.len() - round + round / 3;
    let surprise = -(at_least(telling, expected) * tries).ln();
    let values = shared
        .iter()
        .map(|m| format!("{:02}:{:02}", m / 60, m % 60))
        .collect();
    let weight = (surprise / 2.0).clamp(0.0, 6.0);
    (!shared.is_empty()).then(|| reason("same times", values, weight))?
}

/// The probability that at least so many of rare things happen by chance (the tail of a Poisson distribution).
fn at_least(count: usize, expected: f64) -> f64 {
    let mut term = (-expected).exp();
    let mut below = 0.0;
    for i in 0..count {
        below += term;
        term *= expected / (i + 1) as f64;
    }
    // Far out in the tail the difference from one has no digits left: its first terms have.
    let tail = term * (1.0 + expected / (count + 1) as f64);
    (1.0 - below).max(tail).clamp(f64::MIN_POSITIVE, 1.0)
}

/// Clock times by the hands, so that a time without its half of the day counts too.
fn minutes<'f>(facts: impl Iterator<Item = &'f Fact>) -> BTreeSet<u32> {
    let clocks = facts.filter_map(|fact| match fact {
        Fact::Clock(clock) => Some(clock),
        _ => None,
    });
    let both = |clock: &ClockTime| {
        let other = (clock.minutes + 720) % 1440;
        [Some(clock.minutes), clock.half_open.then_some(other)]
    };
    clocks.flat_map(both).flatten().collect()
}

fn names<'f>(facts: impl Iterator<Item = &'f Fact>) -> BTreeSet<&'f Name> {
    let names = facts.filter_map(|fact| match fact {
        Fact::Name(name) => Some(name),
        _ => None,
    });
    names.collect()
}

fn shared_names(
    seen: &Seen,
    case: &CaseFacts,
    frequency: &BTreeMap<&Name, usize>,
) -> Option<Reason> {
    let page = names(seen.facts.iter().map(|f| &f.fact));
    let record = names(case.facts.iter().map(|f| &f.fact));
    let mut shared: Vec<(f64, &Name)> = page
        .intersection(&record)
        .map(|name| {
            let base = if name.coded { 0.8 } else { 0.4 };
            let cases = frequency.get(*name).copied().unwrap_or(1) as f64;
            (base / cases.sqrt(), *name)
        })
        .collect();
    shared.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let weight: f64 = shared.iter().map(|(w, _)| w).sum();
    let values = shared.iter().map(|(_, n)| n.folded.clone()).collect();
    (!shared.is_empty()).then(|| reason("same names", values, weight.min(3.5)))?
}

/// Durations, percentages and numbers that stand in both.
fn amounts(seen: &Seen, case: &CaseFacts) -> Option<Reason> {
    let amount = |fact: &Fact| match fact {
        Fact::Elapsed(seconds) if *seconds >= 60 && seconds % 3600 != 0 => {
            Some((format!("{} min", seconds / 60), 0.6))
        }
        Fact::Percent(number) => Some((
            format!("{number}%"),
            if number.contains('.') { 0.8 } else { 0.3 },
        )),
        Fact::Number(number) if number.ends_with("00") => Some((number.clone(), 0.3)),
        Fact::Number(number) => Some((number.clone(), 0.7)),
        _ => None,
    };
    let page: BTreeSet<String> = seen
        .facts
        .iter()
        .filter_map(|f| Some(amount(&f.fact)?.0))
        .collect();
    let record: BTreeMap<String, f64> = case.facts.iter().filter_map(|f| amount(&f.fact)).collect();
    let shared: Vec<(&String, f64)> = record
        .iter()
        .filter(|(value, _)| page.contains(*value))
        .map(|(value, weight)| (value, *weight))
        .collect();
    let weight: f64 = shared.iter().map(|(_, w)| w).sum();
    let values = shared.iter().map(|(value, _)| (*value).clone()).collect();
    (!shared.is_empty()).then(|| reason("same amounts", values, weight.min(3.0)))?
}
