//! The world goes wrong: disks that are full or read-only, kills, links, other writers. The library is
//! as before or as after, never between, and the message says what happened.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::common::{TempLibrary, full_record, program, shown, tree};

/// A file system of its own, for tests that need one full or read-only.
struct Disk {
    dir: tempfile::TempDir,
}

impl Disk {
    /// Mounts a small tmpfs. Only root may; elsewhere the test says that it is skipped, and where
    /// `.ci/run` set `INCIDENTLIB_REQUIRE_MOUNT` that is a failure.
    fn new(size: &str) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let options = format!("size={size},mode=0777");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "incidentlib-test"])
            .arg(dir.path())
            .output();
        if mounted.is_ok_and(|out| out.status.success()) {
            return Some(Self { dir });
        }
        assert!(
            std::env::var_os("INCIDENTLIB_REQUIRE_MOUNT").is_none(),
            "no tmpfs can be mounted"
        );
        eprintln!("skipped: no tmpfs can be mounted here (only root may)");
        None
    }

    fn remount_read_only(&self) {
        let out = Command::new("mount")
            .args(["-o", "remount,ro"])
            .arg(self.dir.path())
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", shown(&out));
    }

    fn library(&self) -> PathBuf {
        self.dir.path().join("library")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.dir.path()).status();
    }
}

fn run_in(folder: &Path, args: &[&str]) -> String {
    let out = program()
        .args(["--today", crate::common::TODAY])
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    let real = folder.canonicalize().unwrap();
    shown(&out).replace(real.to_str().unwrap(), "[library]")
}

/// A library with raw records of so many cases and without their normalized ones.
fn fill(folder: &Path, cases: usize) {
    let out = program()
        .args(["init", folder.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", shown(&out));
    for i in 1..=cases {
        let id = format!("IL-{i:04}");
        let text =
            full_record(&id).replace("lantern.example/outage", &format!("lantern.example/{id}"));
        let raw = folder.join(format!("raw/{id}"));
        fs::create_dir_all(&raw).unwrap();
        let sha256 = incidentlib::model::sha256_of_bytes(text.as_bytes());
        fs::write(raw.join("api.json"), text).unwrap();
        let manifest = format!(
            r#"{{"pages":[{{"file":"api.json","url":null,"kind":"api-record","language":null,"media_type":"application/json","fetched_at":null,"sha256":"{sha256}"}}]}}"#
        );
        fs::write(raw.join("sources.json"), manifest).unwrap();
    }
}

#[test]
fn a_full_disk_changes_nothing() {
    let Some(disk) = Disk::new("2m") else { return };
    let library = disk.library();
    fill(&library, 12);
    let before = tree(&library);
    // Leave room for the first few records and not for the last.
    let free = 40 << 10;
    let ballast = disk.dir.path().join("ballast");
    let room = Command::new("df")
        .args(["-B1", "--output=avail"])
        .arg(&library)
        .output()
        .unwrap();
    let room: u64 = String::from_utf8(room.stdout)
        .unwrap()
        .lines()
        .last()
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    fs::write(&ballast, vec![0; usize::try_from(room - free).unwrap()]).unwrap();
    let said = run_in(&library, &["ingest"]);
    assert!(said.starts_with("exit status: 2"), "{said}");
    assert!(
        said.contains("nothing was changed; free some space and run it again"),
        "{said}"
    );
    assert_eq!(
        tree(&library),
        before,
        "a run on a full disk leaves the library as it was"
    );
    fs::remove_file(&ballast).unwrap();
    assert!(run_in(&library, &["ingest"]).starts_with("exit status: 0"));
    assert_eq!(
        fs::read_dir(library.join("normalized")).unwrap().count(),
        13
    );
}

#[test]
fn a_read_only_library_can_be_read_and_refuses_to_be_written() {
    let Some(disk) = Disk::new("4m") else { return };
    let library = disk.library();
    fill(&library, 1);
    run_in(&library, &["ingest"]);
    fs::write(
        library.join("raw/IL-0001/b.txt"),
        "a page that is not listed",
    )
    .unwrap();
    fs::remove_file(library.join("normalized/IL-0001.json")).unwrap();
    let before = tree(&library);
    disk.remount_read_only();
    assert!(run_in(&library, &["report"]).starts_with("exit status: 0"));
    assert!(run_in(&library, &["check"]).starts_with("exit status: 1"));
    insta::assert_snapshot!(run_in(&library, &["ingest", "raw/IL-0001"]), @"
    exit status: 2
    --- stderr
    error: cannot write [library]/.incidentlib-journal.json: Read-only file system (os error 30)
      help: nothing was changed; the library must be writable for this command
    ");
    assert_eq!(tree(&library), before);
}

/// How often the program is killed.
const ROUNDS: u32 = 40;

#[test]
fn a_kill_leaves_the_library_before_or_after() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("library");
    fill(&library, 60);
    let before = tree(&library);
    let whole = std::time::Instant::now();
    assert!(run_in(&library, &["ingest"]).starts_with("exit status: 0"));
    let whole = whole.elapsed();
    let after = tree(&library);
    assert_ne!(before, after);
    let (mut untouched, mut finished, mut interrupted) = (0, 0, 0);
    for round in 0..ROUNDS {
        for name in fs::read_dir(library.join("normalized")).unwrap() {
            let path = name.unwrap().path();
            if path.extension().is_some_and(|e| e == "json") {
                fs::remove_file(path).unwrap();
            }
        }
        let mut child = program()
            .arg("ingest")
            .current_dir(&library)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        match round {
            0 => {}
            // The last one is not killed.
            _ if round == ROUNDS - 1 => {
                child.wait().unwrap();
            }
            _ if round % 3 == 0 => std::thread::sleep(whole * round / ROUNDS),
            // Once the journal is there, files are being written.
            _ => {
                let journal = library.join(".incidentlib-journal.json");
                while !journal.exists() && child.try_wait().unwrap().is_none() {
                    std::thread::yield_now();
                }
                std::thread::sleep(Duration::from_micros(500) * round);
            }
        }
        let _ = child.kill();
        child.wait().unwrap();
        let left_behind = tree(&library)
            .iter()
            .any(|(name, _)| name.contains(".incidentlib"));
        interrupted += usize::from(left_behind);
        // Any command that opens the library makes it whole.
        let said = run_in(&library, &["list"]);
        assert!(said.starts_with("exit status: 0"), "{said}");
        let now = tree(&library);
        if now == before {
            untouched += 1;
        } else {
            assert_eq!(now, after, "neither before nor after, in round {round}");
            finished += 1;
        }
    }
    eprintln!("{untouched} before, {finished} after; {interrupted} were caught while writing");
    assert!(interrupted > 0, "no kill hit the writing");
    assert!(
        untouched > 0 && finished > 0,
        "{untouched} before, {finished} after"
    );
}

#[test]
fn one_writer_at_a_time() {
    let library = TempLibrary::shipped();
    library.write(
        "normalized/IL-0535.json",
        library.read("normalized/IL-0535.json").replace("  ", " "),
    );
    let lock = fs::File::open(library.file("incidentlib.toml")).unwrap();
    lock.lock().unwrap();
    insta::assert_snapshot!(library.say(&["fmt"]), @"
    exit status: 2
    --- stderr
    error: another incidentlib process is writing to [library]
      help: wait until it is done and run this again
    ");
    assert!(
        library.say(&["list"]).starts_with("exit status: 0"),
        "readers do not wait"
    );
    lock.unlock().unwrap();
    assert!(library.say(&["fmt"]).starts_with("exit status: 0"));
}

#[test]
#[cfg(unix)]
fn what_is_no_plain_file_is_a_finding() {
    let library = TempLibrary::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.json"), full_record("IL-0001")).unwrap();
    let link =
        |target: &Path, name: &str| std::os::unix::fs::symlink(target, library.file(name)).unwrap();
    link(
        &outside.path().join("secret.json"),
        "normalized/IL-0001.json",
    );
    link(Path::new("/nowhere"), "normalized/IL-0002.json");
    link(outside.path(), "raw/IL-0003");
    library.write("normalized/IL-0004.json/IL-0004.json", "{}");
    library.write("normalized/notes.txt", "stray");
    library.write("raw/page.html", "stray");
    library.write("normalized/IL-0006.json", full_record("IL-0006"));
    // A link that stays inside is followed.
    link(
        &library.file("normalized/IL-0006.json"),
        "normalized/IL-0007.json",
    );
    fs::create_dir_all(library.file("raw/IL-0006/folder")).unwrap();
    let fifo = Command::new("mkfifo")
        .arg(library.file("normalized/IL-0005.json"))
        .status()
        .unwrap();
    assert!(fifo.success());
    let said = library.say(&["check"]);
    assert!(!said.contains("secret"), "{said}");
    insta::assert_snapshot!(said, @r#"
    exit status: 1
    --- stdout
    normalized/IL-0001.json error[outside-library]: this link leads out of the library, or nowhere
      help: put a copy of the file here instead
    normalized/IL-0002.json error[outside-library]: this link leads out of the library, or nowhere
      help: put a copy of the file here instead
    normalized/IL-0004.json error[not-a-file]: this is not read: records lie directly in normalized/, not in folders
      help: move or delete it
    normalized/IL-0005.json error[not-a-file]: this is not read: this is no plain file
      help: move or delete it
    normalized/IL-0006.json:2:9 error[duplicate-id]: `IL-0006` is also the id of normalized/IL-0007.json
      2 | "id": "IL-0006",
        |       ^^^^^^^^^
      help: give one of them an id that was never used
    normalized/IL-0006.json:73:14 warning[duplicate-source]: `https://lantern.example/outage` is also a source of normalized/IL-0007.json
      73 | "url": "https://lantern.example/outage",
         |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      help: merge the records if they tell one incident; if the page tells several, waive this
    normalized/IL-0007.json:2:9 error[duplicate-id]: `IL-0006` is also the id of normalized/IL-0006.json
      2 | "id": "IL-0006",
        |       ^^^^^^^^^
      help: give one of them an id that was never used
    normalized/IL-0007.json:2:9 error[id-equals-file-name]: the id is `IL-0006`, but the file is `IL-0007.json`
      2 | "id": "IL-0006",
        |       ^^^^^^^^^
      help: rename the file to `IL-0006.json`, or correct the id
    normalized/IL-0007.json:73:14 warning[duplicate-source]: `https://lantern.example/outage` is also a source of normalized/IL-0006.json
      73 | "url": "https://lantern.example/outage",
         |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      help: merge the records if they tell one incident; if the page tells several, waive this
    normalized/notes.txt error[not-a-file]: this is not read: only records, `<ID>.json`, belong here
      help: move or delete it
    raw/IL-0003 error[outside-library]: this link leads out of the library, or nowhere
      help: put a copy of the file here instead
    raw/IL-0006 error[raw-unlisted]: the folder is empty
      help: delete it
    raw/IL-0006/folder error[not-a-file]: this is not read: a raw folder holds plain files only
      help: move or delete it
    raw/page.html error[not-a-file]: this is not read: raw pages lie in a folder of their case, raw/<ID>/
      help: move or delete it
    2 records checked: 12 errors, 2 warnings, 0 notes
    "#);
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link_that_leads_out() {
    let library = TempLibrary::new();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), library.file("raw/IL-9001")).unwrap();
    library.write("inbox/api.json", full_record("IL-9001"));
    insta::assert_snapshot!(library.say(&["ingest", "inbox/api.json"]), @"
    exit status: 2
    --- stderr
    error: [library]/raw/IL-9001 is a link that leads out of the library
      help: nothing was changed; put a real folder in its place
    ");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn large_files_are_not_read() {
    let library = TempLibrary::new();
    library.write("normalized/IL-0001.json", full_record("IL-0001"));
    let large = fs::File::create(library.file("normalized/IL-0002.json")).unwrap();
    large.set_len(500 << 20).unwrap();
    let said = library.say(&["check"]);
    assert!(
        said.contains("normalized/IL-0002.json error[too-large]"),
        "{said}"
    );
}

#[test]
fn a_file_that_cannot_be_opened_is_a_finding() {
    // Root may read everything, so the right is not what fails here: the file goes away meanwhile.
    let library = TempLibrary::new();
    let opened = incidentlib::library::Library::open(library.path()).unwrap();
    let finding = opened.read_file("normalized/IL-0001.json", 1).unwrap_err();
    assert_eq!(finding.rule, "unreadable-file");
    assert!(
        finding.message.starts_with("the file cannot be read"),
        "{}",
        finding.message
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_said_and_a_closed_one_is_not() {
    let library = TempLibrary::shipped();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let out = program()
        .arg("list")
        .current_dir(library.path())
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2), "{}", shown(&out));
    let script = format!(
        "{} vocab --format json | head -1",
        env!("CARGO_BIN_EXE_incidentlib")
    );
    let out = Command::new("sh")
        .args(["-c", &script])
        .current_dir(library.path())
        .output()
        .unwrap();
    assert_eq!(shown(&out), "exit status: 0\n--- stdout\n[\n");
}

#[test]
fn deep_pages_are_cut_and_told() {
    let library = TempLibrary::new();
    let page = format!("<html><body><p>x{}", "<div>".repeat(100_000));
    library.write("inbox/deep.html", page);
    let started = std::time::Instant::now();
    let said = library.say(&["extract", "inbox/deep.html"]);
    // A ceiling against quadratic time, far above what it takes, not a measurement.
    assert!(started.elapsed() < Duration::from_secs(60));
    assert!(said.contains("nested more than 1024 deep"), "{said}");
}
