//! Rubbish in, an exact message out: each bad file through the program as a user would hand it over.

use std::fs;

use crate::common::TempLibrary;

#[test]
fn pages() {
    insta::glob!("../fixtures", "bad-pages/*", |path| {
        let library = TempLibrary::new();
        let before = library.tree();
        let name = path.file_name().unwrap().to_str().unwrap();
        if cfg!(feature = "pdf") && name == "document.pdf" {
            // What such a build says of it is held by `tests/it/pdf.rs`.
            return;
        }
        library.write(&format!("inbox/{name}"), fs::read(path).unwrap());
        let said = library.say(&[
            "ingest",
            &format!("inbox/{name}"),
            "--fetched-at",
            "2026-11-29",
        ]);
        if said.starts_with("exit status: 2") {
            fs::remove_dir_all(library.file("inbox")).unwrap();
            assert_eq!(library.tree(), before, "a refused page changes nothing");
        }
        insta::assert_snapshot!(said);
    });
}

#[test]
fn records() {
    insta::glob!("../fixtures", "bad-records/*", |path| {
        let library = TempLibrary::new();
        let bytes = fs::read(path).unwrap();
        library.write("normalized/IL-9001.json", &bytes);
        library.write(
            "normalized/IL-9002.json",
            crate::common::full_record("IL-9002"),
        );
        let said = library.say(&["check"]);
        // No command loses what it cannot read.
        library.run(&["fmt"]);
        let kept = fs::read(library.file("normalized/IL-9001.json")).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for word in text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|w| w.len() > 3)
        {
            assert!(
                String::from_utf8_lossy(&kept).contains(word),
                "fmt lost {word}"
            );
        }
        insta::assert_snapshot!(said);
    });
}

#[test]
fn two_hundred_megabytes_of_brackets() {
    let library = TempLibrary::new();
    let brackets = vec![b'['; 200 << 20];
    library.write("normalized/IL-9001.json", &brackets);
    library.write("inbox/page.json", &brackets[..60 << 20]);
    library.write("inbox/large.json", &brackets);
    insta::assert_snapshot!(library.say(&["check"]), @"
    exit status: 1
    --- stdout
    normalized error[no-records]: the library has no record that can be read
      help: add one with `incidentlib ingest PAGE`
    normalized/IL-9001.json error[too-large]: the file is larger than 16 MB and is not read
      help: see whether it is the right file
    0 records checked: 2 errors, 0 warnings, 0 notes
    ");
    insta::assert_snapshot!(library.say(&["ingest", "inbox/page.json"]), @"
    exit status: 2
    --- stderr
    error: page.json: the JSON is nested more than 127 deep
      help: no record or page needs that; replace the file
    ");
    insta::assert_snapshot!(library.say(&["ingest", "inbox/large.json"]), @"
    exit status: 2
    --- stderr
    error: inbox/large.json is larger than 64 MB
      help: see whether it is the right file
    ");
}

#[test]
fn a_page_whose_id_differs_from_its_folder() {
    let library = TempLibrary::new();
    let page = fs::read(crate::common::root().join("tests/fixtures/pages/case-en.txt")).unwrap();
    library.write("raw/IL-9999/case-en.txt", page);
    insta::assert_snapshot!(library.say(&["ingest", "raw/IL-9999/case-en.txt"]), @"
    exit status: 2
    --- stderr
    error: case-en.txt: this page is about IL-9001, but it lies with the pages of IL-9999; it is not merged
      help: move it to raw/IL-9001/ with its entry in sources.json
    ");
    insta::assert_snapshot!(library.say(&["ingest", "--id", "IL-9999", "raw/IL-9999/case-en.txt"]), @"
    exit status: 2
    --- stderr
    error: case-en.txt: this page is about IL-9001, but it lies with the pages of IL-9999; it is not merged
      help: move it to raw/IL-9001/ with its entry in sources.json
    ");
}

#[test]
fn two_raw_pages_that_disagree() {
    let library = TempLibrary::new();
    let page = crate::common::full_record("IL-9001");
    library.write("a.json", &page);
    library.write(
        "b.json",
        page.replace("17h 8m", "9h")
            .replace("\"major\"", "\"minor\""),
    );
    let said = library.say(&["ingest", "a.json", "b.json", "--fetched-at", "2026-11-29"]);
    insta::assert_snapshot!(said, @"
    exit status: 0
    --- stdout
    IL-9001  A full disk stopped Lantern Mail for 17 hours (an invented case)
      read        a.json                 API record         1.9 KB  UTF-8
                  b.json                 API record         1.9 KB  UTF-8
      extracted   86 claims
      normalized  18 terms · 6 days and durations · 10 source fields · 38 texts
      merged      37 fields filled: id, title, org, date, date_kind, domain and 17 more · 2 contradictions
      checked     clean
      wrote       normalized/IL-9001.json (new)
        raw/IL-9001/b.json:14:16 warning[source-contradicts]: `/severity`: this page has `minor` (“minor”), raw/IL-9001/a.json has `major` (“major”)
          help: read both places; correct the record, or leave it where it is right: it stays as it is
        raw/IL-9001/b.json:33:24 warning[source-contradicts]: `/timeline/resolved_after`: this page has `9h` (“9h”), raw/IL-9001/a.json has `17h 8m` (“17h 8m”)
          help: read both places; correct the record, or leave it where it is right: it stays as it is

    1 case, 2 pages: 0 errors, 2 warnings, 0 notes · 4 files written
    ");
}

#[test]
fn a_record_of_a_million_values_is_refused() {
    let library = TempLibrary::new();
    let many = vec!["1"; 1_000_000].join(",");
    library.write(
        "inbox/page.json",
        format!(r#"{{"id":"IL-9001","title":[{many}]}}"#),
    );
    let said = library.say(&["ingest", "inbox/page.json"]);
    insta::assert_snapshot!(said, @"
    exit status: 2
    --- stderr
    error: page.json: the object holds more than 20,000 values, so it is no case record
      help: save one case record in each JSON file
    ");
}

#[test]
fn a_case_page_of_a_hundred_thousand_items_is_read_up_to_a_bound() {
    let library = TempLibrary::new();
    let items = "<li>Restarted".repeat(100_000);
    let page = format!(
        "<p>IL-9001 Lantern Mail · 2021-03-04</p><h1>Invented</h1><dl><dt>Severity<dd>Major</dl>\
         <h2>Symptoms</h2><p>x</p><h2>Remediation</h2><ul>{items}</ul><h2>Sources</h2>"
    );
    library.write("inbox/page.html", page);
    let said = library.say(&["extract", "inbox/page.html"]);
    assert!(
        said.contains("more than 10000 values"),
        "{}",
        said.split_at(2000).0
    );
}
