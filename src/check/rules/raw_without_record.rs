//! Every raw folder belongs to a record.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::check::snapshot::RawFolder;
use crate::finding::{Level, Place};

pub(super) const RULE: Rule = Rule {
    id: "raw-without-record",
    level: Level::Warning,
    why: "Pages that were saved and never became a record are work that was forgotten.",
    bad: r##"{"normalized/IL-0002.json":{"id":"IL-0002"},"raw/IL-0001/a.txt":"page","raw/IL-0001/sources.json":{"pages":[{"file":"a.txt","url":null,"kind":"postmortem","language":"en","media_type":"text/plain","fetched_at":null,"sha256":"3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274"}]}}"##,
    good: r##"{"normalized/IL-0001.json":{"id":"IL-0001"},"raw/IL-0001/a.txt":"page","raw/IL-0001/sources.json":{"pages":[{"file":"a.txt","url":null,"kind":"postmortem","language":"en","media_type":"text/plain","fetched_at":null,"sha256":"3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274"}]}}"##,
    check: Check::Raw(check),
};

fn check(folder: &RawFolder, cx: &Context<'_>, hits: &mut Hits) {
    if !cx.index.has_id(&folder.name) {
        let message = format!(
            "there is no record normalized/{}.json for these pages",
            folder.name
        );
        hits.push_at(Place::File, message).help =
            Some(format!("run `incidentlib ingest {}`", folder.path));
    }
}
