//! What rules look at beside the record: terms, schema, settings, the day of today, the whole library.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use super::rules::Rule;
use super::schema::Schemas;
use super::snapshot::Snapshot;
use super::waiver::Waiver;
use crate::extract::Lexicon;
use crate::finding::{Finding, Level, Place, Pointer};
use crate::model::{Case, CaseDate, CaseId, LanguageTag, Reviewers};
use crate::normalize::page_key;
use crate::read::RecordFile;
use crate::vocabulary::Kind;

/// How a library wants to be checked.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Prefix of its case ids.
    pub id_prefix: String,
    /// Languages that every text must have.
    pub languages: Vec<LanguageTag>,
    /// Who may sign reviews, and whose texts are a machine's.
    pub reviewers: Reviewers,
    /// Levels that differ from the rules' own; `None` switches a rule off.
    pub levels: BTreeMap<String, Option<Level>>,
    /// Reasoned, dated exceptions.
    pub waivers: Vec<Waiver>,
}

impl Policy {
    pub(crate) fn apply_levels(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let keep = |mut finding: Finding| match self.levels.get(finding.rule) {
            None => Some(finding),
            Some(None) => None,
            Some(Some(level)) => {
                finding.level = *level;
                Some(finding)
            }
        };
        findings.into_iter().filter_map(keep).collect()
    }
}

/// Gives the version of a record that has a digest, by the record's path and the digest, as far as it is known.
pub type ReviewedVersions<'a> = &'a (dyn Fn(&str, &str) -> Option<Case> + Sync);

/// Gives the bytes of a raw page by its path in the library.
pub type ReadPages<'a> = &'a (dyn Fn(&str) -> Option<Vec<u8>> + Sync);

/// Everything a rule may look at beside its record.
pub struct Context<'a> {
    /// Terms and words.
    pub lexicon: &'a Lexicon,
    /// The compiled schemas.
    pub schemas: &'a Schemas,
    /// The settings of the library.
    pub policy: &'a Policy,
    /// The day of today.
    pub today: CaseDate,
    pub(super) ids: HashMap<String, Vec<usize>>,
    pub(super) addresses: HashMap<String, Vec<usize>>,
    pub(super) snapshot: &'a Snapshot,
    pub(super) pages: Option<ReadPages<'a>>,
    pub(super) reviewed: Option<ReviewedVersions<'a>>,
    // How many records spell each organisation how.
    spellings: HashMap<String, BTreeMap<&'a str, usize>>,
    // The records of each organisation by day.
    days: HashMap<(String, CaseDate), Vec<usize>>,
    // One mistake is often made in many records, and looking for its nearest term is slow.
    nearest: Mutex<HashMap<(Kind, String), Option<String>>>,
}

impl<'a> Context<'a> {
    /// Indexes a library for its rules.
    pub fn new(
        snapshot: &'a Snapshot,
        lexicon: &'a Lexicon,
        schemas: &'a Schemas,
        policy: &'a Policy,
        today: CaseDate,
    ) -> Self {
        let mut ids: HashMap<String, Vec<usize>> = HashMap::new();
        let mut addresses: HashMap<String, Vec<usize>> = HashMap::new();
        let mut spellings: HashMap<String, BTreeMap<&str, usize>> = HashMap::new();
        let mut days: HashMap<(String, CaseDate), Vec<usize>> = HashMap::new();
        for (i, record) in snapshot.records.iter().enumerate() {
            if let Some(org) = &record.case.org {
                let key = organisation_key(org, lexicon);
                let spelt = spellings.entry(key.clone()).or_default();
                *spelt.entry(org.as_str()).or_default() += 1;
                if let Some(date) = record.case.date {
                    days.entry((key, date)).or_default().push(i);
                }
            }
            if let Some(id) = &record.case.id {
                ids.entry(id.to_string()).or_default().push(i);
            }
            for url in record.case.sources.iter().filter_map(|s| s.url.as_deref()) {
                let key = page_key(url).unwrap_or_else(|| url.to_owned());
                let holders = addresses.entry(key).or_default();
                if holders.last() != Some(&i) {
                    holders.push(i);
                }
            }
        }
        Self {
            lexicon,
            schemas,
            policy,
            today,
            ids,
            addresses,
            snapshot,
            pages: None,
            reviewed: None,
            spellings,
            days,
            nearest: Mutex::default(),
        }
    }

    /// The same with a way to read raw pages, which the rules of evidence look facts up in. Pages are read case by
    /// case and not kept.
    #[must_use]
    pub fn with_pages(mut self, pages: ReadPages<'a>) -> Self {
        self.pages = Some(pages);
        self
    }

    /// The same with a way to find the version that a reviewer read, so that a stale review names what changed since.
    #[must_use]
    pub fn with_reviewed_versions(mut self, reviewed: ReviewedVersions<'a>) -> Self {
        self.reviewed = Some(reviewed);
        self
    }

    /// The spelling of an organisation that most records have, the first of equally common ones, and how many have it.
    pub(super) fn usual_spelling(&self, org: &str) -> Option<(&'a str, usize)> {
        let spelt = self.spellings.get(&organisation_key(org, self.lexicon))?;
        let usual = spelt
            .iter()
            .max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        usual.map(|(name, count)| (*name, *count))
    }

    /// The records of an organisation, however they spell it, with a day at most one from `date`.
    pub(super) fn around_day(&self, org: &str, date: CaseDate) -> Vec<&'a RecordFile> {
        let key = organisation_key(org, self.lexicon);
        let day = chrono::NaiveDate::from(date);
        let days = [day.pred_opt(), Some(day), day.succ_opt()];
        let found = days
            .into_iter()
            .flatten()
            .filter_map(|day| self.days.get(&(key.clone(), day.into())));
        found
            .flatten()
            .map(|&i| &self.snapshot.records[i])
            .collect()
    }

    /// The files of the other records that an index holds under one key.
    pub(super) fn others(&self, holders: Option<&Vec<usize>>, file: &str) -> Vec<&'a str> {
        let files = holders.into_iter().flatten();
        let files = files.map(|&i| self.snapshot.records[i].file.as_str());
        files.filter(|other| *other != file).collect()
    }

    /// The slug nearest to a text that is no term.
    pub fn nearest(&self, kind: Kind, text: &str) -> Option<String> {
        let key = (kind, text.to_owned());
        let known = self.nearest.lock().ok().and_then(|m| m.get(&key).cloned());
        known.unwrap_or_else(|| {
            let found = self
                .lexicon
                .vocabulary
                .nearest(kind, text)
                .map(str::to_owned);
            if let Ok(mut map) = self.nearest.lock() {
                map.insert(key, found.clone());
            }
            found
        })
    }

    /// The record of a case; the first by file name when two claim one id.
    pub fn record(&self, id: &CaseId) -> Option<&'a RecordFile> {
        let at = self.ids.get(id.as_str())?.first()?;
        Some(&self.snapshot.records[*at])
    }
}

/// What the spellings of one organisation have in common: the name that the word lists give it, else its letters and
/// digits without the form of the company.
fn organisation_key(org: &str, cx: &Lexicon) -> String {
    let folded = org.to_lowercase();
    let mut words: Vec<&str> = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    const FORMS: [&str; 14] = [
        "inc",
        "ltd",
        "llc",
        "gmbh",
        "corp",
        "corporation",
        "co",
        "plc",
        "ag",
        "sa",
        "bv",
        "the",
        "limited",
        "company",
    ];
    while words.len() > 1 && words.last().is_some_and(|last| FORMS.contains(last)) {
        words.pop();
    }
    // `co` may be a word of the name after all, so the whole name is looked up too.
    let known = cx.organisations.by_name(org);
    let known = known.or_else(|| cx.organisations.by_name(&words.join(" ")));
    known.map_or_else(|| words.concat(), |known| known.name.clone())
}

/// Collects what the rules find in one file.
pub struct Hits {
    pub(super) rule: &'static Rule,
    pub(super) file: String,
    pub(super) found: Vec<Finding>,
}

impl Hits {
    pub(super) fn new(file: &str) -> Self {
        Self {
            rule: &super::rules::RULES[0],
            file: file.to_owned(),
            found: Vec::new(),
        }
    }

    /// Reports the value at a pointer of the record.
    pub fn push(&mut self, pointer: impl Into<String>, message: impl Into<String>) -> &mut Finding {
        self.push_at(Place::Value(Pointer::new(pointer)), message)
    }

    /// Reports a place of the file.
    pub fn push_at(&mut self, place: Place, message: impl Into<String>) -> &mut Finding {
        let finding = Finding::new(self.rule.id, self.rule.level, &self.file, message).at(place);
        self.found.push(finding);
        self.found.last_mut().expect("just pushed")
    }

    /// Reports another file than the one being checked.
    pub fn push_file(
        &mut self,
        file: &str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Finding {
        let finding = self.push_at(place, message);
        file.clone_into(&mut finding.file);
        finding
    }
}
