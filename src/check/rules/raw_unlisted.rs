//! Every page in a raw folder stands in its manifest.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::check::snapshot::RawFolder;
use crate::finding::{Level, Place};

pub(super) const RULE: Rule = Rule {
    id: "raw-unlisted",
    level: Level::Error,
    why: "A page without an entry has no address, no day and no hash: nobody knows what it is.",
    bad: r##"{"normalized/IL-0001.json":{"id":"IL-0001"},"raw/IL-0001/a.txt":"page"}"##,
    good: r##"{"normalized/IL-0001.json":{"id":"IL-0001"},"raw/IL-0001/a.txt":"page","raw/IL-0001/sources.json":{"pages":[{"file":"a.txt","url":null,"kind":"postmortem","language":"en","media_type":"text/plain","fetched_at":null,"sha256":"3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274"}]}}"##,
    check: Check::Raw(check),
};

fn check(folder: &RawFolder, _: &Context<'_>, hits: &mut Hits) {
    // A manifest that cannot be read is a finding of its own; nothing is known about its pages.
    if folder.manifest.is_some() && folder.manifest().is_none() {
        return;
    }
    let pages = folder
        .manifest()
        .map_or(&[][..], |(_, manifest)| &manifest.pages);
    for file in &folder.files {
        if !pages.iter().any(|p| p.file == file.name) {
            let path = format!("{}/{}", folder.path, file.name);
            let message = format!("{}/sources.json does not list this page", folder.path);
            hits.push_file(&path, Place::File, message).help =
                Some(format!("run `incidentlib ingest {path}`"));
        }
    }
    if folder.manifest.is_none() && folder.files.is_empty() {
        hits.push_at(Place::File, "the folder is empty").help = Some("delete it".to_owned());
    }
}
