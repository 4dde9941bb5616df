//! The way of one case through the stages.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::findings::{Counts, findings_text, summary_line};
use super::json::finding_json;
use super::style::{BOLD, DIM, GREEN, counted, size, styled, visible};
use crate::finding::{Finding, Level, shortened};
use crate::ingest::{CaseRun, PageRun, Recognized};
use crate::model::{Case, PageKind};
use crate::recognize::{Likeness, Verdict};

/// How much of a text is shown in a line.
const SHOWN: usize = 72;

/// One case for people: a line for each stage, then what was found. `notes` says whether notes are
/// shown too.
pub fn case_run_text(run: &CaseRun, written: bool, notes: bool) -> String {
    let mut out = String::new();
    let title = title_of(&run.merged.case);
    let _ = writeln!(
        out,
        "{}  {}",
        styled(BOLD, &run.id),
        styled(BOLD, shortened(&visible(&title), SHOWN))
    );
    for (i, page) in run.pages.iter().enumerate() {
        let _ = writeln!(
            out,
            "  {}{}",
            stage(if i == 0 { "read" } else { "" }),
            page_line(page)
        );
    }
    if run.pages.is_empty() {
        let _ = writeln!(out, "  {}no raw page", stage("read"));
    }
    let _ = writeln!(out, "  {}{}", stage("extracted"), extracted_line(run));
    let _ = writeln!(out, "  {}{}", stage("normalized"), normalized_line(run));
    if let Some(line) = suggested_line(run) {
        let _ = writeln!(out, "  {}{line}", stage("suggested"));
    }
    let _ = writeln!(out, "  {}{}", stage("merged"), merged_line(run));
    let _ = writeln!(out, "  {}{}", stage("checked"), checked_line(run));
    let _ = writeln!(out, "  {}{}", stage("wrote"), wrote_line(run, written));
    let shown: Vec<&Finding> = run
        .findings()
        .filter(|f| notes || f.level != Level::Note)
        .collect();
    out.push_str(&findings_text(shown, "    "));
    out
}

fn stage(name: &str) -> String {
    styled(DIM, format!("{name:<12}"))
}

fn page_line(page: &PageRun) -> String {
    let name = page.file.rsplit('/').next().unwrap_or(&page.file);
    let kind = match page.kind {
        Some(PageKind::ApiRecord) => "API record",
        Some(PageKind::CasePage) => "case page",
        Some(PageKind::Postmortem) => "postmortem",
        None => "unknown kind",
    };
    let language = page.proposal.as_ref().and_then(|p| p.language.as_ref());
    let kind = language.map_or(kind.to_owned(), |language| format!("{kind}, {language}"));
    let line = format!(
        "{:<22} {kind:<15} {:>9}  {}",
        visible(name),
        size(page.length),
        page.encoding
    );
    line.trim_end().to_owned()
}

fn extracted_line(run: &CaseRun) -> String {
    let proposals = run.pages.iter().filter_map(|p| p.proposal.as_ref());
    let claims: usize = proposals.map(|p| p.claims).sum();
    let silent = run.pages.iter().filter(|p| p.proposal.is_none());
    let mut parts = vec![counted(claims, "claim")];
    for page in silent {
        let name = page.file.rsplit('/').next().unwrap_or(&page.file);
        let blocks = counted(page.blocks, "block");
        parts.push(match page.kind {
            Some(PageKind::Postmortem) => format!("{} kept as evidence ({blocks})", visible(name)),
            _ => format!("nothing from {}", visible(name)),
        });
    }
    parts.join(" · ")
}

fn normalized_line(run: &CaseRun) -> String {
    let grounds = run
        .pages
        .iter()
        .filter_map(|p| p.proposal.as_ref())
        .flat_map(|p| &p.grounds);
    let (mut terms, mut times, mut texts, mut addresses) = (0, 0, 0, 0);
    for g in grounds.filter(|g| !g.value.is_null()) {
        match g.pointer.field().as_str() {
            "domain" | "severity" | "root_cause" | "contributing" | "components" | "symptoms"
            | "date_kind" => terms += 1,
            "date" | "timeline" => times += 1,
            "sources" | "docs" => addresses += 1,
            "id" | "org" | "related" | "recurrence_of" | "review" => {}
            _ => texts += 1,
        }
    }
    let mut line = [
        counted(terms, "term"),
        counted(times, "day or duration").replace("day or durations", "days and durations"),
        counted(addresses, "source field"),
        counted(texts, "text"),
    ]
    .join(" · ");
    let similar = run.similar().len();
    if similar > 0 {
        let _ = write!(line, " · {}", counted(similar, "similar case"));
    }
    line
}

/// The terms that postmortems name for fields that the record leaves blank, the best of each.
fn suggested_line(run: &CaseRun) -> Option<String> {
    let case = &run.merged.case;
    let blank = |field: &str| match field {
        "domain" => case.domain.is_empty(),
        "components" => case.components.is_empty(),
        "symptoms" => case.symptoms.is_empty(),
        "contributing" => case.contributing.is_empty(),
        _ => case.root_cause.is_none(),
    };
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for suggestion in run.suggestions().filter(|s| blank(s.field)) {
        match fields
            .iter_mut()
            .find(|(field, _)| *field == suggestion.field)
        {
            Some((_, terms)) if terms.contains(&suggestion.term.as_str()) => {}
            Some((_, terms)) => terms.push(&suggestion.term),
            None => fields.push((suggestion.field, vec![&suggestion.term])),
        }
    }
    let fields: Vec<String> = fields
        .iter()
        .map(|(field, terms)| format!("{field}: {}", terms[..terms.len().min(3)].join(", ")))
        .collect();
    (!fields.is_empty()).then(|| format!("{} (`--with-terms` fills them in)", fields.join(" · ")))
}

fn merged_line(run: &CaseRun) -> String {
    let contradictions = run
        .merged
        .findings
        .iter()
        .filter(|f| f.level != Level::Note)
        .count();
    let notes = run.merged.findings.len() - contradictions;
    let filled = run.merged.changes.len();
    let mut parts = Vec::new();
    if run.pages.iter().all(|p| p.proposal.is_none()) {
        parts.push("nothing to merge".to_owned());
    } else if filled == 0 && contradictions == 0 && notes == 0 {
        parts.push(styled(GREEN, "the pages agree with the record"));
    } else {
        if filled > 0 {
            parts.push(format!(
                "{} filled: {}",
                counted(filled, "field"),
                fields_of(run)
            ));
        }
        if contradictions > 0 {
            parts.push(counted(contradictions, "contradiction"));
        }
        if notes > 0 {
            parts.push(counted(notes, "note"));
        }
    }
    parts.join(" · ")
}

/// The fields that were filled, each once, by their top-level name.
fn fields_of(run: &CaseRun) -> String {
    let mut names: Vec<String> = Vec::new();
    for change in &run.merged.changes {
        let name = change.pointer.field();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(6);
    names.truncate(6);
    match more {
        0 => names.join(", "),
        _ => format!("{} and {more} more", names.join(", ")),
    }
}

fn checked_line(run: &CaseRun) -> String {
    if run.after.is_none() {
        return "no record to check".to_owned();
    }
    let counts = Counts::of(&run.checked);
    if counts == Counts::default() {
        return styled(GREEN, "clean");
    }
    summary_line(counts)
}

fn wrote_line(run: &CaseRun, written: bool) -> String {
    match (&run.after, &run.before, run.writes()) {
        (None, _, _) => "nothing: no page tells enough for a record".to_owned(),
        (_, _, false) => "nothing: the record is up to date".to_owned(),
        (_, None, true) if written => format!("{} (new)", run.file),
        (_, Some(_), true) if written => run.file.clone(),
        (_, None, true) => format!("nothing: {} would be new", run.file),
        (_, Some(_), true) => format!("nothing: {} would change", run.file),
    }
}

fn title_of(case: &Case) -> String {
    let text = case.title.as_ref().and_then(|t| t.iter().next());
    text.map_or("(no title)", |(_, text)| text).to_owned()
}

/// How many values of a reason are shown.
const VALUES: usize = 8;

/// A page that tells the incident of a case: why, and what it tells otherwise.
pub fn recognized_text(page: &Recognized) -> String {
    let mut out = String::new();
    for likeness in &page.likeness {
        let how = match likeness.verdict {
            Verdict::Same => "tells the incident of",
            _ => "may tell the incident of",
        };
        let _ = writeln!(
            out,
            "{} {how} {} (score {})",
            styled(BOLD, visible(&page.name)),
            styled(BOLD, &likeness.id),
            likeness.score
        );
        out.push_str(&reasons_text(likeness));
    }
    if !page.contradictions.is_empty() {
        let _ = writeln!(out, "  and tells otherwise:");
        out.push_str(&findings_text(
            page.contradictions.iter().collect::<Vec<_>>(),
            "    ",
        ));
    }
    out
}

fn reasons_text(likeness: &Likeness) -> String {
    let mut out = String::new();
    for reason in &likeness.reasons {
        let more = reason.values.len().saturating_sub(VALUES);
        let mut values = reason.values.clone();
        values.truncate(VALUES);
        let values = visible(&values.join(", "));
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let line = format!(
            "  {:<24}{:>5}  {values}{more}",
            reason.what,
            format!("{:+.1}", reason.weight)
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// The same for programs.
pub fn recognized_json(page: &Recognized) -> Value {
    json!({
        "page": page.name,
        "state": "recognized",
        "likeness": page.likeness,
        "findings": page.contradictions.iter().map(finding_json).collect::<Vec<_>>(),
    })
}

/// One case for programs.
pub fn case_run_json(run: &CaseRun, written: bool) -> Value {
    let pages: Vec<Value> = run
        .pages
        .iter()
        .map(|page| {
            json!({
                "file": page.file,
                "bytes": page.length,
                "media_type": page.media,
                "encoding": page.encoding,
                "kind": page.kind.map(PageKind::as_str),
                "language": page.proposal.as_ref().and_then(|p| p.language.as_ref()).map(ToString::to_string),
                "claims": page.proposal.as_ref().map_or(0, |p| p.claims),
            })
        })
        .collect();
    let changes: Vec<Value> = run
        .merged
        .changes
        .iter()
        .map(|c| json!({ "pointer": c.pointer.as_str(), "value": c.value, "from": c.from }))
        .collect();
    json!({
        "id": run.id.to_string(),
        "file": run.file,
        "pages": pages,
        "changes": changes,
        "similar": run.similar(),
        "suggestions": run.suggestions().collect::<Vec<_>>(),
        "findings": run.findings().map(finding_json).collect::<Vec<_>>(),
        "state": match (run.writes(), written) {
            (false, _) => "unchanged",
            (true, true) => "written",
            (true, false) => "would-change",
        },
        "record": run.merged.case.to_value(),
    })
}
