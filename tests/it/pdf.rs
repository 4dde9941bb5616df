//! PDF documents: text, headings, items and rows from glyphs in their places; what cannot be read is said to be so.
#![cfg(feature = "pdf")]

use std::fmt::Write as _;
use std::fs;

use crate::common::{TempLibrary, root};
use incidentlib::extract::{extract, main_blocks};

fn document(name: &str) -> Vec<u8> {
    fs::read(root().join("tests/fixtures/pdf").join(name)).unwrap()
}

#[test]
fn documents_become_blocks_and_stories() {
    let mut out = String::new();
    for name in ["english.pdf", "korean.pdf"] {
        let bytes = document(name);
        let _ = writeln!(out, "== {name}");
        for block in main_blocks(name, &bytes, crate::common::lexicon()) {
            let level = block.level.map_or(String::new(), |l| format!(" {l}"));
            let (page, line) = (block.position.line, block.position.column);
            let _ = writeln!(
                out,
                "p{page} l{line} {}{level}: {}",
                block.kind,
                block.text.replace('\t', " | ")
            );
        }
        let read = extract(name, &bytes, None, crate::common::lexicon());
        assert_eq!(
            (read.media.as_str(), read.encoding()),
            ("application/pdf", "PDF")
        );
        let draft = read.draft.unwrap();
        for claim in &draft.claims {
            assert_eq!(
                claim.evidence.span,
                0..bytes.len(),
                "a PDF has no smaller place in bytes"
            );
            let text = claim.value.as_str().unwrap();
            let _ = writeln!(out, "{} = {}", claim.pointer, text.replace('\n', " "));
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn scans_and_locked_documents_are_said_to_be_so() {
    let library = TempLibrary::new();
    let mut all = String::new();
    for name in ["scan.pdf", "locked.pdf"] {
        library.write(name, document(name));
        let _ = writeln!(all, "{}", library.say(&["ingest", "--new", name]));
    }
    library.write("damaged.pdf", &document("english.pdf")[..200]);
    let _ = writeln!(all, "{}", library.say(&["ingest", "--new", "damaged.pdf"]));
    insta::assert_snapshot!(all);
}

#[test]
fn a_document_becomes_a_case_and_is_explained_by_page_and_line() {
    let library = TempLibrary::new();
    library.write("report.pdf", document("english.pdf"));
    library.run(&["ingest", "--new", "report.pdf"]);
    let said = library.say(&["explain", "IL-0001", "timeline.resolved_after"]);
    assert!(
        said.contains("raw/IL-0001/report.pdf:1:14 says so"),
        "{said}"
    );
    assert!(said.contains("because 08:12 → 11:47"), "{said}");
}

#[test]
fn damage_of_any_kind_is_an_answer_and_no_panic() {
    let whole = document("english.pdf");
    for step in 1..40 {
        let cut = &whole[..whole.len() * step / 40];
        let _ = extract("a.pdf", cut, None, crate::common::lexicon());
        let mut changed = whole.clone();
        for at in (step * 7..changed.len()).step_by(97) {
            changed[at] = changed[at].wrapping_add(step as u8);
        }
        let _ = extract("a.pdf", &changed, None, crate::common::lexicon());
    }
}
