//! Findings as a JUnit report: a test case for each file, failed where a finding fails the run.

use std::collections::BTreeMap;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::Listing;
use crate::finding::Finding;

/// The report. Its test cases are the records, and every other file that a finding is about.
///
/// # Errors
///
/// Where the document cannot be written as XML.
pub fn findings_junit(
    listing: &Listing,
    strict: bool,
) -> Result<String, quick_junit::SerializeError> {
    let mut cases: BTreeMap<String, Vec<&Finding>> = BTreeMap::new();
    for record in &listing.snapshot.records {
        cases
            .entry(listing.repository_path(&record.file))
            .or_default();
    }
    for finding in &listing.findings {
        cases
            .entry(listing.path(finding))
            .or_default()
            .push(finding);
    }
    let mut suite = TestSuite::new("incidentlib check");
    for (file, findings) in cases {
        let line = |f: &Finding| {
            let at = f.position.map(|p| format!("{}:{}: ", p.line, p.column));
            let help = f.help.as_ref().map(|h| format!("\n  help: {h}"));
            let (at, help) = (at.unwrap_or_default(), help.unwrap_or_default());
            format!("{at}{}[{}]: {}{help}", f.level.as_str(), f.rule, f.message)
        };
        let text: Vec<String> = findings.iter().map(|f| line(f)).collect();
        let status = match findings.iter().find(|f| f.level.fails(strict)) {
            None => TestCaseStatus::success(),
            Some(first) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status
                    .set_type(first.rule)
                    .set_message(first.message.clone())
                    .set_description(text.join("\n"));
                status
            }
        };
        let failed = findings.iter().any(|f| f.level.fails(strict));
        let mut case = TestCase::new(file, status);
        if !failed && !text.is_empty() {
            case.set_system_out(text.join("\n"));
        }
        suite.add_test_case(case);
    }
    let mut report = Report::new("incidentlib");
    report.add_test_suite(suite);
    report.to_string()
}
