//! What the rules about the library as a whole look up, in time and memory that grow with the library and no faster.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};

use chrono::NaiveDate;

use crate::extract::Lexicon;
use crate::model::{Case, CaseId};
use crate::normalize::page_key;
use crate::read::RecordFile;

/// How many neighbours of one likeness a record is compared with on one day: enough to name the nearest, few enough
/// for a library in which every record is like every other.
const NEIGHBOURS: usize = 50;

/// How many other records one finding names.
const NAMED: usize = 3;

/// The records of a library by what rules ask for; a record is known by its place in the list, which is sorted by file.
pub(super) struct Index<'a> {
    records: &'a [RecordFile],
    ids: HashMap<&'a str, Vec<usize>>,
    addresses: HashMap<String, Vec<usize>>,
    // The spelling that most records of an organisation have and how many have it.
    spellings: HashMap<String, (&'a str, usize)>,
    alike: HashMap<u64, Vec<usize>>,
    // The records from which `recurrence_of` leads back to themselves.
    circular: HashSet<usize>,
}

impl<'a> Index<'a> {
    /// Indexes records that are sorted by file.
    pub(super) fn new(records: &'a [RecordFile], lexicon: &Lexicon) -> Self {
        let mut ids: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut addresses: HashMap<String, Vec<usize>> = HashMap::new();
        let mut spelt: HashMap<String, HashMap<&str, usize>> = HashMap::new();
        let mut alike: HashMap<u64, Vec<usize>> = HashMap::new();
        for (i, record) in records.iter().enumerate() {
            let case = &record.case;
            if let Some(org) = &case.org {
                let key = organisation_key(org, lexicon);
                if let Some(date) = case.date {
                    for likeness in likenesses(case, &key, date.into()) {
                        push_once(alike.entry(likeness).or_default(), i);
                    }
                }
                *spelt.entry(key).or_default().entry(org).or_default() += 1;
            }
            if let Some(id) = &case.id {
                ids.entry(id.as_str()).or_default().push(i);
            }
            for url in case.sources.iter().filter_map(|s| s.url.as_deref()) {
                push_once(addresses.entry(address_key(url)).or_default(), i);
            }
        }
        let spellings = spelt.into_iter().filter_map(|(key, spelt)| {
            let usual = spelt
                .into_iter()
                .max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(a.0)))?;
            Some((key, usual))
        });
        let mut index = Self {
            records,
            ids,
            addresses,
            spellings: spellings.collect(),
            alike,
            circular: HashSet::new(),
        };
        index.circular = index.circles();
        index
    }

    /// The record of a case; the first by file name when two claim one id.
    pub(super) fn record(&self, id: &CaseId) -> Option<&'a RecordFile> {
        self.at(id).map(|at| &self.records[at])
    }

    /// Whether any record has this id.
    pub(super) fn has_id(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// The other records with this id.
    pub(super) fn with_id(&self, id: &CaseId, file: &str) -> Others<'a> {
        self.others(self.ids.get(id.as_str()), file)
    }

    /// The other records with a source at this address, whatever its scheme, `www.` and closing slash.
    pub(super) fn with_source(&self, url: &str, file: &str) -> Others<'a> {
        self.others(self.addresses.get(&address_key(url)), file)
    }

    /// The spelling of an organisation that most records have, the first of equally common ones, and how many have it.
    pub(super) fn usual_spelling(&self, org: &str, lexicon: &Lexicon) -> Option<(&'a str, usize)> {
        self.spellings.get(&organisation_key(org, lexicon)).copied()
    }

    /// Whether following `recurrence_of` from a record comes back to it.
    pub(super) fn is_circular(&self, id: &CaseId) -> bool {
        self.at(id).is_some_and(|at| self.circular.contains(&at))
    }

    /// The records before this one that are likely to tell its incident, the nearest in days and then in file order
    /// first: of one organisation, at most a day apart, with one cause and component or one title. Of many alike ones
    /// only those nearest in file order; `true` when there were more.
    pub(super) fn neighbours(
        &self,
        record: &RecordFile,
        lexicon: &Lexicon,
    ) -> (Vec<&'a RecordFile>, bool) {
        let case = &record.case;
        let (Some(org), Some(date)) = (&case.org, case.date) else {
            return (Vec::new(), false);
        };
        let key = organisation_key(org, lexicon);
        let here = self.records.partition_point(|r| r.file < record.file);
        let day = NaiveDate::from(date);
        let (mut found, mut more) = (Vec::new(), false);
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        for day in [Some(day), day.pred_opt(), day.succ_opt()]
            .into_iter()
            .flatten()
        {
            let mut of_day: BTreeSet<usize> = BTreeSet::new();
            for likeness in likenesses(case, &key, day) {
                let Some(holders) = self.alike.get(&likeness) else {
                    continue;
                };
                let before = holders.partition_point(|&i| i < here);
                let from = before.saturating_sub(NEIGHBOURS);
                more |= from > 0;
                let new = holders[from..before].iter();
                of_day.extend(new.filter(|i| !seen.contains(*i)));
            }
            found.extend(of_day.iter().rev().map(|&i| &self.records[i]));
            seen.extend(of_day);
        }
        (found, more)
    }

    fn at(&self, id: &CaseId) -> Option<usize> {
        self.ids.get(id.as_str())?.first().copied()
    }

    fn others(&self, holders: Option<&Vec<usize>>, file: &str) -> Others<'a> {
        let holders = holders.map_or(&[][..], Vec::as_slice);
        let files = holders.iter().map(|&i| &self.records[i]);
        let others = files.filter(|other| other.file != file);
        let named: Vec<&RecordFile> = others.take(NAMED).collect();
        // Only a record that is not of this library is not among the holders.
        let own = self.records.binary_search_by(|r| r.file.as_str().cmp(file));
        let own = own.is_ok_and(|at| holders.binary_search(&at).is_ok());
        let more = holders.len() - usize::from(own) - named.len();
        Others { named, more }
    }

    /// The records on circles of `recurrence_of`: each is walked once.
    fn circles(&self) -> HashSet<usize> {
        let next = |at: usize| self.at(self.records[at].case.recurrence_of.as_ref()?);
        let mut walk_of = vec![0_usize; self.records.len()];
        let mut circular = HashSet::new();
        for start in 0..self.records.len() {
            let mut at = start;
            while walk_of[at] == 0 {
                walk_of[at] = start + 1;
                let Some(after) = next(at) else { break };
                at = after;
            }
            // Back in this walk and not yet known: a new circle, unless the walk just ended here.
            let mut on = next(at).filter(|_| walk_of[at] == start + 1);
            while let Some(record) = on.filter(|i| walk_of[*i] == start + 1) {
                if !circular.insert(record) {
                    break;
                }
                on = next(record);
            }
        }
        circular
    }
}

/// Other records, as far as one finding names them.
pub(super) struct Others<'a> {
    named: Vec<&'a RecordFile>,
    more: usize,
}

impl Others<'_> {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }
}

impl std::fmt::Display for Others<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files: Vec<&str> = self.named.iter().map(|r| r.file.as_str()).collect();
        f.write_str(&files.join(", "))?;
        match self.more {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

fn push_once(holders: &mut Vec<usize>, record: usize) {
    if holders.last() != Some(&record) {
        holders.push(record);
    }
}

fn address_key(url: &str) -> String {
    page_key(url).unwrap_or_else(|| url.to_owned())
}

/// What makes a record look like others of its organisation on one day: its root cause with each of its components,
/// and each of its titles. They are kept as hashes; who asks compares the records themselves.
fn likenesses(case: &Case, organisation: &str, day: NaiveDate) -> BTreeSet<u64> {
    let hash = |what: (&str, &str, &str)| {
        let mut hasher = DefaultHasher::new();
        (organisation, day, what).hash(&mut hasher);
        hasher.finish()
    };
    let cause = case.root_cause.as_ref().map(|term| term.as_str());
    let cause = cause.filter(|cause| *cause != "unknown");
    let causes = cause.into_iter().flat_map(|cause| {
        let components = case.components.iter();
        components.map(move |component| hash(("cause", cause, component.as_str())))
    });
    let titles = case.title.iter().flat_map(|title| title.iter());
    let titles = titles.map(|(_, title)| hash(("title", &title.to_lowercase(), "")));
    causes.chain(titles).collect()
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
