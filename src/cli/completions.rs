//! `incidentlib completions`

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Outcome, console};
use crate::library::Error;

const EXAMPLES: &str = "\
Examples:
  incidentlib completions bash > ~/.local/share/bash-completion/completions/incidentlib
  incidentlib completions zsh > ~/.zfunc/_incidentlib
  incidentlib completions fish > ~/.config/fish/completions/incidentlib.fish";

/// Print the completion script of a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "incidentlib", &mut script);
    console::print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Clean)
}
