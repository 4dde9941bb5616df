//! The command line: arguments in, text out, exit status. The only place that knows the clock, the
//! terminal and the process.

#[cfg(feature = "archive")]
mod archive;
mod check;
mod completions;
mod console;
mod explain;
mod extract;
mod fix;
mod fmt;
mod ids;
mod ingest;
mod init;
mod input;
mod list;
mod normalize;
mod report;
mod review;
mod show;
mod vocab;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::check::Context;
use crate::check::Snapshot;
use crate::library::{Error, Library, Writer};
use crate::model::CaseDate;

const AFTER_HELP: &str = "\
Examples:
  incidentlib init my-library                 make a library of your own
  incidentlib ingest saved-page.html          add a page; a record is made or completed from it
  incidentlib check                           everything that is wrong, with what to do
  incidentlib report                          what is missing, first things first

Exit status: 0 nothing to complain about, 1 findings at error level, 2 the job could not be done,
3 an archive run that left questions open; the next one takes them up.
`incidentlib COMMAND --help` has examples of each command.";

/// Keeps a library of incident cases: raw pages of public postmortems become checked, bilingual,
/// reviewed records.
#[derive(Parser)]
#[command(name = "incidentlib", version, about, after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Args)]
struct Global {
    /// Work on the library in this folder instead of the one around the current folder
    #[arg(long, global = true, value_name = "DIR")]
    library: Option<PathBuf>,
    /// Colour: on a terminal, always or never; NO_COLOR is honoured
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN"
    )]
    color: Color,
    /// The day to take for today, instead of the clock's
    #[arg(long, global = true, value_name = "DATE")]
    today: Option<CaseDate>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// Text for people or JSON for programs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    #[value(alias = "human")]
    Text,
    Json,
}

#[derive(Subcommand)]
enum Command {
    Init(init::Args),
    Ingest(ingest::Args),
    Extract(extract::Args),
    Normalize(normalize::Args),
    Check(check::Args),
    Fmt(fmt::Args),
    Review(review::Args),
    Report(report::Args),
    #[cfg(feature = "archive")]
    Archive(archive::Args),
    NextId(ids::NextId),
    Renumber(ids::Renumber),
    Merge(ids::Merge),
    Withdraw(ids::Withdraw),
    List(list::Args),
    Show(show::Args),
    Explain(explain::Args),
    Vocab(vocab::Args),
    Completions(completions::Args),
}

/// How a command ended, when it could do its job.
enum Outcome {
    Clean,
    Findings,
    /// A part of the job is left for a later run.
    #[cfg(feature = "archive")]
    Incomplete,
}

impl Outcome {
    fn failed_if(failed: bool) -> Self {
        if failed { Self::Findings } else { Self::Clean }
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.global.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    let global = &cli.global;
    let result = match &cli.command {
        Command::Init(args) => init::run(args),
        Command::Ingest(args) => ingest::run(args, global),
        Command::Extract(args) => extract::run(args, global),
        Command::Normalize(args) => normalize::run(args, global),
        Command::Check(args) => check::run(args, global),
        Command::Fmt(args) => fmt::run(args, global),
        Command::Review(args) => review::run(args, global),
        Command::Report(args) => report::run(args, global),
        #[cfg(feature = "archive")]
        Command::Archive(args) => archive::run(args, global),
        Command::NextId(args) => ids::run_next_id(args, global),
        Command::Renumber(args) => ids::run_renumber(args, global),
        Command::Merge(args) => ids::run_merge(args, global),
        Command::Withdraw(args) => ids::run_withdraw(args, global),
        Command::List(args) => list::run(args, global),
        Command::Show(args) => show::run(args, global),
        Command::Explain(args) => explain::run(args, global),
        Command::Vocab(args) => vocab::run(args, global),
        Command::Completions(args) => completions::run(args),
    };
    match result {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        #[cfg(feature = "archive")]
        Ok(Outcome::Incomplete) => ExitCode::from(3),
        Err(error) => {
            console::error(&error);
            ExitCode::from(2)
        }
    }
}

impl Global {
    /// Opens the library, after finishing what a killed run may have left behind.
    fn open(&self) -> Result<Library, Error> {
        let start = self.library.clone().unwrap_or_else(|| PathBuf::from("."));
        let library = Library::discover(&start)?;
        match Writer::recover_if_needed(&library.root) {
            Ok(false) => Ok(library),
            Ok(true) => {
                console::say("an interrupted run was finished or taken back; the library is whole");
                // Its files may be others now.
                Library::open(&library.root)
            }
            Err(error) => {
                console::error(&error);
                Ok(library)
            }
        }
    }

    fn today(&self) -> CaseDate {
        self.today
            .unwrap_or_else(|| chrono::Local::now().date_naive().into())
    }

    fn context<'a>(&self, library: &'a Library, snapshot: &'a Snapshot) -> Context<'a> {
        let (lexicon, schemas) = (&library.lexicon, &library.schemas);
        Context::new(
            snapshot,
            lexicon,
            schemas,
            &library.settings.policy,
            self.today(),
        )
    }
}
