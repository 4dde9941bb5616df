//! Whose incident it is: by the host of the page, its own name, the names in its text.

use url::Url;

use crate::read::BlockKind;

use super::identity::{meta, told_meta};
use super::{Reader, Told};

/// The organisation: its host, its name as the site gives it, the one the text names most.
pub(super) fn organisation(reader: &Reader) -> Option<Told> {
    let known = &reader.cx.organisations;
    for key in [
        "canonical",
        "og:url",
        "source",
        "url",
        "ld:publisher",
        "og:site_name",
        "application-name",
    ] {
        let Some(found) = meta(reader, &[key]) else {
            continue;
        };
        let address = Url::parse(&found.value).is_ok_and(|u| u.has_host());
        let organisation = if address {
            known.by_address(&found.value)
        } else {
            known.by_name(&found.value)
        };
        if let Some(organisation) = organisation {
            return Some(told_meta(reader, found, organisation.name.clone()));
        }
    }
    // Names in the title and the first texts weigh most.
    let mut scores: Vec<(&str, f64, usize, std::ops::Range<usize>)> = Vec::new();
    for (n, (i, block)) in reader
        .blocks()
        .filter(|(_, b)| b.kind != BlockKind::Preformatted)
        .enumerate()
    {
        let weight = if n == 0 || matches!(block.kind, BlockKind::Heading(1)) {
            6.0
        } else if n < 6 {
            2.0
        } else {
            1.0
        };
        for (at, organisation) in known.mentions(&block.text) {
            let linked = block.links.iter().any(|l| l.range.contains(&at));
            let titled = n == 0 || matches!(block.kind, BlockKind::Heading(1));
            let weight = if linked { weight * 0.5 } else { weight };
            let weight = match (organisation.platform, titled) {
                (true, true) => weight * 0.15,
                (true, false) => weight * 0.05,
                _ => weight,
            };
            match scores
                .iter_mut()
                .find(|(name, ..)| *name == organisation.name)
            {
                Some(score) => score.1 += weight,
                None => scores.push((
                    &organisation.name,
                    weight,
                    i,
                    at..block.text.len().min(at + organisation.name.len()),
                )),
            }
        }
    }
    for found in [
        "title",
        "author",
        "description",
        "og:title",
        "author_github",
    ]
    .iter()
    .filter_map(|k| meta(reader, &[k]))
    {
        for (_, organisation) in known.mentions(&found.value) {
            let known = scores
                .iter_mut()
                .find(|(name, ..)| *name == organisation.name);
            if let Some(score) = known {
                score.1 += 5.0;
            }
        }
    }
    // Links to the organisation's own pages, in menus and footers too.
    for (i, block) in reader.page.blocks.iter().enumerate() {
        for link in &block.links {
            let Some(organisation) = known.by_address(&link.href) else {
                continue;
            };
            let weight = if organisation.platform { 0.02 } else { 1.5 };
            match scores
                .iter_mut()
                .find(|(name, ..)| *name == organisation.name)
            {
                Some(score) => score.1 += weight,
                None => scores.push((&organisation.name, weight, i, link.range.clone())),
            }
        }
        if block.furniture || block.text.contains('©') {
            for (at, organisation) in known
                .mentions(&block.text)
                .into_iter()
                .filter(|(_, o)| !o.platform)
            {
                match scores
                    .iter_mut()
                    .find(|(name, ..)| *name == organisation.name)
                {
                    Some(score) => score.1 += 2.0,
                    None => scores.push((
                        &organisation.name,
                        2.0,
                        i,
                        at..block.text.len().min(at + organisation.name.len()),
                    )),
                }
            }
        }
    }
    let best = scores
        .iter()
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.2.cmp(&a.2)));
    if let Some((name, score, block, range)) = best
        && *score >= 1.0
    {
        let mut end = range.end;
        while !reader.block(*block).text.is_char_boundary(end) {
            end -= 1;
        }
        return Some(reader.told(*block, range.start..end, *name, "derived"));
    }
    if let Some(found) = meta(reader, &["og:site_name", "ld:publisher"]) {
        return Some(told_meta(reader, found, found.value.trim().to_owned()));
    }
    own_host(reader)
}

/// The owner of a host that names one: `schullogin.github.io`.
fn own_host(reader: &Reader) -> Option<Told> {
    let found = meta(reader, &["canonical", "og:url"])?;
    let host = Url::parse(&found.value)
        .ok()?
        .host_str()?
        .trim_start_matches("www.")
        .to_owned();
    let shared = [
        "github.io",
        "gitlab.io",
        "readthedocs.io",
        "netlify.app",
        "pages.dev",
        "medium.com",
        "statuspage.io",
        "wordpress.com",
        "blogspot.com",
    ];
    let owner = match shared
        .iter()
        .find_map(|s| host.strip_suffix(&format!(".{s}")))
    {
        Some(owner) => owner.to_owned(),
        None => {
            let labels: Vec<&str> = host.split('.').collect();
            labels.get(labels.len().checked_sub(2)?)?.to_string()
        }
    };
    // As the address spells it.
    let at = found.value.to_lowercase().find(&owner)?;
    let spelled = found.value.get(at..at + owner.len())?.to_owned();
    Some(told_meta(reader, found, spelled))
}
