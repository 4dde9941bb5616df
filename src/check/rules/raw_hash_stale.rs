//! A raw page is the one whose hash its manifest holds.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::check::snapshot::RawFolder;
use crate::finding::{Level, Place, Pointer};

pub(super) const RULE: Rule = Rule {
    id: "raw-hash-stale",
    level: Level::Error,
    why: "A raw page is evidence; one that was changed after it was saved proves nothing.",
    bad: r##"{"normalized/IL-0001.json":{"id":"IL-0001"},"raw/IL-0001/a.txt":"page, edited","raw/IL-0001/sources.json":{"pages":[{"file":"a.txt","url":null,"kind":"postmortem","language":"en","media_type":"text/plain","fetched_at":null,"sha256":"3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274"}]}}"##,
    good: r##"{"normalized/IL-0001.json":{"id":"IL-0001"},"raw/IL-0001/a.txt":"page","raw/IL-0001/sources.json":{"pages":[{"file":"a.txt","url":null,"kind":"postmortem","language":"en","media_type":"text/plain","fetched_at":null,"sha256":"3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274"}]}}"##,
    check: Check::Raw(check),
};

fn check(folder: &RawFolder, _: &Context<'_>, hits: &mut Hits) {
    let Some((file, manifest)) = folder.manifest() else {
        return;
    };
    for (i, page) in manifest.pages.iter().enumerate() {
        let on_disk = folder.files.iter().find(|f| f.name == page.file);
        if let Some(on_disk) = on_disk.filter(|f| f.sha256 != page.sha256) {
            let place = Place::Value(Pointer::new(format!("/pages/{i}/sha256")));
            let message = format!(
                "{}/{} was changed after it was saved",
                folder.path, page.file
            );
            hits.push_file(file, place, message).help = Some(format!(
                "restore the page with `git checkout`; if the new bytes are right, write \"{}\" here",
                on_disk.sha256
            ));
        }
    }
}
