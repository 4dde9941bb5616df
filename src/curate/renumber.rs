//! A case gets another id.

use super::{Plan, Refusal, Shelf};
use crate::model::{CaseDate, CaseId, Fate, Retirement};

/// Gives the case `old` the id `new`: its record and raw folder move, references and waivers follow, and `old` leads to
/// `new` from then on. Reviews stand.
pub fn renumber(
    shelf: &Shelf<'_>,
    old: &CaseId,
    new: &CaseId,
    today: CaseDate,
) -> Result<Plan, Refusal> {
    let record = shelf.record(old)?;
    if old == new {
        let message = format!("{old} has this id already");
        return Err(Refusal::new(message, "name another id"));
    }
    let taken = shelf
        .snapshot
        .records
        .iter()
        .any(|r| r.case.id.as_ref() == Some(new) || r.file == format!("normalized/{new}.json"))
        || shelf.folder(new).is_some();
    let retired = shelf.snapshot.retired.get(new);
    // An id that leads back to this very case may be taken again: a renumbering is undone that way.
    let comes_back = shelf.snapshot.retired.successor(new) == Some(old);
    if taken || retired.is_some() && !comes_back {
        let what = if taken {
            "is in use"
        } else {
            "was in use once"
        };
        return Err(Refusal::new(
            format!("the id `{new}` {what}"),
            "take a free one: `incidentlib next-id` prints it",
        ));
    }
    if new.prefix() != old.prefix() {
        return Err(Refusal::new(
            format!("the ids of this library start with `{}-`", old.prefix()),
            "take a free one: `incidentlib next-id` prints it",
        ));
    }
    let mut plan = Plan::default();
    let mut case = record.case.clone();
    case.renumber(new);
    plan.write(format!("normalized/{new}.json"), case.print());
    plan.removed.push(record.file.clone());
    if let Some(folder) = shelf.folder(old) {
        let names = folder.files.iter().map(|f| f.name.as_str());
        let manifest = folder.manifest.iter().map(|_| "sources.json");
        for name in names.chain(manifest) {
            let from = format!("{}/{name}", folder.path);
            plan.write(format!("raw/{new}/{name}"), shelf.bytes(&from)?);
            plan.removed.push(from);
        }
    }
    plan.lead_references(shelf, old, new, &[&record.file]);
    let mut ids = shelf.snapshot.retired.clone();
    ids.remove(new);
    ids.insert(
        old.clone(),
        Retirement {
            fate: Fate::RenumberedTo(new.clone()),
            on: today,
        },
    );
    plan.write_retired(&ids);
    Ok(plan)
}
