//! New pages: which case they belong to, and what has to be written to take them in.

use std::path::Path;

use rayon::prelude::*;

use super::{About, Options, PageRun, run_page};
use crate::check::{RawFolder, Snapshot};
use crate::extract::Nature;
use crate::finding::{Finding, Level};
use crate::library::{Change, Error, Library};
use crate::model::{CaseId, PageKind, RawPage, Response, print_json, sha256_of_bytes};
use crate::recognize::{CaseFacts, Likeness, Verdict, contradictions, likeness};

/// A page from outside the library, and what its curator says about it.
#[derive(Debug, Clone, Default)]
pub struct NewPage {
    /// File name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The case it belongs to, when the curator says.
    pub id: Option<CaseId>,
    /// What becomes of a page that names no case.
    pub intake: Intake,
    /// Where it was saved from.
    pub url: Option<String>,
    /// What it is, when the curator says.
    pub kind: Option<PageKind>,
    /// What kind of source it is, when the curator says: a term of `source-kind`.
    pub source_kind: Option<String>,
    /// The heading of the part that is meant, where it tells of several incidents.
    pub part: Option<String>,
    /// The day it was saved.
    pub fetched_at: Option<String>,
    /// What the server said of it, where it was fetched.
    pub response: Option<Response>,
}

impl NewPage {
    /// What is known of it before it is read.
    fn about(&self) -> About<'_> {
        About {
            url: self.url.as_deref(),
            kind: self.kind,
            charset: self.response.as_ref().and_then(Response::charset),
            part: self.part.as_deref(),
            source_kind: self.source_kind.as_deref(),
            id: self.id.as_ref(),
        }
    }
}

/// What becomes of a page that names no case.
#[derive(Debug, Clone, Copy, Default)]
pub struct Intake {
    /// It becomes a new case, unless a case tells its incident already.
    pub new_case: bool,
    /// It joins the case that tells its incident already.
    pub same: bool,
    /// It becomes a new case even so.
    pub distinct: bool,
}

/// A page that tells the incident of a case, and that no one said what to do with.
#[derive(Debug, Clone)]
pub struct Recognized {
    /// The name of its file.
    pub name: String,
    /// The cases that it is like, the likest first.
    pub likeness: Vec<Likeness>,
    /// What it tells otherwise than the likest.
    pub contradictions: Vec<Finding>,
}

/// A page with its place in the library.
#[derive(Debug, Clone)]
pub struct Adopted {
    /// The case.
    pub id: CaseId,
    /// The path it has or gets.
    pub file: String,
    /// Whether the library had these bytes already.
    pub known: bool,
    /// The page and the manifest, to be written.
    pub changes: Vec<Change>,
    /// The page taken through the stages.
    pub run: PageRun,
}

/// What came of looking for the case of a new page.
pub enum Adoption {
    /// It has its case.
    Adopted(Box<Adopted>),
    /// It may have one, and a person has to say.
    Recognized(Recognized),
    /// It tells of several incidents; these are the headings of its parts.
    Several(Vec<String>),
}

/// Finds the case of a new page and its place in that case's raw folder. `pending` are the cases that this run
/// made of pages before; one that it makes of this page is added.
pub fn adopt(
    page: &NewPage,
    library: &Library,
    snapshot: &Snapshot,
    pending: &mut Vec<CaseFacts>,
    options: Options,
) -> Result<Adoption, Error> {
    let probe = run_page(library, &page.name, &page.bytes, page.about(), options);
    if !probe.parts.is_empty() && page.part.is_none() {
        // A page that lies with its case already has its part in the manifest.
        if let Some(part) = listed_part(page, snapshot) {
            let part = Some(part);
            let page = NewPage {
                part,
                ..page.clone()
            };
            return adopt(&page, library, snapshot, pending, options);
        }
        return Ok(Adoption::Several(probe.parts));
    }
    let id = match case_of(page, &probe, library, snapshot, pending)? {
        Found::Case(id) => id,
        Found::Recognized(found) => return Ok(Adoption::Recognized(found)),
    };
    let doubt = doubt_of(page, &probe, &id, library, snapshot);
    let mut adopted = place(page, id, probe.kind, library, snapshot, options)?;
    if !adopted.known {
        adopted.run.findings.extend(doubt);
    }
    let is_new = !snapshot
        .records
        .iter()
        .any(|r| r.case.id.as_ref() == Some(&adopted.id));
    if let (true, Some(seen)) = (is_new, adopted.run.seen()) {
        pending.push(CaseFacts::of_page(adopted.id.clone(), &seen));
    }
    Ok(Adoption::Adopted(Box::new(adopted)))
}

/// A warning where a curator names the case of a page and the two have nothing in common, or the days speak
/// against it.
fn doubt_of(
    page: &NewPage,
    probe: &PageRun,
    id: &CaseId,
    library: &Library,
    snapshot: &Snapshot,
) -> Option<Finding> {
    page.id.as_ref()?;
    let mut records = snapshot.records.iter();
    let record = records.find(|r| r.case.id.as_ref() == Some(id))?;
    let seen = probe.seen()?;
    let case = CaseFacts::of(id.clone(), &record.case, &library.lexicon);
    let found = likeness(&seen, &[case]).pop()?;
    let another_day = found.reasons.iter().find(|r| r.what == "another day");
    let message = match another_day {
        _ if found.verdict != Verdict::Other => return None,
        Some(day) => format!(
            "the page tells of {} as the day of its incident, and {id} has another one",
            day.values.join(", ")
        ),
        None if found.score <= 0.0 => {
            format!("the page has no day, name, time or number in common with {id}")
        }
        None => return None,
    };
    let file = format!("raw/{id}/{}", page.name);
    let finding = Finding::new("another-incident", Level::Warning, &file, message);
    Some(finding.help("see whether it tells the same incident; `--new` makes a case of its own"))
}

/// The place of a page in the raw folder of its case, and what has to be written for it.
fn place(
    page: &NewPage,
    id: CaseId,
    found: Option<PageKind>,
    library: &Library,
    snapshot: &Snapshot,
    options: Options,
) -> Result<Adopted, Error> {
    let sha256 = sha256_of_bytes(&page.bytes);
    let folder = snapshot.folder(id.as_str());
    let mut manifest = folder
        .and_then(|f| f.manifest.as_ref())
        .and_then(|m| m.manifest.clone())
        .unwrap_or_default();
    if folder.is_some_and(|f| f.manifest.as_ref().is_some_and(|m| m.manifest.is_none())) {
        let message =
            format!("raw/{id}/sources.json cannot be read, so no page can be added to it");
        return Err(Error::usage(
            message,
            "run `incidentlib check`, mend the manifest, then ingest again",
        ));
    }
    if let Some(known) = manifest
        .pages
        .iter()
        .find(|p| p.sha256 == sha256 && p.part == page.part)
    {
        let file = format!("raw/{id}/{}", known.file);
        let about = About {
            url: known.url.as_deref(),
            kind: Some(known.kind),
            id: Some(&id),
            ..page.about()
        };
        let run = run_page(library, &file, &page.bytes, about, options);
        return Ok(Adopted {
            id,
            file,
            known: true,
            changes: Vec::new(),
            run,
        });
    }
    let on_disk = folder.and_then(|f| f.files.iter().find(|f| f.sha256 == sha256));
    let name = match on_disk {
        Some(file) => file.name.clone(),
        None => free_name(&page.name, |name| {
            folder.is_some_and(|f| f.files.iter().any(|file| file.name == name))
                || manifest.pages.iter().any(|p| p.file == name)
        }),
    };
    let file = format!("raw/{id}/{name}");
    let kind = page.kind.or(found).unwrap_or(PageKind::Postmortem);
    let about = About {
        kind: Some(kind),
        id: Some(&id),
        ..page.about()
    };
    let mut run = run_page(library, &file, &page.bytes, about, options);
    run.new = true;
    manifest.pages.push(entry(page, name, kind, sha256, &run));
    let text = serde_json::to_value(&manifest)
        .map(|value| print_json(&value))
        .unwrap_or_default();
    let manifest_change = Change {
        file: format!("raw/{id}/sources.json"),
        bytes: text.into_bytes(),
    };
    let page_change = Change {
        file: file.clone(),
        bytes: page.bytes.clone(),
    };
    Ok(Adopted {
        id,
        file,
        known: false,
        changes: vec![page_change, manifest_change],
        run,
    })
}

fn entry(page: &NewPage, file: String, kind: PageKind, sha256: String, run: &PageRun) -> RawPage {
    let by_draft = run.proposal.as_ref().and_then(|p| p.language.as_ref());
    let by_draft = by_draft.map(ToString::to_string);
    RawPage {
        file,
        url: page.url.clone(),
        kind,
        language: by_draft,
        media_type: run.media.to_owned(),
        fetched_at: page.fetched_at.clone(),
        sha256,
        part: page.part.clone(),
        response: page.response.clone(),
        extra: serde_json::Map::new(),
    }
}

enum Found {
    Case(CaseId),
    Recognized(Recognized),
}

fn case_of(
    page: &NewPage,
    probe: &PageRun,
    library: &Library,
    snapshot: &Snapshot,
    pending: &[CaseFacts],
) -> Result<Found, Error> {
    if let Some(fault) = probe.findings.iter().find(|f| f.level == Level::Error) {
        let help = fault
            .help
            .clone()
            .unwrap_or_else(|| "save the page again".to_owned());
        return Err(Error::usage(
            format!("{}: {}", page.name, fault.message),
            help,
        ));
    }
    refuse_wall(page, probe)?;
    let told = probe.proposal.as_ref().and_then(|p| p.case.id.clone());
    if let Some(id) = page.id.clone().or(told) {
        return Ok(Found::Case(id));
    }
    if let Some(id) = holder_of(page, snapshot) {
        return Ok(Found::Case(id));
    }
    let intake = page.intake;
    if !intake.distinct {
        let cases = alike(probe, library, snapshot, pending);
        if let Some(best) = cases.first() {
            let same = best.0.verdict == Verdict::Same;
            if same && intake.same {
                return Ok(Found::Case(best.0.id.clone()));
            }
            if same || !intake.new_case {
                return Ok(Found::Recognized(recognized(page, probe, cases)));
            }
        }
    }
    if intake.new_case || intake.distinct {
        return Ok(Found::Case(next_id(library, snapshot)));
    }
    let why = match (&probe.story, probe.findings.first()) {
        (Some(_), _) => ", and no case of the library tells its incident".to_owned(),
        (None, Some(finding)) => format!(": {}", finding.message),
        (None, None) => String::new(),
    };
    Err(Error::usage(
        format!("{} names no case{why}", page.name),
        "say which case it belongs to with `--id IL-0001`, or make a new case of it with `--new`",
    ))
}

/// What a site shows to programs instead of a page is no evidence. A person who saved such a page sees the finding.
fn refuse_wall(page: &NewPage, probe: &PageRun) -> Result<(), Error> {
    let nature = probe.story.as_ref().map(|s| s.nature);
    if page.response.is_none() || !matches!(nature, Some(Nature::Wall | Nature::Empty)) {
        return Ok(());
    }
    let what = match nature {
        Some(Nature::Empty) => "a page without text, which a script would fill",
        _ => "a check of the browser, a login or an error instead of the page",
    };
    let url = page.url.as_deref().unwrap_or(&page.name);
    Err(Error::usage(
        format!("{url} sends {what}"),
        "open it in a browser, save the page, and ingest the file with `--url`",
    ))
}

/// The part of a page that the manifest of its case names.
fn listed_part(page: &NewPage, snapshot: &Snapshot) -> Option<String> {
    let folder = snapshot.folder(page.id.as_ref()?.as_str())?;
    let sha256 = sha256_of_bytes(&page.bytes);
    let (_, manifest) = folder.manifest()?;
    let mut listed = manifest.pages.iter().filter(|p| p.sha256 == sha256);
    listed.find_map(|p| p.part.clone())
}

/// The case that has these bytes already.
fn holder_of(page: &NewPage, snapshot: &Snapshot) -> Option<CaseId> {
    let sha256 = sha256_of_bytes(&page.bytes);
    let holds = |folder: &&RawFolder| {
        let manifest = folder.manifest().map(|(_, manifest)| manifest);
        let mut listed = manifest.into_iter().flat_map(|m| &m.pages);
        listed.any(|p| p.sha256 == sha256 && p.part == page.part)
    };
    let holder = snapshot.raw.iter().find(holds)?;
    holder.name.parse().ok()
}

/// The cases that tell the incident of a page, or may, the likest first.
fn alike(
    probe: &PageRun,
    library: &Library,
    snapshot: &Snapshot,
    pending: &[CaseFacts],
) -> Vec<(Likeness, CaseFacts)> {
    let Some(seen) = probe.seen() else {
        return Vec::new();
    };
    let records: Vec<_> = snapshot
        .records
        .iter()
        .filter(|r| seen.may_be(&r.case))
        .filter_map(|r| Some((r.case.id.clone()?, &r.case)))
        .collect();
    let mut cases: Vec<CaseFacts> = records
        .into_par_iter()
        .map(|(id, case)| CaseFacts::of(id, case, &library.lexicon))
        .collect();
    cases.extend(pending.iter().cloned());
    let found = likeness(&seen, &cases);
    let alike = found.into_iter().filter(|l| l.verdict != Verdict::Other);
    alike
        .filter_map(|l| {
            let case = cases.iter().find(|c| c.id == l.id)?.clone();
            Some((l, case))
        })
        .collect()
}

fn recognized(page: &NewPage, probe: &PageRun, cases: Vec<(Likeness, CaseFacts)>) -> Recognized {
    let first = cases.first().map(|(_, case)| case);
    Recognized {
        name: page.name.clone(),
        contradictions: first.map_or(Vec::new(), |case| {
            contradictions(&page.name, &probe.facts.facts, case)
        }),
        likeness: cases.into_iter().map(|(l, _)| l).collect(),
    }
}

/// The id after the highest that any record or raw folder has or ever had. Two branches may come to the same one;
/// then git reports the conflict, for both add the same file.
pub fn next_id(library: &Library, snapshot: &Snapshot) -> CaseId {
    let prefix = &library.settings.policy.id_prefix;
    let from_names = snapshot
        .raw
        .iter()
        .filter_map(|f| f.name.parse::<CaseId>().ok());
    let from_files = snapshot.records.iter().filter_map(|r| {
        Path::new(&r.file)
            .file_stem()?
            .to_str()?
            .parse::<CaseId>()
            .ok()
    });
    let from_ids = snapshot.records.iter().filter_map(|r| r.case.id.clone());
    let retired = snapshot.retired.iter().map(|(id, _)| id.clone());
    let highest = from_names
        .chain(retired)
        .chain(from_files)
        .chain(from_ids)
        .filter(|id| id.prefix() == prefix)
        .filter_map(|id| id.digits().parse::<u64>().ok())
        .max()
        .unwrap_or(0);
    let width = library.settings.id_width;
    format!("{prefix}-{:0width$}", highest + 1)
        .parse()
        .expect("a checked prefix with a number of at least four digits is an id")
}

/// A file name that is plain, short and not taken.
fn free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = base
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') {
                c
            } else {
                '-'
            }
        })
        .take(120)
        .collect();
    let plain = plain.trim_start_matches(['.', '-']).to_owned();
    let plain = match plain.as_str() {
        "" | "sources.json" => format!("page-{}", if plain.is_empty() { "1" } else { &plain }),
        _ => plain,
    };
    if !taken(&plain) {
        return plain;
    }
    let (stem, ending) = match plain.rsplit_once('.') {
        Some((stem, ending)) => (stem, format!(".{ending}")),
        None => (plain.as_str(), String::new()),
    };
    (2..)
        .map(|n| format!("{stem}-{n}{ending}"))
        .find(|candidate| !taken(candidate))
        .unwrap_or_else(|| plain.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_free() {
        let check = |name: &str, taken: &[&str], expected: &str| {
            assert_eq!(free_name(name, |n| taken.contains(&n)), expected, "{name}");
        };
        check("case.html", &[], "case.html");
        check("case.html", &["case.html", "case-2.html"], "case-3.html");
        check("../..//etc/passwd", &[], "passwd");
        check("a b?.html", &[], "a-b-.html");
        check("사례.html", &[], "사례.html");
        check(".hidden", &[], "hidden");
        check("sources.json", &[], "page-sources.json");
        check("", &[], "page-1");
    }
}
