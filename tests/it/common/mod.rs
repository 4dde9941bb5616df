//! Helpers of the integration tests: small libraries in memory and on disk, the program as users run it.

#![allow(dead_code, reason = "each test file uses the helpers it needs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use incidentlib::check::{Context, Policy, Schemas, Snapshot, check};
use incidentlib::extract::Lexicon;
use incidentlib::finding::Finding;
use incidentlib::model::{CaseDate, print_json};
use incidentlib::vocabulary::BUILTIN_FILES;
use serde_json::Value;

/// The day that every test takes for today.
pub const TODAY: &str = "2026-11-29";

/// The root of this repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A path below `../shared`, or `None` with a line that says the test is skipped.
pub fn shared(path: &str) -> Option<PathBuf> {
    let full = root().join("../shared").join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("skipped: ../shared/{path} is not here");
    None
}

/// The compiled-in words.
pub fn lexicon() -> &'static Lexicon {
    static LEXICON: std::sync::LazyLock<Lexicon> = std::sync::LazyLock::new(Lexicon::builtin);
    &LEXICON
}

/// The text of a compiled-in schema file.
pub fn builtin(path: &str) -> &'static str {
    let found = BUILTIN_FILES.iter().find(|(name, _)| *name == path);
    found.unwrap_or_else(|| panic!("no builtin {path}")).1
}

/// The JSON of a compiled-in schema file.
pub fn builtin_json(path: &str) -> Value {
    serde_json::from_str(builtin(path)).unwrap()
}

/// The compiled-in schemas.
pub fn schemas() -> Schemas {
    let document = |name| builtin_json(&format!("schema/{name}.schema.json"));
    Schemas::compile(document("case"), document("sources")).unwrap()
}

/// The policy of a library with nothing set.
pub fn policy() -> Policy {
    Policy {
        id_prefix: "IL".to_owned(),
        languages: vec!["en".parse().unwrap(), "ko".parse().unwrap()],
        reviewers: Default::default(),
        levels: Default::default(),
        waivers: Vec::new(),
    }
}

/// A small library as files: an object of path to content (JSON, text, or bytes as numbers), or a
/// list of records.
pub fn files_of(example: &str) -> Vec<(String, Vec<u8>)> {
    let value: Value = serde_json::from_str(example).unwrap_or_else(|e| panic!("{e} in {example}"));
    match value {
        Value::Array(records) => records
            .into_iter()
            .map(|record| {
                let id = record["id"].as_str().unwrap().to_owned();
                (
                    format!("normalized/{id}.json"),
                    content(&path_of(&id), record),
                )
            })
            .collect(),
        Value::Object(files) => files
            .into_iter()
            .map(|(path, value)| {
                let bytes = content(&path, value);
                (path, bytes)
            })
            .collect(),
        other => panic!("neither records nor files: {other}"),
    }
}

fn path_of(id: &str) -> String {
    format!("normalized/{id}.json")
}

fn content(path: &str, value: Value) -> Vec<u8> {
    match value {
        Value::String(text) if text == "full" => full_record("IL-0001").into_bytes(),
        Value::String(text) => text.into_bytes(),
        Value::Array(bytes) if path.starts_with("normalized/") => bytes
            .iter()
            .map(|b| u8::try_from(b.as_u64().unwrap()).unwrap())
            .collect(),
        record if path.starts_with("normalized/") && !path.ends_with("retired.json") => {
            // In canonical form, so that only the rule in question speaks.
            let case = incidentlib::model::Case::from_value(record.clone()).unwrap();
            let own = case.to_value();
            let keep = |key: &str| record.get(key).is_some();
            let map = own.as_object().unwrap().iter().filter(|(k, _)| keep(k));
            let printed = print_json(&Value::Object(
                map.map(|(k, v)| (k.clone(), v.clone())).collect(),
            ));
            printed.into_bytes()
        }
        other => print_json(&other).into_bytes(),
    }
}

/// A complete record without a fault, of an invented case.
pub fn full_record(id: &str) -> String {
    let text = fs::read_to_string(root().join("tests/fixtures/full-record.json")).unwrap();
    text.replace("IL-9001", id)
}

/// Checks a library of [`files_of`].
pub fn check_files(files: Vec<(String, Vec<u8>)>, policy: &Policy) -> Vec<Finding> {
    let read = |path: &str| {
        let found = files.iter().find(|(name, _)| name == path);
        found.map(|(_, bytes)| bytes.clone())
    };
    let snapshot = Snapshot::from_files(files.clone());
    let schemas = schemas();
    let today: CaseDate = TODAY.parse().unwrap();
    let cx = Context::new(&snapshot, lexicon(), &schemas, policy, today);
    check(&snapshot, &cx.with_pages(&read))
}

/// A library on disk that goes away with the test.
pub struct TempLibrary {
    dir: tempfile::TempDir,
}

impl TempLibrary {
    /// An empty one, as `init` makes it.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let library = Self { dir };
        let out = library.run(&["init", library.path().to_str().unwrap()]);
        assert!(out.status.success(), "{}", shown(&out));
        library
    }

    /// A copy of the library that this repository ships.
    pub fn shipped() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for part in ["schema", "raw", "normalized"] {
            copy(&root().join(part), &dir.path().join(part));
        }
        fs::copy(
            root().join("incidentlib.toml"),
            dir.path().join("incidentlib.toml"),
        )
        .unwrap();
        Self { dir }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn file(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let full = self.file(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, bytes).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.file(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    /// Runs the program in this library.
    pub fn run(&self, args: &[&str]) -> Output {
        let mut all = vec!["--today", TODAY];
        all.extend(args);
        program()
            .args(all)
            .current_dir(self.path())
            .output()
            .unwrap()
    }

    /// Exit status, standard output and standard error, with the path of the library taken out.
    pub fn say(&self, args: &[&str]) -> String {
        let text = shown(&self.run(args));
        let real = self.path().canonicalize().unwrap();
        let text = text.replace(real.to_str().unwrap(), "[library]");
        text.replace(self.path().to_str().unwrap(), "[library]")
    }

    /// Every file with its bytes, sorted, leaving out what the program keeps for itself.
    pub fn tree(&self) -> Vec<(String, Vec<u8>)> {
        tree(self.path())
    }
}

/// Every file below a folder with its bytes, sorted.
pub fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                out.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    out.sort();
    out
}

/// The program, without a terminal and without the settings of this machine.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_incidentlib"));
    command
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .stdin(Stdio::null());
    command
}

/// Exit status, standard output and standard error as one text.
pub fn shown(out: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = out
        .status
        .code()
        .map_or("killed".to_owned(), |code| code.to_string());
    let mut shown = format!("exit status: {status}\n");
    for (name, bytes) in [("stdout", &out.stdout), ("stderr", &out.stderr)] {
        if !bytes.is_empty() {
            shown.push_str(&format!("--- {name}\n{}", text(bytes)));
        }
    }
    shown
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
