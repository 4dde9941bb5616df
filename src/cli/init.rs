//! `incidentlib init`

use std::path::PathBuf;

use super::{Outcome, console};
use crate::library::{Error, init};

const EXAMPLES: &str = "\
Examples:
  incidentlib init my-library
  incidentlib init --prefix CASE --languages en,ko,ja my-library";

/// Make an empty library: settings, schema, vocabulary, folders
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder to make; an existing one must be empty
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Prefix of the case ids
    #[arg(long, default_value = "IL")]
    prefix: String,
    /// Languages that every text must have, as tags
    #[arg(long, value_delimiter = ',', default_value = "en,ko")]
    languages: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<Outcome, Error> {
    let files = init(&args.folder, &args.prefix, &args.languages)?;
    let folder = args.folder.display();
    let mut text = format!("made a library in {folder} ({} files)\n", files.len());
    text.push_str("next: save a postmortem or case page from your browser, then\n");
    text.push_str(&format!(
        "  $ incidentlib ingest --library {folder} saved-page.html\n"
    ));
    console::print(&text)?;
    Ok(Outcome::Clean)
}
