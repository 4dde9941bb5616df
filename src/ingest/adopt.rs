//! New pages: which case they belong to, and what has to be written to take them in.

use std::path::Path;

use super::{PageRun, run_page};
use crate::check::Snapshot;
use crate::finding::Level;
use crate::library::{Change, Error, Library};
use crate::model::{CaseId, PageKind, RawPage, print_json, sha256_of_bytes};

/// A page from outside the library, and what its curator says about it.
#[derive(Debug, Clone, Default)]
pub struct NewPage {
    /// File name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The case it belongs to, when the curator says.
    pub id: Option<CaseId>,
    /// Whether a page that names no case becomes a new one.
    pub new_case: bool,
    /// Where it was saved from.
    pub url: Option<String>,
    /// What it is, when the curator says.
    pub kind: Option<PageKind>,
    /// The day it was saved.
    pub fetched_at: Option<String>,
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

/// Finds the case of a new page and its place in that case's raw folder.
pub fn adopt(page: &NewPage, library: &Library, snapshot: &Snapshot) -> Result<Adopted, Error> {
    let sha256 = sha256_of_bytes(&page.bytes);
    let probe = run_page(
        library,
        &page.name,
        &page.bytes,
        page.kind,
        page.id.as_ref(),
    );
    let id = case_of(page, &probe, library, snapshot)?;
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
    if let Some(known) = manifest.pages.iter().find(|p| p.sha256 == sha256) {
        let file = format!("raw/{id}/{}", known.file);
        let run = run_page(library, &file, &page.bytes, Some(known.kind), Some(&id));
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
    let kind = page.kind.or(probe.kind).unwrap_or(PageKind::Postmortem);
    let mut run = run_page(library, &file, &page.bytes, Some(kind), Some(&id));
    run.url.clone_from(&page.url);
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
    let language = run.proposal.as_ref().and_then(|p| p.language.as_ref());
    RawPage {
        file,
        url: page.url.clone(),
        kind,
        language: language.map(ToString::to_string),
        media_type: run.media.to_owned(),
        fetched_at: page.fetched_at.clone(),
        sha256,
        extra: serde_json::Map::new(),
    }
}

fn case_of(
    page: &NewPage,
    probe: &PageRun,
    library: &Library,
    snapshot: &Snapshot,
) -> Result<CaseId, Error> {
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
    let told = probe.proposal.as_ref().and_then(|p| p.case.id.clone());
    if let Some(id) = page.id.clone().or(told) {
        return Ok(id);
    }
    if page.new_case {
        return Ok(next_id(library, snapshot));
    }
    let why = probe
        .findings
        .first()
        .map_or(String::new(), |f| format!(": {}", f.message));
    Err(Error::usage(
        format!("{} names no case{why}", page.name),
        "say which case it belongs to with `--id IL-0001`, or make a new case of it with `--new`",
    ))
}

/// The id after the highest that any record or raw folder has. Two branches may come to the same one;
/// then git reports the conflict, for both add the same file.
fn next_id(library: &Library, snapshot: &Snapshot) -> CaseId {
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
    let highest = from_names
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
