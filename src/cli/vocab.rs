//! `incidentlib vocab`

use serde_json::json;

use super::{Format, Global, Outcome, console};
use crate::library::{Error, ErrorKind};
use crate::vocabulary::{Kind, TermEntry, Vocabulary, builtin_vocabulary};

const EXAMPLES: &str = "\
Examples:
  incidentlib vocab                     the lists, and how many terms each has
  incidentlib vocab symptom             every symptom
  incidentlib vocab symptom latency     symptoms that speak of latency
  incidentlib vocab 지연                 terms of any list, in any language
  incidentlib vocab component --format json";

/// List and search the vocabulary
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A list (domain, symptom, severity, component, root-cause, contributing, date-kind,
    /// source-kind), or words to search for
    #[arg(value_name = "KIND or WORDS")]
    words: Vec<String>,
    /// The language of labels and definitions
    #[arg(long, default_value = "en")]
    lang: String,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let vocabulary = match global.open() {
        Ok(library) => library.lexicon.vocabulary,
        Err(e) if e.kind() == ErrorKind::NoLibrary && global.library.is_none() => {
            builtin_vocabulary()
        }
        Err(e) => return Err(e),
    };
    let kind: Option<Kind> = args.words.first().and_then(|word| word.parse().ok());
    let query = args.words[usize::from(kind.is_some())..].join(" ");
    if args.words.is_empty() && args.format == Format::Text {
        return print_lists(&vocabulary, &args.lang);
    }
    let kinds = kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
    let found: Vec<(Kind, Vec<&TermEntry>)> = kinds
        .into_iter()
        .map(|kind| (kind, vocabulary.search(kind, &query)))
        .filter(|(_, terms)| !terms.is_empty())
        .collect();
    match args.format {
        Format::Json => {
            let lists: Vec<_> = found
                .iter()
                .map(|(kind, terms)| json!({ "kind": kind.as_str(), "terms": terms }))
                .collect();
            console::print_json(&json!(lists))?;
        }
        Format::Text => print_terms(&found, &args.lang)?,
    }
    if found.is_empty() {
        let kinds = kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
        let near: Vec<&str> = kinds
            .iter()
            .filter_map(|k| vocabulary.nearest(*k, &query))
            .collect();
        let offer = if near.is_empty() {
            String::new()
        } else {
            format!("; near it: {}", near.join(", "))
        };
        console::say(&format!("no term speaks of `{query}`{offer}"));
        return Ok(Outcome::Findings);
    }
    Ok(Outcome::Clean)
}

fn print_lists(vocabulary: &Vocabulary, language: &str) -> Result<Outcome, Error> {
    let mut text = String::new();
    for list in vocabulary.lists() {
        let description = list.description.get(language).map_or("", String::as_str);
        text.push_str(&format!(
            "{:<13} {:>3} terms  {description}\n",
            list.kind.as_str(),
            list.terms.len()
        ));
    }
    console::print(&text)?;
    Ok(Outcome::Clean)
}

fn print_terms(found: &[(Kind, Vec<&TermEntry>)], language: &str) -> Result<(), Error> {
    let width = found
        .iter()
        .flat_map(|(_, terms)| terms)
        .map(|t| t.slug.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (kind, terms) in found {
        text.push_str(&format!("{}\n", kind.as_str()));
        for term in terms {
            let definition = term.definition.get(language).map_or("", String::as_str);
            text.push_str(&format!(
                "  {:<width$}  {}: {definition}\n",
                term.slug,
                term.label_in(language)
            ));
        }
    }
    console::print(&text)
}
