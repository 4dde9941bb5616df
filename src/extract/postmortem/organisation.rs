//! Whose incident it is: by the host of the page, its own name, the names in its text.

use std::ops::Range;

use url::Url;

use crate::read::BlockKind;
use crate::vocabulary::Organisation;

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
    if let Some(best) = named_most(reader) {
        return Some(best);
    }
    if let Some(found) = meta(reader, &["og:site_name", "ld:publisher"]) {
        let name = without_part(found.value.trim()).to_owned();
        let basis = "the site is called so";
        return Some(Told {
            basis,
            ..told_meta(reader, found, name)
        });
    }
    let basis = "the host of the page is called so";
    own_host(reader).map(|told| Told { basis, ..told })
}

/// Whether a text names one platform again and again and no other organisation: then it is its own.
fn only_platform(scores: &Scores) -> bool {
    let named = |s: &&Score| s.weight >= 0.1;
    let mut all = scores.0.iter().filter(named);
    let first = all
        .next()
        .filter(|s| s.organisation.platform && !s.organisation.software);
    first.is_some_and(|s| s.weight >= 0.4) && all.next().is_none()
}

/// What sites add to the name of their organisation: "Lantern Mail Status", "Copper Kettle Engineering Blog".
const PARTS: [&str; 14] = [
    "status page",
    "status",
    "engineering",
    "tech",
    "blog",
    "developers",
    "developer",
    "docs",
    "news",
    "기술 블로그",
    "기술블로그",
    "블로그",
    "技術ブログ",
    "技术博客",
];

/// The name of a site without the part of the organisation that it is of.
fn without_part(name: &str) -> &str {
    let mut name = name;
    loop {
        let lower = name.to_lowercase();
        let part = PARTS
            .iter()
            .find(|p| lower.ends_with(**p) && lower.len() == name.len());
        let Some(rest) = part.map(|p| &name[..name.len() - p.len()]) else {
            return name;
        };
        let shorter = rest.trim_end();
        let joined =
            rest.len() == shorter.len() && rest.ends_with(|c: char| c.is_ascii_alphanumeric());
        let shorter = shorter.trim_end_matches(['|', '-', '–', '·', ' ']);
        if joined || shorter.chars().count() < 2 {
            return name;
        }
        name = shorter;
    }
}

/// How much speaks for each organisation, with the first place that names it.
#[derive(Default)]
struct Scores<'a>(Vec<Score<'a>>);

struct Score<'a> {
    organisation: &'a Organisation,
    weight: f64,
    block: usize,
    at: Range<usize>,
}

impl<'a> Scores<'a> {
    fn add(&mut self, organisation: &'a Organisation, weight: f64, block: usize, at: Range<usize>) {
        if !self.more(organisation, weight) {
            self.0.push(Score {
                organisation,
                weight,
                block,
                at,
            });
        }
    }

    /// Adds to an organisation that is among them already; whether it is.
    fn more(&mut self, organisation: &Organisation, weight: f64) -> bool {
        let known = self.0.iter_mut();
        let mut known = known.filter(|s| s.organisation.name == organisation.name);
        let score = known.next();
        let found = score.is_some();
        if let Some(score) = score {
            score.weight += weight;
        }
        found
    }
}

/// The organisation that titles, texts, links and footers name most.
fn named_most(reader: &Reader) -> Option<Told> {
    let known = &reader.cx.organisations;
    let mut scores = Scores::default();
    // Names in the title and the first texts weigh most.
    let texts = reader
        .blocks()
        .filter(|(_, b)| b.kind != BlockKind::Preformatted);
    for (n, (i, block)) in texts.enumerate() {
        let titled = n == 0 || matches!(block.kind, BlockKind::Heading(1));
        let place = match n {
            _ if titled => 6.0,
            0..6 => 2.0,
            _ => 1.0,
        };
        for (at, organisation) in known.mentions(&block.text) {
            let linked = block.links.iter().any(|l| l.range.contains(&at.start));
            let weight = if linked { place * 0.5 } else { place };
            let weight = match (organisation.platform, titled) {
                _ if organisation.software => weight * 0.01,
                (true, true) => weight * 0.15,
                (true, false) => weight * 0.05,
                _ => weight,
            };
            scores.add(organisation, weight, i, at);
        }
    }
    for key in [
        "title",
        "author",
        "description",
        "og:title",
        "author_github",
    ] {
        let Some(found) = meta(reader, &[key]) else {
            continue;
        };
        for (_, organisation) in known.mentions(&found.value) {
            scores.more(organisation, 5.0);
        }
    }
    // Links to the organisation's own pages, in menus and footers too.
    for (i, block) in reader.page.blocks.iter().enumerate() {
        for link in &block.links {
            if let Some(organisation) = known.by_address(&link.href) {
                let weight = if organisation.platform { 0.02 } else { 1.5 };
                scores.add(organisation, weight, i, link.range.clone());
            }
        }
        if block.furniture || block.text.contains('©') {
            let named = known.mentions(&block.text).into_iter();
            for (at, organisation) in named.filter(|(_, o)| !o.platform) {
                scores.add(organisation, 2.0, i, at);
            }
        }
    }
    let alone = only_platform(&scores);
    let best = scores.0.into_iter();
    let best = best.max_by(|a, b| a.weight.total_cmp(&b.weight).then(b.block.cmp(&a.block)))?;
    let name = best.organisation.name.clone();
    (best.weight >= 1.0 || alone).then(|| reader.told(best.block, best.at, name, "derived"))
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
