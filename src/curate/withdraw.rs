//! A case is withdrawn: it should not have been in the library. Its record stays readable, with the reason.

use super::{Plan, Refusal, Shelf};
use crate::model::{CaseDate, CaseId, Fate, Retirement};

/// Withdraws a case for a reason.
pub fn withdraw(
    shelf: &Shelf<'_>,
    id: &CaseId,
    why: &str,
    today: CaseDate,
) -> Result<Plan, Refusal> {
    shelf.record(id)?;
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    if why.is_empty() {
        return Err(Refusal::new(
            "a case is withdrawn for a reason, and none is given",
            "say why in a sentence: `--why \"the incident was a drill\"`",
        ));
    }
    let mut plan = Plan::default();
    let mut ids = shelf.snapshot.retired.clone();
    ids.insert(
        id.clone(),
        Retirement {
            fate: Fate::Withdrawn(why),
            on: today,
        },
    );
    plan.write_retired(&ids);
    let naming = shelf
        .snapshot
        .records
        .iter()
        .filter(|r| r.case.references().contains(id));
    plan.notes
        .extend(naming.map(|r| format!("{} names it", r.file)));
    Ok(plan)
}

/// Takes a withdrawal back.
pub fn reinstate(shelf: &Shelf<'_>, id: &CaseId) -> Result<Plan, Refusal> {
    let mut plan = Plan::default();
    let mut ids = shelf.snapshot.retired.clone();
    if shelf.snapshot.retired.withdrawn(id).is_none() || ids.remove(id).is_none() {
        let message = format!("{id} is not withdrawn");
        return Err(Refusal::new(message, "nothing is to be undone"));
    }
    plan.write_retired(&ids);
    Ok(plan)
}
