//! `incidentlib normalize`

use std::io::BufRead;

use clap::ValueEnum;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::{Global, Outcome, console};
use crate::library::{Error, ErrorKind};
use crate::normalize::{ExpressionKind, ExpressionQuery, read_expression};
use crate::time::TimeReader;
use crate::vocabulary::builtin_languages;

/// Lines that are read before they are answered.
const BATCH: usize = 4096;

const EXAMPLES: &str = "\
Examples:
  echo '{\"id\":1,\"text\":\"about 17 hours\",\"lang\":\"en\"}' | incidentlib normalize duration
  echo '{\"id\":1,\"text\":\"오후 2:45 PDT\",\"lang\":\"ko\",\"context_date\":\"2024-07-30\"}' | incidentlib normalize clock

Each line of input is an object: id, text, lang, and where known context_date (the day of writing),
default_zone and hint (IANA zones). Each line of output has the same id and its value: null where the
text holds none, \"ambiguous\" with a reason where it has several readings. A line that cannot be read
is answered with an error, and the exit status is then 1.";

/// Read expressions of time: NDJSON in, NDJSON out, line by line
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// What the texts tell
    #[arg(value_enum, value_name = "KIND")]
    kind: Kind,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// An elapsed time: {"seconds": N} or {"min": N, "max": N}
    Duration,
    /// A day, month or year: "2024-07-30", "2024-07", "--07-30", "A/B"
    Date,
    /// A clock time: RFC 3339, or "A/B"
    Clock,
    /// A time zone: its offset on the day, "+09:00"
    Zone,
    /// An incident told in a paragraph: start, detected, resolved and the times between
    Span,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let reader = match global.open() {
        Ok(library) => library.lexicon.times,
        // Times need nothing but the languages.
        Err(e) if e.kind() == ErrorKind::NoLibrary && global.library.is_none() => {
            TimeReader::new(&builtin_languages())
        }
        Err(e) => return Err(e),
    };
    let kind = match args.kind {
        Kind::Duration => ExpressionKind::Duration,
        Kind::Date => ExpressionKind::Date,
        Kind::Clock => ExpressionKind::Clock,
        Kind::Zone => ExpressionKind::Zone,
        Kind::Span => ExpressionKind::Span,
    };
    let mut input = std::io::stdin().lock();
    let (mut failed, mut lines) = (false, Vec::with_capacity(BATCH));
    loop {
        let mut line = Vec::new();
        let read = input.read_until(b'\n', &mut line);
        let read = read.map_err(|e| console::input_error(&e))?;
        if read > 0 && !line.trim_ascii().is_empty() {
            lines.push(line);
        }
        if lines.len() == BATCH || (read == 0 && !lines.is_empty()) {
            failed |= answer(kind, &lines, &reader)?;
            lines.clear();
        }
        if read == 0 {
            return Ok(Outcome::failed_if(failed));
        }
    }
}

/// Answers a batch of lines in their order. Whether one could not be read.
fn answer(kind: ExpressionKind, lines: &[Vec<u8>], reader: &TimeReader) -> Result<bool, Error> {
    let answers: Vec<Result<String, String>> = lines
        .par_iter()
        .with_min_len(64)
        .map(|line| one(kind, line, reader))
        .collect();
    let failed = answers.iter().any(Result::is_err);
    let mut out = String::new();
    for text in answers {
        out.push_str(&text.unwrap_or_else(|e| e));
        out.push('\n');
    }
    console::print(&out)?;
    Ok(failed)
}

fn one(kind: ExpressionKind, line: &[u8], reader: &TimeReader) -> Result<String, String> {
    let error = |id: Value, message: String| {
        json!({ "id": id, "value": null, "error": message }).to_string()
    };
    let query: ExpressionQuery = serde_json::from_slice(line).map_err(|e| {
        error(
            Value::Null,
            format!("not an object with `id`, `text` and `lang`: {e}"),
        )
    })?;
    let answer = read_expression(kind, &query, reader).map_err(|e| error(query.id.clone(), e))?;
    let mut object = Map::new();
    object.insert("id".to_owned(), query.id);
    object.insert("value".to_owned(), answer.value);
    object.extend(answer.notes.into_iter().map(|(k, v)| (k.to_owned(), v)));
    Ok(Value::Object(object).to_string())
}
