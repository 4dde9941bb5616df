//! Printing: results to standard output, everything else to standard error, and never a panic when
//! the reader of a pipe has gone.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::library::Error;

/// Prints a result. A reader that has gone (`| head`) has what it wanted, so that is no error.
pub(super) fn print(text: &str) -> Result<(), Error> {
    match anstream::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Error::usage(
            format!("cannot write to standard output: {e}"),
            "see where the output goes: a full disk, a closed file?",
        )),
        _ => Ok(()),
    }
}

/// Why the next line of standard input cannot be read.
pub(super) fn input_error(error: &io::Error) -> Error {
    Error::usage(
        format!("cannot read standard input: {error}"),
        "give the lines in a pipe or from a file: `< lines.ndjson`",
    )
}

/// Prints a JSON document.
pub(super) fn print_json(value: &Value) -> Result<(), Error> {
    print(&crate::model::print_json(value))
}

/// Prints one line of a stream of JSON documents.
pub(super) fn print_line(value: &Value) -> Result<(), Error> {
    // Programs that split lines by Unicode's rules would split inside a value at these.
    let line = value
        .to_string()
        .replace('\u{85}', "\\u0085")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    print(&format!("{line}\n"))
}

/// Tells people something that is no result.
pub(super) fn say(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Tells people why the job could not be done.
pub(super) fn error(error: &Error) {
    let style = anstyle::AnsiColor::Red
        .on_default()
        .effects(anstyle::Effects::BOLD);
    say(&format!(
        "{}: {error}",
        crate::output::styled(style, "error")
    ));
    if let Some(help) = error.help() {
        say(&format!("  help: {help}"));
    }
}

/// A progress bar on a terminal, for work that takes a while; elsewhere nothing.
pub(super) fn progress(length: usize, what: &str) -> ProgressBar {
    const WORTH_A_BAR: usize = 50;
    if length < WORTH_A_BAR || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what} ({{per_sec}}, {{eta}} left)");
    let bar = ProgressBar::new(length as u64);
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
