//! Findings as SARIF 2.1.0 (OASIS), which code hosts show as alerts. Columns count Unicode code points.

use std::collections::BTreeMap;

use serde_json::json;
use serde_sarif::sarif::{
    ArtifactLocation, Location, Message, MultiformatMessageString, PhysicalLocation, Region,
    ReportingConfiguration, ReportingDescriptor, Result as SarifResult, ResultLevel, Run, Sarif,
    Tool, ToolComponent,
};
use url::Url;

use super::Listing;
use super::listing::message_with_help;
use crate::check::RULES;
use crate::finding::{Finding, Level};
use crate::model::sha256_of_bytes;

/// The findings as a SARIF log of one run, with every rule.
pub fn findings_sarif(listing: &Listing) -> Sarif {
    let mut rules: Vec<ReportingDescriptor> = RULES
        .iter()
        .map(|rule| descriptor(rule.id, rule.level, rule.why))
        .collect();
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    let mut at: BTreeMap<String, i64> = rules.iter().map(|r| r.id.clone()).zip(0..).collect();
    for finding in &listing.findings {
        // What reading a file has to say is no rule of the check.
        let next = i64::try_from(at.len()).unwrap_or(i64::MAX);
        at.entry(finding.rule.to_owned()).or_insert_with(|| {
            rules.push(descriptor(finding.rule, finding.level, finding.rule));
            next
        });
    }
    let results: Vec<SarifResult> = listing
        .findings
        .iter()
        .map(|finding| result(listing, finding, at[finding.rule]))
        .collect();
    let driver = ToolComponent::builder()
        .name(env!("CARGO_PKG_NAME"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(rules)
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .column_kind(json!("unicodeCodePoints"))
        .results(results)
        .build();
    Sarif::builder()
        .schema("https://json.schemastore.org/sarif-2.1.0.json")
        .version(json!("2.1.0"))
        .runs(vec![run])
        .build()
}

fn descriptor(id: &str, level: Level, why: &str) -> ReportingDescriptor {
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    ReportingDescriptor::builder()
        .id(id)
        .short_description(text(why))
        .help(text(&format!("`incidentlib check --explain {id}`")))
        .default_configuration(
            ReportingConfiguration::builder()
                .level(json!(word(level).to_string()))
                .build(),
        )
        .build()
}

fn word(level: Level) -> ResultLevel {
    match level {
        Level::Error => ResultLevel::Error,
        Level::Warning => ResultLevel::Warning,
        Level::Note => ResultLevel::Note,
    }
}

fn result(listing: &Listing, finding: &Finding, rule_index: i64) -> SarifResult {
    let path = listing.path(finding);
    let file = ArtifactLocation::builder().uri(uri(&path)).build();
    let physical = match finding.position {
        None => PhysicalLocation::builder().artifact_location(file).build(),
        Some(start) => {
            let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
            let mut region = Region::builder()
                .start_line(number(start.line))
                .start_column(number(start.column))
                .build();
            if let Some(end) = finding.end {
                region.end_line = Some(number(end.line));
                region.end_column = Some(number(end.column));
            }
            PhysicalLocation::builder()
                .artifact_location(file)
                .region(region)
                .build()
        }
    };
    // The same finding keeps its fingerprint when lines above it come and go.
    let same = format!("{}\n{path}\n{}", finding.rule, finding.message);
    let print = BTreeMap::from([(
        "incidentlib/v1".to_owned(),
        sha256_of_bytes(same.as_bytes()),
    )]);
    SarifResult::builder()
        .rule_id(finding.rule)
        .rule_index(rule_index)
        .level(word(finding.level))
        .message(Message::builder().text(message_with_help(finding)).build())
        .locations(vec![
            Location::builder().physical_location(physical).build(),
        ])
        .partial_fingerprints(print)
        .build()
}

/// A path as a relative URI reference (RFC 3986): what is not plain ASCII is percent-encoded.
fn uri(path: &str) -> String {
    let Ok(mut url) = Url::parse("file:///") else {
        return path.to_owned();
    };
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.clear().extend(path.split('/'));
    }
    url.path().trim_start_matches('/').to_owned()
}
