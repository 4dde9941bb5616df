//! A record file as it was found, readable or not.

use serde_json::Value;

use super::json::parse_json;
use crate::finding::{Finding, Level, Place, Pointer};
use crate::model::Case;

/// Records larger than this are not read: a long one has 40 KB.
pub const LARGEST_RECORD: u64 = 16 << 20;

/// A record file: its text and the case it tells.
#[derive(Debug, Clone)]
pub struct RecordFile {
    /// Path relative to the library, with `/` between folders.
    pub file: String,
    /// The file as it stands.
    pub text: String,
    /// The case, read leniently.
    pub case: Case,
    /// Whether a key stands twice: then printing the case would lose a value.
    pub has_duplicate_keys: bool,
}

impl RecordFile {
    /// Its JSON, read again: kept for every record of a library it would take most of the memory.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The value at a place in its JSON.
    pub fn value_at(&self, pointer: &Pointer) -> Option<Value> {
        self.value().pointer_mut(pointer.as_str()).map(Value::take)
    }
}

/// Reads the bytes of a record file. Without a record there is at least one finding that says why.
pub fn read_record(file: &str, bytes: Vec<u8>) -> (Option<RecordFile>, Vec<Finding>) {
    let error = |rule, message: String| Finding::new(rule, Level::Error, file, message);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        let finding = error("empty-file", "the file is empty".to_owned());
        let help = "restore it with `git checkout`, or delete it and run `incidentlib ingest`";
        return (None, vec![finding.help(help)]);
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let line = e.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
            let message =
                format!("the file is not UTF-8: byte {at}, in line {line}, is no character");
            let help = "save the file as UTF-8";
            return (None, vec![error("not-utf8", message).help(help)]);
        }
    };
    let (text, mut findings) = match text.strip_prefix('\u{feff}') {
        // The mark comes back as a difference from the canonical form.
        Some(rest) => (rest.to_owned(), vec![byte_order_mark(file)]),
        None => (text, Vec::new()),
    };
    let (value, twice) = match parse_json(&text) {
        Ok(parsed) => parsed,
        Err(fault) => {
            let place = Place::Bytes(fault.offset..fault.offset);
            let mut finding = error("json-syntax", fault.message)
                .at(place)
                .help(fault.help);
            finding.locate_in(&text);
            return (None, vec![finding]);
        }
    };
    findings.extend(twice.iter().map(|pointer| {
        let key = pointer.tokens().last().unwrap_or_default();
        error(
            "duplicate-key",
            format!("the key `{key}` stands twice in this object"),
        )
        .at(Place::Key(pointer.clone()))
        .help("keep one of the two; a reader sees only one of them")
    }));
    findings.iter_mut().for_each(|f| f.locate_in(&text));
    match Case::from_value(value) {
        Ok(case) => {
            let file = file.to_owned();
            let has_duplicate_keys = !twice.is_empty();
            (
                Some(RecordFile {
                    file,
                    text,
                    case,
                    has_duplicate_keys,
                }),
                findings,
            )
        }
        Err(other) => {
            let message = format!("a record is a JSON object, not {}", kind_of(&other));
            findings.push(error("not-an-object", message).help("write one record in each file"));
            (None, findings)
        }
    }
}

fn byte_order_mark(file: &str) -> Finding {
    Finding::new(
        "canonical-form",
        Level::Error,
        file,
        "the file starts with a byte order mark",
    )
    .help("run `incidentlib fmt`")
}

/// The JSON type of a value in words.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
