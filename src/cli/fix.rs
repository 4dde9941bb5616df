//! `incidentlib check --fix`

use super::{Global, console};
use crate::check::{Snapshot, fixed};
use crate::library::{Change, Error, Library, Writer};
use crate::output::{counted, difference};

/// What `--fix` does beside mending.
#[derive(Clone, Copy)]
pub(super) struct How {
    /// Nothing is written.
    pub(super) dry_run: bool,
    /// Standard output is for programs: the difference goes to standard error.
    pub(super) quiet: bool,
}

/// Mends what is safe in the wanted records, all or none, and shows the difference. Returns whether
/// anything was written.
pub(super) fn run(
    library: &Library,
    snapshot: &Snapshot,
    is_wanted: impl Fn(&str) -> bool,
    how: How,
    global: &Global,
) -> Result<bool, Error> {
    let cx = global.context(library, snapshot);
    let (mut changes, mut shown) = (Vec::new(), String::new());
    for record in snapshot.records.iter().filter(|r| is_wanted(&r.file)) {
        if let Some(text) = fixed(record, &library.settings.org_aliases, &cx) {
            shown.push_str(&difference(&record.file, Some(&record.text), &text));
            changes.push(Change {
                file: record.file.clone(),
                bytes: text.into_bytes(),
            });
        }
    }
    if changes.is_empty() {
        console::say("nothing that can be mended safely");
        return Ok(false);
    }
    let records = counted(changes.len(), "record");
    let show = || match how.quiet {
        true => {
            console::say(shown.trim_end());
            Ok(())
        }
        false => console::print(&shown),
    };
    if how.dry_run {
        show()?;
        console::say(&format!("{records} would be mended; nothing was written"));
        return Ok(false);
    }
    Writer::open(&library.root)?.commit(&changes)?;
    show()?;
    console::say(&format!("{records} mended"));
    Ok(true)
}
