//! Ids that were taken out of use: each leads somewhere, and none is used again.

use super::context::Context;
use super::snapshot::Snapshot;
use crate::finding::{Finding, Level, Place, Pointer};
use crate::model::{CaseId, Fate, RETIRED_FILE, Retired, Retirement};

/// What is wrong with the ids of a library that were taken out of use.
pub(super) fn check_retired(snapshot: &Snapshot, cx: &Context<'_>) -> Vec<Finding> {
    let retired = &snapshot.retired;
    let mut findings: Vec<Finding> = retired
        .iter()
        .filter_map(|(id, retirement)| {
            let (message, help) = fault(id, retirement, retired, cx)?;
            let place = Place::Value(Pointer::new(format!("/{id}")));
            let finding = Finding::new("retired-ids", Level::Error, RETIRED_FILE, message);
            Some(finding.at(place).help(help))
        })
        .collect();
    Finding::locate_all(
        &mut findings,
        snapshot.text(RETIRED_FILE).unwrap_or_default(),
    );
    findings
}

fn fault(
    id: &CaseId,
    retirement: &Retirement,
    retired: &Retired,
    cx: &Context<'_>,
) -> Option<(String, &'static str)> {
    let is_there = cx.record(id).is_some();
    let Some(next) = retirement.fate.successor() else {
        let message = format!("`{id}` was withdrawn, and its record is not there to be read");
        let help = "restore the record with `git checkout`; a withdrawn case stays readable";
        return (!is_there).then_some((message, help));
    };
    if is_there {
        let message = format!("`{id}` leads to `{next}`, and there is a record `{id}` too");
        let help = "give the record another id with `incidentlib renumber`, or delete this entry";
        return Some((message, help));
    }
    match retired.successor(id) {
        None => {
            let message = format!("`{id}` leads in a circle");
            Some((message, "name the case that it became"))
        }
        Some(end) if cx.record(end).is_none() => {
            let message = format!("`{id}` leads to `{end}`, and there is no such case");
            Some((message, "name the case that it became"))
        }
        Some(_) => None,
    }
}

/// Ids of an earlier version of a library that are in the later one neither cases nor known as taken out of use.
pub fn vanished(before: &Snapshot, after: &Snapshot) -> Vec<Finding> {
    let ids = before
        .records
        .iter()
        .filter_map(|r| Some((r.case.id.as_ref()?, r.file.as_str())));
    let retired = before.retired.iter().map(|(id, _)| (id, RETIRED_FILE));
    let there: std::collections::HashSet<&str> = after
        .records
        .iter()
        .filter_map(|r| r.case.id.as_ref().map(CaseId::as_str))
        .collect();
    let gone = ids
        .chain(retired)
        .filter(|(id, _)| !there.contains(id.as_str()) && after.retired.get(id).is_none());
    gone.map(|(id, file)| {
        let message = format!("the id `{id}` was in use and vanishes with this change");
        let finding = Finding::new("vanished-id", Level::Error, file, message);
        finding.help(format!(
            "bring it back with `git checkout`, and take it out of use with `incidentlib merge {id} INTO`, `renumber {id} NEW` or `withdraw {id} --why REASON`"
        ))
    })
    .collect()
}

/// What to say of a reference to a case that is not under this id any more; nothing where the id was never taken out
/// of use. `true` where it still can be read there.
pub(super) fn referred(id: &CaseId, retired: &Retired) -> Option<(String, String, bool)> {
    let fate = &retired.get(id)?.fate;
    if let Fate::Withdrawn(why) = fate {
        let message = format!("`{id}` was withdrawn: {why}");
        return Some((message, "delete it, or name another case".to_owned(), true));
    }
    let end = retired.successor(id)?;
    let message = format!("`{id}` is `{end}` now");
    Some((
        message,
        format!("write `{end}`, or let `incidentlib check --fix` do it"),
        false,
    ))
}
