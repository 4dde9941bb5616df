//! Reasoned, dated exceptions to a rule for one record.

use super::context::Context;
use crate::finding::{Finding, Level};
use crate::model::CaseDate;

/// The settings file, which waivers are reported in.
const SETTINGS_FILE: &str = "incidentlib.toml";

/// An exception to one rule for one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// The rule.
    pub rule: String,
    /// The case, `IL-0535`.
    pub case: String,
    /// Why it is right here.
    pub reason: String,
    /// The last day on which it holds.
    pub until: CaseDate,
}

/// Takes waived findings out; reports waivers that are over or that hide nothing.
pub(super) fn apply(findings: &mut Vec<Finding>, cx: &Context<'_>) {
    let mut about = Vec::new();
    for waiver in &cx.policy.waivers {
        let over = cx.today > waiver.until;
        let hits = |f: &Finding| f.rule == waiver.rule && is_about(f, &waiver.case);
        let named = format!("the waiver of `{}` for {}", waiver.rule, waiver.case);
        if over {
            let message = format!("{named} ended on {}", waiver.until);
            let help = "mend the record, or give the waiver a new day with a new reason";
            about
                .push(Finding::new("waiver-over", Level::Error, SETTINGS_FILE, message).help(help));
        } else if findings.iter().any(hits) {
            findings.retain(|f| !hits(f));
        } else {
            let message = format!("{named} hides nothing");
            about.push(
                Finding::new("waiver-unused", Level::Error, SETTINGS_FILE, message)
                    .help("delete it"),
            );
        }
    }
    findings.extend(cx.policy.apply_levels(about));
}

fn is_about(finding: &Finding, case: &str) -> bool {
    finding.file == format!("normalized/{case}.json")
        || finding.file.starts_with(&format!("raw/{case}/"))
}
