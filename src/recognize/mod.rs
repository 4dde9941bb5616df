//! The same incident again: a page beside the cases of a library, by facts and not by words.
//!
//! A page in another language shares no word with the record of its incident, but its days, clock times,
//! numbers and names. What the two tell differently is reported with both sentences.

mod case_facts;
mod contradict;
mod weigh;

pub(crate) use case_facts::record_context;
pub use case_facts::{CaseFact, CaseFacts};
pub use contradict::contradictions;
pub use weigh::{Likeness, Reason, Verdict, likeness};

use std::collections::BTreeSet;

use chrono::NaiveDate;

use crate::extract::{PageFact, PageFacts, Story};
use crate::facts::Fact;
use crate::model::Case;
use crate::normalize::source_key;

/// A page that may tell the incident of a case.
#[derive(Debug, Clone)]
pub struct Seen<'a> {
    /// The facts of the page.
    pub facts: &'a [PageFact],
    /// The day of the incident, as the page tells it.
    pub day: Option<NaiveDate>,
    /// The day of publication.
    pub published: Option<NaiveDate>,
    /// The organisation that the page is of.
    pub org: Option<&'a str>,
    /// All organisations that it names.
    pub organisations: &'a BTreeSet<String>,
    /// Keys of the addresses that it gives itself or links to.
    pub addresses: BTreeSet<String>,
    /// Key of the address that it was saved from.
    pub own_address: Option<String>,
    days: BTreeSet<NaiveDate>,
}

impl<'a> Seen<'a> {
    /// A page by what was read of it. `url` is where it was saved from.
    pub fn new(story: &'a Story, facts: &'a PageFacts, url: Option<&str>) -> Self {
        let day = |told: &Option<crate::extract::Told>| {
            told.as_ref()
                .and_then(|t| t.value.parse::<NaiveDate>().ok())
        };
        Self {
            day: day(&story.incident_date),
            published: day(&story.published),
            org: story.org.as_ref().map(|o| o.value.as_str()),
            organisations: &facts.organisations,
            addresses: facts.links.iter().filter_map(|l| source_key(l)).collect(),
            own_address: url.and_then(source_key),
            days: facts
                .facts
                .iter()
                .filter_map(|f| match f.fact {
                    Fact::Day(day) => Some(day),
                    _ => None,
                })
                .collect(),
            facts: &facts.facts,
        }
    }

    /// Whether a record is worth comparing: a day, the organisation or an address speaks for it. Cheap, so that
    /// a page can be compared with a hundred thousand records.
    pub fn may_be(&self, case: &Case) -> bool {
        let near = |a: NaiveDate, b: NaiveDate| (a - b).num_days().abs() <= 2;
        let day = case.date.map(NaiveDate::from);
        let by_day = day.is_some_and(|day| {
            let told = self.days.iter().chain(&self.day).chain(&self.published);
            told.copied().any(|told| near(told, day))
        });
        let by_org = case.org.as_deref().is_some_and(|org| self.names_org(org));
        let nothing = self.days.is_empty() && self.org.is_none() && self.organisations.is_empty();
        by_day
            || by_org
            || nothing
            || self.links_to(case.sources.iter().filter_map(|s| s.url.as_deref()))
    }

    fn names_org(&self, org: &str) -> bool {
        let is = |name: &str| name.eq_ignore_ascii_case(org);
        self.org.is_some_and(is) || self.organisations.iter().any(|name| is(name))
    }

    fn links_to<'u>(&self, urls: impl Iterator<Item = &'u str>) -> bool {
        let mut urls = urls;
        urls.any(|url| {
            source_key(url).is_some_and(|key| {
                self.addresses.contains(&key) || self.own_address.as_ref() == Some(&key)
            })
        })
    }
}
