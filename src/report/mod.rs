//! What a library still lacks: reviews and archived copies, in the order in which to work.

use serde::Serialize;

use crate::check::Snapshot;
use crate::finding::{Pointer, locate, position_of};
use crate::model::{Case, CaseDate, ReviewState, Reviewers};
use crate::read::RecordFile;

/// What is missing, and how much is there.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Records that could be read.
    pub cases: usize,
    /// Of them, how many have a review that still fits their content.
    pub reviewed: usize,
    /// Sources of all records.
    pub sources: usize,
    /// Of them, how many have an archived copy.
    pub archived: usize,
    /// The cases that lack something, first the one to work on first.
    pub queue: Vec<QueueEntry>,
}

/// A case that lacks something.
#[derive(Debug, Clone, Serialize)]
pub struct QueueEntry {
    /// Its id, or the file name where it has none.
    pub id: String,
    /// Its title in the first language that has one.
    pub title: String,
    /// Its day.
    pub date: Option<String>,
    /// Its organisation.
    pub org: Option<String>,
    /// What it lacks.
    pub missing: Vec<Missing>,
}

/// One thing that a case lacks.
#[derive(Debug, Clone, Serialize)]
pub struct Missing {
    /// `review` or `archive`.
    pub what: &'static str,
    /// What is the matter, in a few words.
    pub state: String,
    /// Where it has to be filled in: file and line.
    pub place: String,
    /// The command that starts the work.
    pub command: String,
    /// What to do after it.
    pub then: String,
}

/// Reports on a library. Reviews that broke come first, for a reader takes them for good; then what
/// was never reviewed; within each, what lacks more, then the oldest incident.
pub fn report(snapshot: &Snapshot, reviewers: &Reviewers) -> Report {
    let mut out = Report {
        cases: snapshot.records.len(),
        reviewed: 0,
        sources: 0,
        archived: 0,
        queue: Vec::new(),
    };
    let mut ranked = Vec::new();
    let stands = |record: &&RecordFile| {
        let id = record.case.id.as_ref();
        id.is_none_or(|id| snapshot.retired.withdrawn(id).is_none())
    };
    for record in snapshot.records.iter().filter(stands) {
        let case = &record.case;
        let state = ReviewState::of(case, reviewers);
        out.reviewed += usize::from(state == ReviewState::Reviewed);
        out.sources += case.sources.len();
        out.archived += case.sources.iter().filter(|s| s.archived.is_some()).count();
        let missing = missing_of(record, state);
        if !missing.is_empty() {
            let rank = (
                urgency(state),
                std::cmp::Reverse(missing.len()),
                case.date.is_none(),
                case.date,
            );
            ranked.push((rank, record.file.clone(), entry(record, missing)));
        }
    }
    ranked.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    out.queue = ranked.into_iter().map(|(_, _, entry)| entry).collect();
    out
}

fn urgency(state: ReviewState) -> u8 {
    match state {
        ReviewState::Invalid => 0,
        ReviewState::Stale => 1,
        ReviewState::Undigested => 2,
        ReviewState::MachineText => 3,
        ReviewState::Unreviewed => 4,
        ReviewState::Reviewed => 5,
    }
}

fn entry(record: &RecordFile, missing: Vec<Missing>) -> QueueEntry {
    let case = &record.case;
    QueueEntry {
        id: id_of(record),
        title: title_of(case),
        date: case.date.as_ref().map(CaseDate::to_string),
        org: case.org.clone(),
        missing,
    }
}

fn id_of(record: &RecordFile) -> String {
    let name = record.file.rsplit('/').next().unwrap_or(&record.file);
    let name = name.trim_end_matches(".json").to_owned();
    record.case.id.as_ref().map_or(name, ToString::to_string)
}

fn title_of(case: &Case) -> String {
    let text = case.title.as_ref().and_then(|t| t.iter().next());
    text.map_or("(no title)", |(_, text)| text).to_owned()
}

fn missing_of(record: &RecordFile, state: ReviewState) -> Vec<Missing> {
    let id = id_of(record);
    let mut out = Vec::new();
    let words = match state {
        ReviewState::Unreviewed => "nobody has read it against its sources",
        ReviewState::MachineText => {
            "a machine wrote it, and nobody has read it against its sources"
        }
        ReviewState::Invalid => {
            "the review is half filled, or signed by the author or by an unknown name"
        }
        ReviewState::Stale => "the record was edited after the review",
        ReviewState::Undigested => "the review does not say which content was read",
        ReviewState::Reviewed => "",
    };
    if state != ReviewState::Reviewed {
        out.push(Missing {
            what: "review",
            state: format!("{}: {words}", state.as_str()),
            place: place(record, "/review"),
            command: format!("incidentlib explain {id}"),
            then: format!(
                "read it against its pages, then sign it: incidentlib review {id} --by NAME"
            ),
        });
    }
    for (i, source) in record.case.sources.iter().enumerate() {
        let Some(url) = source.url.as_ref().filter(|_| source.archived.is_none()) else {
            continue;
        };
        out.push(Missing {
            what: "archive",
            state: format!("{url} has no archived copy"),
            place: place(record, &format!("/sources/{i}/archived")),
            command: format!(
                "xdg-open 'https://web.archive.org/save/{}'",
                url.replace('\'', "%27")
            ),
            then: "write the address of the copy at this place".to_owned(),
        });
    }
    out
}

fn place(record: &RecordFile, pointer: &str) -> String {
    let line = locate(&record.text, &Pointer::new(pointer))
        .map_or(1, |found| position_of(&record.text, found.value.start).line);
    format!("{}:{line}", record.file)
}
