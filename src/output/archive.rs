//! What an archive run found out: for people, for programs, for an issue of the weekly run.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::markdown::cell;
use super::style::{BOLD, DIM, counted, styled, visible};
use crate::model::{Asked, Question, Standing, Verdict};

/// A source of a record with the answer about it.
#[derive(Debug, Clone)]
pub struct AnsweredSource {
    /// The case, or the file of its record where it has no id.
    pub case: String,
    /// Where the link stands in the record, as a JSON Pointer (RFC 6901).
    pub pointer: String,
    /// The answer.
    pub asked: Asked,
    /// It was given in an earlier run.
    pub earlier: bool,
}

/// What to do about an answer; nothing where all is well.
pub fn archive_help(answer: &AnsweredSource) -> Option<String> {
    let case = &answer.case;
    Some(match answer.asked.verdict {
        Verdict::Verified | Verdict::Found | Verdict::Saved | Verdict::Alive => return None,
        Verdict::Missing if answer.asked.question == Question::Find => {
            format!("ask for a copy: incidentlib archive {case} --save")
        }
        Verdict::Mismatch | Verdict::Suspicious if answer.asked.copy.is_some() => {
            format!(
                "incidentlib check --fix writes the form that is meant; then look at {case} again"
            )
        }
        Verdict::Mismatch
        | Verdict::Suspicious
        | Verdict::OtherTime
        | Verdict::OtherPage
        | Verdict::ErrorPage
        | Verdict::Redirect
        | Verdict::Challenge
        | Verdict::Circular
        | Verdict::Missing => {
            format!("look for a better copy: incidentlib archive {case} --audit --replace")
        }
        Verdict::Blocked | Verdict::Refused => {
            "keep the page under `raw/`, and waive `archive-missing` with this as the reason"
                .to_owned()
        }
        Verdict::Gone | Verdict::Moved => {
            format!("see that it has a copy: incidentlib archive {case}")
        }
        Verdict::Pending
        | Verdict::Unreachable
        | Verdict::Malformed
        | Verdict::Exhausted
        | Verdict::OutOfBudget => "run it again later: it is asked anew".to_owned(),
    })
}

/// How many answers there are of each standing.
fn counts(answers: &[AnsweredSource]) -> [(Standing, usize); 3] {
    let of = |standing| {
        let all = answers.iter();
        let count = all
            .filter(|a| a.asked.verdict.standing() == standing)
            .count();
        (standing, count)
    };
    [Standing::Ok, Standing::Broken, Standing::Unknown].map(of)
}

/// One line of totals.
pub fn archive_totals(answers: &[AnsweredSource]) -> String {
    let [ok, broken, unknown] =
        counts(answers).map(|(standing, n)| format!("{n} {}", standing.as_str()));
    let earlier = match answers.iter().filter(|a| a.earlier).count() {
        0 => String::new(),
        n => format!("; {} from an earlier run", counted(n, "answer")),
    };
    format!(
        "{}: {ok}, {broken}, {unknown}{earlier}",
        counted(answers.len(), "source")
    )
}

/// The answers for people, those that need work first.
pub fn archive_text(answers: &[AnsweredSource]) -> String {
    let mut out = String::new();
    for answer in answers {
        let asked = &answer.asked;
        let _ = writeln!(
            out,
            "{}  {}  {}",
            styled(BOLD, &answer.case),
            styled(style_of(asked.verdict.standing()), asked.verdict.as_str()),
            visible(&asked.url)
        );
        let _ = writeln!(out, "  {}", visible(&asked.message));
        if let Some(copy) = &asked.copy {
            let _ = writeln!(out, "  {}", visible(copy));
        }
        if let Some(help) = archive_help(answer) {
            let _ = writeln!(out, "  {} {}", styled(DIM, "help:"), visible(&help));
        }
    }
    out
}

fn style_of(standing: Standing) -> anstyle::Style {
    let color = match standing {
        Standing::Ok => anstyle::AnsiColor::Green,
        Standing::Broken => anstyle::AnsiColor::Red,
        Standing::Unknown => anstyle::AnsiColor::Yellow,
    };
    color.on_default()
}

/// One answer as a JSON document.
pub fn archive_json(answer: &AnsweredSource) -> Value {
    let asked = &answer.asked;
    json!({
        "case": answer.case,
        "pointer": answer.pointer,
        "url": asked.url,
        "question": asked.question,
        "outcome": asked.verdict.standing(),
        "verdict": asked.verdict,
        "message": asked.message,
        "archived": asked.archived,
        "copy": asked.copy,
        "asked_at": asked.at,
        "help": archive_help(answer),
    })
}

/// The whole run as a JSON document.
pub fn archive_document(answers: &[AnsweredSource], changed: &[String]) -> Value {
    let [ok, broken, unknown] = counts(answers).map(|(_, n)| n);
    let list: Vec<Value> = answers.iter().map(archive_json).collect();
    json!({
        "sources": answers.len(),
        "ok": ok,
        "broken": broken,
        "unknown": unknown,
        "changed": changed,
        "answers": list,
    })
}

/// The run as Markdown (GitHub flavour): totals, then what needs work, then what nobody could tell.
pub fn archive_markdown(answers: &[AnsweredSource], changed: &[String]) -> String {
    let mut out = format!("## Archived copies\n\n{}.\n", archive_totals(answers));
    if !changed.is_empty() {
        let _ = writeln!(out, "\n{} changed.", counted(changed.len(), "record"));
    }
    let sections = [
        (Standing::Broken, "To do"),
        (Standing::Unknown, "Not known: asked again next time"),
        (Standing::Ok, "In order"),
    ];
    for (standing, title) in sections {
        let rows: Vec<&AnsweredSource> = answers
            .iter()
            .filter(|a| a.asked.verdict.standing() == standing)
            .collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(
            out,
            "\n### {title}\n\n| case | verdict | source | |\n|---|---|---|---|"
        );
        for row in rows {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                cell(&row.case),
                row.asked.verdict.as_str(),
                cell(&row.asked.url),
                cell(row.asked.copy.as_ref().unwrap_or(&row.asked.message))
            );
        }
    }
    out
}
