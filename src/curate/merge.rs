//! Two cases tell one incident: one keeps the sources, pages and relations of both.

use serde_json::Value;

use super::{Plan, Refusal, Shelf};
use crate::model::{Case, CaseDate, CaseId, Fate, Manifest, Retirement, print_json};
use crate::normalize::same_address;

/// Makes the case `id` one with `into`: its sources, relations and raw pages move there, references and waivers follow,
/// and the old id leads to `into` for ever. What its record says otherwise, or alone, is told in the notes; nothing of
/// the record that stays is overwritten.
pub fn merge(
    shelf: &Shelf<'_>,
    id: &CaseId,
    into: &CaseId,
    today: CaseDate,
) -> Result<Plan, Refusal> {
    let (gone, stays) = (shelf.record(id)?, shelf.record(into)?);
    if id == into {
        let message = format!("{id} cannot become one with itself");
        return Err(Refusal::new(message, "name the two cases"));
    }
    if let Some(why) = shelf.snapshot.retired.withdrawn(into) {
        return Err(Refusal::new(
            format!("{into} was withdrawn: {why}"),
            format!("take it back first: incidentlib withdraw {into} --undo"),
        ));
    }
    let mut plan = Plan::default();
    let mut case = stays.case.clone();
    take_sources(&mut case, &gone.case);
    case.refer(id, into);
    for related in gone.case.references() {
        let is_new = !case.references().contains(&related);
        if is_new && related != *into && related != *id {
            case.related.push(related);
        }
    }
    if case.recurrence_of.is_none() {
        let earlier = gone.case.recurrence_of.clone();
        case.recurrence_of = earlier.filter(|earlier| earlier != into && earlier != id);
        case.related
            .retain(|r| Some(r) != case.recurrence_of.as_ref());
    }
    plan.notes = differences(&case, &gone.case);
    if case.print() != stays.text {
        plan.write(&stays.file, case.print());
    }
    plan.removed.push(gone.file.clone());
    move_pages(&mut plan, shelf, id, into)?;
    plan.lead_references(shelf, id, into, &[&gone.file, &stays.file]);
    let mut ids = shelf.snapshot.retired.clone();
    ids.insert(
        id.clone(),
        Retirement {
            fate: Fate::MergedInto(into.clone()),
            on: today,
        },
    );
    plan.write_retired(&ids);
    Ok(plan)
}

fn take_sources(case: &mut Case, from: &Case) {
    for source in &from.sources {
        let known = case
            .sources
            .iter_mut()
            .find(|s| match (&s.url, &source.url) {
                (Some(a), Some(b)) => same_address(a, b),
                _ => false,
            });
        match known {
            Some(known) if known.archived.is_none() => known.archived.clone_from(&source.archived),
            Some(_) => {}
            None => case.sources.push(source.clone()),
        }
    }
}

/// What the record that goes says alone, or otherwise.
fn differences(stays: &Case, gone: &Case) -> Vec<String> {
    const FOLLOW: [&str; 5] = ["id", "sources", "related", "recurrence_of", "review"];
    let (Value::Object(stays), Value::Object(gone)) = (stays.to_value(), gone.to_value()) else {
        return Vec::new();
    };
    let blank = |value: &Value| match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    };
    let fields = gone.iter().filter(|(key, value)| {
        !FOLLOW.contains(&key.as_str()) && !blank(value) && stays.get(*key) != Some(value)
    });
    fields
        .map(|(key, _)| match stays.get(key).is_none_or(blank) {
            true => format!("`{key}` was filled in there and is blank here"),
            false => format!("`{key}` is told differently"),
        })
        .collect()
}

/// Raw pages move under names that are free, and their manifests become one.
fn move_pages(
    plan: &mut Plan,
    shelf: &Shelf<'_>,
    id: &CaseId,
    into: &CaseId,
) -> Result<(), Refusal> {
    let Some(folder) = shelf.folder(id) else {
        return Ok(());
    };
    let target = shelf.folder(into);
    let unreadable = |id: &CaseId| {
        Refusal::new(
            format!("the manifest raw/{id}/sources.json cannot be read"),
            "mend it first: `incidentlib check` says where",
        )
    };
    let manifest_of = |folder: &crate::check::RawFolder, id: &CaseId| match &folder.manifest {
        None => Ok(Manifest::default()),
        Some(file) => file.manifest.clone().ok_or_else(|| unreadable(id)),
    };
    let mut manifest = target.map_or(Ok(Manifest::default()), |t| manifest_of(t, into))?;
    let moving = manifest_of(folder, id)?;
    let mut taken: Vec<String> = target
        .iter()
        .flat_map(|t| t.files.iter().map(|f| f.name.clone()))
        .collect();
    let known: Vec<String> = target
        .iter()
        .flat_map(|t| t.files.iter().map(|f| f.sha256.clone()))
        .collect();
    for file in &folder.files {
        let from = format!("{}/{}", folder.path, file.name);
        let entries = moving.pages.iter().filter(|p| p.file == file.name);
        plan.removed.push(from.clone());
        // The same bytes lie there already.
        if known.contains(&file.sha256) {
            continue;
        }
        let mut name = file.name.clone();
        if taken.contains(&name) {
            name = format!("{}.{name}", id.as_str().to_lowercase());
        }
        for entry in entries {
            let mut entry = entry.clone();
            entry.file.clone_from(&name);
            manifest.pages.push(entry);
        }
        plan.write(format!("raw/{into}/{name}"), shelf.bytes(&from)?);
        taken.push(name);
    }
    if folder.manifest.is_some() {
        plan.removed.push(format!("{}/sources.json", folder.path));
    }
    if let Ok(value) = serde_json::to_value(&manifest)
        && !manifest.pages.is_empty()
    {
        plan.write(format!("raw/{into}/sources.json"), print_json(&value));
    }
    Ok(())
}
