//! Everything that is wrong in a library, in one run: reading, schema, record rules, library rules,
//! raw page rules.
//!
//! Rules are values in a table ([`RULES`]); each has a bad and a good example that are tests. No rule
//! formats output and none knows the disk.

mod context;
mod evidence;
mod fix;
mod index;
mod links;
mod policy;
mod retired;
mod rule;
mod rules;
mod schema;
mod since;
mod snapshot;
mod texts;
mod waiver;

pub use context::{Context, ReadPages, ReviewedVersions};
pub use fix::fixed;
pub use policy::{Policy, Waiver};
pub use retired::vanished;
pub use rule::{Hits, Rule};
pub use rules::{RULES, rule};
pub use schema::{Schemas, case_schema_for, schema_keys};
pub use since::brought_in;
pub use snapshot::{ManifestFile, RawFile, RawFolder, Snapshot};

use std::collections::HashMap;

use rayon::prelude::*;

use evidence::Evidence;
use rule::Check;

use crate::finding::{Finding, Level, Place};
use crate::read::RecordFile;

/// How many findings of one rule a file is reported with.
const FINDINGS_A_RULE: usize = 100;

/// Checks a whole library. Findings are located and sorted by file and place; waived ones are left
/// out, and a waiver that hides nothing is a finding itself.
pub fn check(snapshot: &Snapshot, cx: &Context<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = snapshot
        .records
        .par_iter()
        .flat_map_iter(|record| {
            let mut findings = check_record(record, cx);
            findings.extend(check_evidence(record, cx));
            findings
        })
        .collect();
    findings.par_extend(
        snapshot
            .raw
            .par_iter()
            .flat_map_iter(|folder| check_raw(folder, cx)),
    );
    findings.extend(retired::check_retired(snapshot, cx));
    let mut reading = snapshot.findings.clone();
    reading
        .iter_mut()
        .for_each(|f| f.level = default_level(f.rule, f.level));
    findings.extend(reading);
    if snapshot.records.is_empty() {
        let message = "the library has no record that can be read";
        let finding = Finding::new("no-records", Level::Error, "normalized", message);
        findings.push(finding.help("add one with `incidentlib ingest PAGE`"));
    }
    let mut findings = cx.policy.apply_levels(findings);
    waiver::apply(&mut findings, cx.policy, cx.today);
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    findings.dedup();
    findings
}

/// Checks one record by itself and against the index of the library.
pub fn check_record(record: &RecordFile, cx: &Context<'_>) -> Vec<Finding> {
    let mut hits = Hits::new(&record.file);
    for rule in RULES.iter() {
        if let Check::Record(check) = rule.check {
            check(record, cx, hits.under(rule));
        }
    }
    let mut findings = hits.found();
    for finding in schema::check_record(record, cx) {
        // A rule that knows the field says it better than the schema does.
        let said = finding
            .place
            .pointer()
            .is_some_and(|p| findings.iter().any(|f| f.place.pointer() == Some(p)));
        if !said || finding.rule == "unknown-key" {
            findings.push(finding);
        }
    }
    let mut findings = bounded(findings);
    Finding::locate_all(&mut findings, &record.text);
    findings
}

/// Looks the facts of one record up in its raw pages; nothing where the context cannot read them.
pub fn check_evidence(record: &RecordFile, cx: &Context<'_>) -> Vec<Finding> {
    let folder = record.case.id.as_ref();
    let folder = folder.and_then(|id| cx.snapshot.folder(id.as_str()));
    let (Some(folder), Some(read)) = (folder, cx.pages) else {
        return Vec::new();
    };
    let evidence = Evidence::of(&record.case, folder, read, cx.lexicon);
    let mut hits = Hits::new(&record.file);
    for rule in RULES.iter() {
        if let Check::Evidence(check) = rule.check {
            check(record, &evidence, cx, hits.under(rule));
        }
    }
    let mut findings = bounded(hits.found());
    Finding::locate_all(&mut findings, &record.text);
    findings
}

/// Checks one raw folder and its manifest.
pub fn check_raw(folder: &RawFolder, cx: &Context<'_>) -> Vec<Finding> {
    let mut hits = Hits::new(&folder.path);
    for rule in RULES.iter() {
        if let Check::Raw(check) = rule.check {
            check(folder, cx, hits.under(rule));
        }
    }
    let mut findings = hits.found();
    if let Some(manifest) = &folder.manifest {
        findings.extend(schema::check_manifest(manifest, cx));
        let own = findings
            .iter_mut()
            .filter(|f| f.file == manifest.file && f.place != Place::File);
        own.for_each(|f| f.locate_in(&manifest.text));
    }
    findings
}

/// The first findings of each rule, and in the last of them how many are left out: one bad file must not fill the
/// memory, nor the screen.
fn bounded(findings: Vec<Finding>) -> Vec<Finding> {
    if findings.len() <= FINDINGS_A_RULE {
        return findings;
    }
    let mut counts: HashMap<&'static str, (usize, usize)> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let (count, last) = counts.entry(finding.rule).or_default();
        *count += 1;
        if *count <= FINDINGS_A_RULE {
            *last = kept.len();
            kept.push(finding);
        }
    }
    for (count, last) in counts.into_values() {
        if let more @ 1.. = count.saturating_sub(FINDINGS_A_RULE) {
            let message = &mut kept[last].message;
            message.push_str(&format!("; and {more} more of this kind in this file"));
        }
    }
    kept
}

fn default_level(id: &str, otherwise: Level) -> Level {
    rule(id).map_or(otherwise, |rule| rule.level)
}
