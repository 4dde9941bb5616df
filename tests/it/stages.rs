//! One stage at a time over folders of fixtures: a file in, a snapshot out. Adding a fixture is adding
//! a file.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::{check_files, files_of, policy};
use incidentlib::extract::{Extracted, Lexicon, extract};
use incidentlib::finding::Finding;
use incidentlib::merge::{Options, merge};
use incidentlib::model::{Case, ReviewState, Reviewers};
use incidentlib::normalize::{Proposal, normalize};
use incidentlib::output::findings_text;
use incidentlib::read::{Media, read_page};
use serde_json::Value;

fn plain(findings: &[Finding]) -> String {
    anstream::adapter::strip_str(&findings_text(findings, "")).to_string()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn read() {
    insta::glob!("../fixtures", "read/*", |path| {
        let bytes = fs::read(path).unwrap();
        let (page, mut findings) =
            read_page(&name(path), Media::guess(&name(path), &bytes), &bytes);
        let page = page.unwrap();
        let mut out = format!("encoding {}\n", page.decoded.encoding);
        let _ = writeln!(
            out,
            "title {:?}, language {:?}\n",
            page.title, page.language
        );
        for block in &page.blocks {
            let at = page
                .decoded
                .position(block.source_range(0..block.text.len()).start);
            let furniture = if block.furniture { " (furniture)" } else { "" };
            let _ = writeln!(
                out,
                "{}:{} {:?}{furniture} {:?}",
                at.line, at.column, block.kind, block.text
            );
            for link in &block.links {
                let _ = writeln!(
                    out,
                    "    link {:?} to {}",
                    &block.text[link.range.clone()],
                    link.href
                );
            }
            if !block.cells.is_empty() {
                let cells: Vec<&str> = block.cells.iter().map(|c| &block.text[c.clone()]).collect();
                let _ = writeln!(out, "    cells {cells:?}");
            }
        }
        findings
            .iter_mut()
            .for_each(|f| f.locate_in(&page.decoded.text));
        insta::assert_snapshot!(format!("{out}{}", plain(&findings)));
    });
}

fn extracted(path: &Path, lexicon: &Lexicon) -> Extracted {
    extract(&name(path), &fs::read(path).unwrap(), None, lexicon)
}

#[test]
fn extract_pages() {
    let lexicon = Lexicon::builtin();
    insta::glob!("../fixtures", "pages/*", |path| {
        let Extracted {
            draft, findings, ..
        } = extracted(path, &lexicon);
        let draft = draft.unwrap();
        let mut out = format!(
            "{} {:?}\n",
            draft.kind.as_str(),
            draft.language.map(|l| l.to_string())
        );
        for claim in &draft.claims {
            let at = claim.evidence.position.unwrap();
            let _ = writeln!(
                out,
                "{}:{} {} = {}",
                at.line, at.column, claim.pointer, claim.value
            );
        }
        for similar in &draft.similar {
            let _ = writeln!(
                out,
                "similar {} {:?} by {:?}, {:?}: {:?} (same cause: {}, shared: {:?})",
                similar.id,
                similar.title,
                similar.org,
                similar.year,
                similar.reason,
                similar.same_root_cause,
                similar.shared
            );
        }
        for link in &draft.program_links {
            let _ = writeln!(out, "for programs {link}");
        }
        insta::assert_snapshot!(format!("{out}{}", plain(&findings)));
    });
}

#[test]
fn every_quote_stands_in_the_raw_bytes() {
    let lexicon = Lexicon::builtin();
    insta::glob!("../fixtures", "pages/*", |path| {
        let bytes = fs::read(path).unwrap();
        for claim in extracted(path, &lexicon).draft.unwrap().claims {
            let raw = String::from_utf8_lossy(&bytes[claim.evidence.span.clone()]).into_owned();
            // The quote is the text; between its words the raw page may have tags and references.
            let first = claim.evidence.quote.split([' ', '&', '\n']).next().unwrap();
            assert!(
                raw.contains(first),
                "{}: {raw:?} has no {first:?}",
                claim.pointer
            );
        }
    });
}

fn proposal(path: &Path, lexicon: &Lexicon) -> Proposal {
    let orgs = [("lantern".to_owned(), "Lantern Mail".to_owned())].into();
    normalize(&extracted(path, lexicon).draft.unwrap(), &orgs, lexicon)
}

#[test]
fn normalize_pages() {
    let lexicon = Lexicon::builtin();
    insta::glob!("../fixtures", "pages/*", |path| {
        let proposal = proposal(path, &lexicon);
        let mut out = proposal.case.print();
        for grounds in proposal.grounds.iter().filter(|g| g.derivation.is_some()) {
            let _ = writeln!(
                out,
                "{} because {}",
                grounds.pointer,
                grounds.derivation.as_ref().unwrap()
            );
        }
        insta::assert_snapshot!(format!("{out}{}", plain(&proposal.findings)));
    });
}

#[test]
fn merge_proposals() {
    let lexicon = Lexicon::builtin();
    insta::glob!("../fixtures", "merge/*.json", |path| {
        let fixture: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let record = record_of(&fixture["record"]);
        let proposals: Vec<Proposal> = fixture["pages"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, page)| {
                let text = format!("{page:#}\n");
                let draft = extract(name, text.as_bytes(), None, &lexicon)
                    .draft
                    .unwrap();
                normalize(&draft, &Default::default(), &lexicon)
            })
            .collect();
        let state = record
            .as_ref()
            .map(|case| ReviewState::of(case, &Reviewers::default()));
        let options = Options {
            reviewed: state == Some(ReviewState::Reviewed),
            with_related: false,
        };
        let merged = merge(record.as_ref(), &proposals, options);
        let mut out = String::new();
        for change in &merged.changes {
            let _ = writeln!(
                out,
                "filled {} = {} from {}",
                change.pointer, change.value, change.from
            );
        }
        out.push_str(&plain(&merged.findings));
        let again = merge(Some(&merged.case), &proposals, options);
        assert!(
            again.changes.is_empty(),
            "merging twice changes: {:?}",
            again.changes
        );
        insta::assert_snapshot!(format!("{out}\n{}", merged.case.print()));
    });
}

fn record_of(value: &Value) -> Option<Case> {
    match value {
        Value::Null => None,
        Value::String(_) => {
            let mut case = Case::from_value(
                serde_json::from_str(&crate::common::full_record("IL-9001")).unwrap(),
            )
            .unwrap();
            case.lessons = None;
            case.review.reviewed_at = Some("2026-01-02".to_owned());
            case.review.reviewed_by = Some("kim".to_owned());
            case.review.digest = Some(incidentlib::model::digest_of(&case));
            Some(case)
        }
        other => Some(Case::from_value(other.clone()).unwrap()),
    }
}

#[test]
fn check_libraries() {
    insta::glob!("../fixtures", "check/*.json", |path| {
        let files = files_of(&fs::read_to_string(path).unwrap());
        // Fields that are simply not given would drown what the fixture is about.
        let mut findings = check_files(files, &policy());
        findings.retain(|f| !(f.rule == "missing-field" && f.message.contains("is missing")));
        insta::assert_snapshot!(plain(&findings));
    });
}
