//! The `incidentlib` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    incidentlib::cli::main()
}
