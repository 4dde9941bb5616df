//! `incidentlib explain`

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Format, Global, Outcome, console};
use crate::extract::{Evidence, Lexicon};
use crate::finding::{Places, Pointer, locate, position_of, shortened};
use crate::ingest::{
    FactSupport, Options, PageRun, Support, facts_for, pointer_from_words, run_pages, support_for,
};
use crate::library::Error;
use crate::model::{CaseId, LanguageTag};
use crate::output::{BOLD, counted, styled, visible};
use crate::read::RecordFile;

const EXAMPLES: &str = "\
Examples:
  incidentlib explain IL-0535                             every field, and how many places say it
  incidentlib explain IL-0535 timeline.resolved_after     one value, with the quotes it rests on
  incidentlib explain IL-0535 /remediation/0 --format json";

/// Say where a value of a record came from: raw file, line and quote
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The case
    id: CaseId,
    /// The value, as `timeline.resolved_after` or `/timeline/resolved_after`; without it, every field
    pointer: Option<String>,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Longer quotes are cut.
const LONGEST_QUOTE: usize = 300;

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    let mut snapshot = library.load_records()?;
    library.add_raw_of(&args.id, &mut snapshot)?;
    let cx = global.context(&library, &snapshot);
    let record = super::show::find(&args.id, &cx)?;
    let folder = snapshot.folder(args.id.as_str());
    let none = std::collections::BTreeMap::new();
    // What a postmortem suggests is no claim, but it bears on the terms of the record.
    let options = Options {
        with_terms: true,
        ..Options::default()
    };
    let pages = folder.map_or(Vec::new(), |folder| {
        run_pages(&library, folder, &args.id, &none, options)
    });
    let pointer = args
        .pointer
        .as_deref()
        .map(pointer_from_words)
        .unwrap_or_default();
    if record.value_at(&pointer).is_none() {
        let keys = record.case.to_value();
        let fields: Vec<&str> = keys
            .as_object()
            .into_iter()
            .flat_map(|o| o.keys())
            .map(String::as_str)
            .collect();
        return Err(Error::usage(
            format!("{} has nothing at `{pointer}`", args.id),
            format!("its fields are {}", fields.join(", ")),
        ));
    }
    let below: Vec<Pointer> = Places::of(&record.text)
        .leaves()
        .map(|(leaf, _)| leaf.clone())
        .filter(|leaf| *leaf == pointer || leaf.as_str().starts_with(&format!("{pointer}/")))
        .collect();
    if args.format == Format::Json {
        let values: Vec<Value> = below
            .iter()
            .map(|leaf| leaf_json(record, leaf, &pages, &library.lexicon))
            .collect();
        console::print_json(
            &json!({ "id": args.id.to_string(), "file": record.file, "values": values }),
        )?;
    } else if args.pointer.is_none() {
        console::print(&overview(record, &below, &pages))?;
    } else {
        let text: Vec<String> = below
            .iter()
            .map(|leaf| in_full(record, leaf, &pages, &library.lexicon))
            .collect();
        console::print(&text.join("\n"))?;
    }
    Ok(Outcome::Clean)
}

pub(super) fn supports<'a>(
    record: &RecordFile,
    leaf: &Pointer,
    pages: &'a [PageRun],
) -> Vec<Support<'a>> {
    let value = &record.value_at(leaf).unwrap_or_default();
    support_for(pages, leaf, value)
}

/// The facts of a text that no page says word by word: a person retold it, and its facts can still be looked up.
pub(super) fn facts<'a>(
    record: &RecordFile,
    leaf: &Pointer,
    pages: &'a [PageRun],
    supports: &[Support],
    cx: &Lexicon,
) -> Vec<FactSupport<'a>> {
    let value = record.value_at(leaf);
    let value = value.as_ref();
    let language = leaf.tokens().last().unwrap_or_default();
    let (Some(text), true) = (value.and_then(Value::as_str), is_language(&language)) else {
        return Vec::new();
    };
    if supports.iter().any(|s| s.agrees) {
        return Vec::new();
    }
    let day = record.case.date.map(chrono::NaiveDate::from);
    facts_for(pages, text, &language, day, cx)
}

/// The last token of a pointer to a text is its language.
fn is_language(token: &str) -> bool {
    token.len() >= 2 && token.parse::<LanguageTag>().is_ok()
}

fn leaf_json(record: &RecordFile, leaf: &Pointer, pages: &[PageRun], cx: &Lexicon) -> Value {
    let supports = supports(record, leaf, pages);
    let evidence: Vec<Value> = supports
        .iter()
        .map(|s| {
            json!({
                "agrees": s.agrees,
                "value": s.grounds.value,
                "derivation": s.grounds.derivation,
                "evidence": s.grounds.evidence,
            })
        })
        .collect();
    let facts: Vec<Value> = facts(record, leaf, pages, &supports, cx)
        .iter()
        .map(|f| json!({ "quote": f.quote, "evidence": f.place.map(|p| &p.evidence) }))
        .collect();
    json!({
        "pointer": leaf.as_str(),
        "value": record.value_at(leaf),
        "places": evidence,
        "facts": facts,
    })
}

/// One line for each value: how many places say it, how many say something else.
fn overview(record: &RecordFile, leaves: &[Pointer], pages: &[PageRun]) -> String {
    let width = leaves.iter().map(|l| l.as_str().len()).max().unwrap_or(0);
    let mut out = String::new();
    let mut grounded = 0;
    for leaf in leaves {
        let supports = supports(record, leaf, pages);
        let agree = supports.iter().filter(|s| s.agrees).count();
        let differ = supports.len() - agree;
        grounded += usize::from(agree > 0);
        let mark = match (agree, differ) {
            (0, 0) => "no page".to_owned(),
            (n, 0) => counted(n, "place"),
            (n, d) => format!("{}, {d} differ", counted(n, "place")),
        };
        let value = &record.value_at(leaf).unwrap_or_default();
        let _ = writeln!(
            out,
            "{:<width$}  {mark:<20}  {}",
            leaf.as_str(),
            short(value, 60)
        );
    }
    let _ = writeln!(
        out,
        "\n{grounded} of {} values stand in a raw page; `incidentlib explain {} POINTER` shows where",
        leaves.len(),
        record
            .case
            .id
            .as_ref()
            .map_or("ID".to_owned(), ToString::to_string)
    );
    out
}

/// A value with every place that bears on it.
fn in_full(record: &RecordFile, leaf: &Pointer, pages: &[PageRun], cx: &Lexicon) -> String {
    let value = &record.value_at(leaf).unwrap_or_default();
    let line =
        locate(&record.text, leaf).map_or(1, |f| position_of(&record.text, f.value.start).line);
    let mut out = format!(
        "{} = {}\n  {}:{line}\n",
        styled(BOLD, leaf),
        short(value, LONGEST_QUOTE),
        record.file
    );
    let supports = supports(record, leaf, pages);
    let blank = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    if supports.is_empty() {
        let _ = match blank {
            true => writeln!(
                out,
                "  nothing is filled in, and no raw page was read to say it"
            ),
            false => writeln!(
                out,
                "  no raw page says this in these words: a person wrote it"
            ),
        };
    }
    for FactSupport { quote, place } in facts(record, leaf, pages, &supports, cx) {
        let _ = match place.map(|p| &p.evidence) {
            Some(evidence) => writeln!(
                out,
                "  fact “{}” stands at {} as “{}”",
                visible(&quote),
                place_of(evidence),
                visible(&evidence.quote)
            ),
            None => writeln!(
                out,
                "  fact “{}” stands in no postmortem that was read",
                visible(&quote)
            ),
        };
    }
    let field = leaf.field();
    if blank {
        let stories = pages.iter().filter_map(|p| p.story.as_deref());
        for s in stories
            .flat_map(|s| &s.suggestions)
            .filter(|s| s.field == field)
        {
            let _ = writeln!(
                out,
                "  {} suggests `{}` with a score of {}: “{}”",
                place_of(&s.evidence),
                s.term,
                s.score,
                visible(&s.evidence.quote)
            );
        }
    }
    for Support { grounds, agrees } in supports {
        let evidence = &grounds.evidence;
        let word = if agrees { "says so" } else { "says otherwise" };
        let bytes = match evidence.position {
            Some(_) => format!(", bytes {}–{}", evidence.span.start, evidence.span.end),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "  {} {word} ({}{bytes})",
            place_of(evidence),
            evidence.extractor.as_str()
        );
        let _ = writeln!(
            out,
            "    “{}”",
            short(&evidence.quote.as_str().into(), LONGEST_QUOTE)
        );
        let same = same_text(&grounds.value, &evidence.quote);
        if !same {
            let _ = writeln!(out, "    read as {}", short(&grounds.value, LONGEST_QUOTE));
        }
        if let Some(derivation) = &grounds.derivation {
            let _ = writeln!(out, "    because {derivation}");
        }
    }
    out
}

/// File, line and column, as a terminal can follow them.
pub(super) fn place_of(evidence: &Evidence) -> String {
    let at = evidence.position;
    let at = at.map_or(String::new(), |p| format!(":{}:{}", p.line, p.column));
    format!("{}{at}", visible(&evidence.file))
}

fn same_text(value: &Value, quote: &str) -> bool {
    value
        .as_str()
        .is_some_and(|text| text.split_whitespace().eq(quote.split_whitespace()))
}

pub(super) fn short(value: &Value, length: usize) -> String {
    let text = match value {
        Value::String(text) => visible(&text.replace('\n', " ")),
        other => other.to_string(),
    };
    shortened(&text, length)
}
