//! Every page that a manifest names is there.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::check::snapshot::RawFolder;
use crate::finding::{Level, Place, Pointer};

pub(super) const RULE: Rule = Rule {
    id: "raw-missing",
    level: Level::Error,
    why: "A manifest that names a page nobody has promises evidence that is not there.",
    bad: r##"{"normalized/IL-0001.json":{"id":"IL-0001"},"raw/IL-0001/sources.json":{"pages":[{"file":"a.txt","url":null,"kind":"postmortem","language":"en","media_type":"text/plain","fetched_at":null,"sha256":"3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274"}]}}"##,
    good: r##"{"normalized/IL-0001.json":{"id":"IL-0001"},"raw/IL-0001/a.txt":"page","raw/IL-0001/sources.json":{"pages":[{"file":"a.txt","url":null,"kind":"postmortem","language":"en","media_type":"text/plain","fetched_at":null,"sha256":"3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274"}]}}"##,
    check: Check::Raw(check),
};

fn check(folder: &RawFolder, _: &Context<'_>, hits: &mut Hits) {
    let Some((file, manifest)) = folder.manifest() else {
        return;
    };
    for (i, page) in manifest.pages.iter().enumerate() {
        let place = Place::Value(Pointer::new(format!("/pages/{i}/file")));
        if manifest.pages[..i].iter().any(|p| p.file == page.file) {
            hits.push_file(file, place, format!("`{}` is listed twice", page.file))
                .help = Some("keep one of the entries".to_owned());
        } else if !folder.files.iter().any(|f| f.name == page.file) {
            let message = format!("`{}` is not in {}", page.file, folder.path);
            hits.push_file(file, place, message).help =
                Some("restore the page, or delete this entry".to_owned());
        }
    }
}
