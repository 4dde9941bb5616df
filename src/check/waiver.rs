//! Takes waived findings out, and looks after the waivers themselves.

use std::collections::HashMap;

use super::policy::Policy;
use crate::finding::{Finding, Level};
use crate::model::CaseDate;

/// The settings file, which waivers are reported in.
const SETTINGS_FILE: &str = "incidentlib.toml";

/// Takes waived findings out; reports waivers that are over or that hide nothing.
pub(super) fn apply(findings: &mut Vec<Finding>, policy: &Policy, today: CaseDate) {
    let holds = policy.waivers.iter().filter(|w| today <= w.until);
    let mut holding: HashMap<(&str, String), bool> = holds
        .map(|w| ((w.rule.as_str(), w.case.clone()), false))
        .collect();
    findings.retain(|finding| {
        if holding.is_empty() {
            return true;
        }
        let case = case_of(&finding.file).map(str::to_owned);
        let waiver = case.and_then(|case| holding.get_mut(&(finding.rule, case)));
        waiver.map(|hides| *hides = true).is_none()
    });
    let mut about = Vec::new();
    for waiver in &policy.waivers {
        let named = format!("the waiver of `{}` for {}", waiver.rule, waiver.case);
        if today > waiver.until {
            let message = format!("{named} ended on {}", waiver.until);
            let help = "mend the record, or give the waiver a new day with a new reason";
            about
                .push(Finding::new("waiver-over", Level::Error, SETTINGS_FILE, message).help(help));
        } else if holding.remove(&(waiver.rule.as_str(), waiver.case.clone())) != Some(true) {
            // The second waiver of one rule for one case hides nothing either.
            let message = format!("{named} hides nothing");
            about.push(
                Finding::new("waiver-unused", Level::Error, SETTINGS_FILE, message)
                    .help("delete it"),
            );
        }
    }
    findings.extend(policy.apply_levels(about));
}

/// The case that a file of the library belongs to: `normalized/IL-0001.json`, `raw/IL-0001/page.html`.
fn case_of(file: &str) -> Option<&str> {
    let record = file.strip_prefix("normalized/");
    let record = record.and_then(|name| name.strip_suffix(".json"));
    let raw = || file.strip_prefix("raw/")?.split_once('/').map(|at| at.0);
    record.or_else(raw)
}
