//! Which elements hold the article: what is left out by name or links, and the smallest element
//! that holds nearly all of what remains.

use std::collections::HashSet;

use super::weight::Weight;
use super::{Place, Title};
use crate::read::{Page, Role, Tag};

/// What elements are judged by.
#[derive(Clone, Copy)]
pub(super) enum Look {
    /// By what they are, and by their classes and ids.
    Names,
    /// By what they are; by their names only where little stands in them.
    Elements,
}

/// A number of each block summed up over the containers around it.
pub(super) fn sums(page: &Page, of: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut sums = vec![0; page.containers.len()];
    for (i, block) in page.blocks.iter().enumerate() {
        if let Some(container) = block.container {
            sums[container] += of(i);
        }
    }
    for (i, container) in page.containers.iter().enumerate().rev() {
        if let Some(parent) = container.parent {
            sums[parent] += sums[i];
        }
    }
    sums
}

/// How much of the prose of each container is quoted.
pub(super) fn quotes(page: &Page, weights: &[Weight]) -> Vec<usize> {
    let mut inside = vec![false; page.containers.len()];
    for (i, container) in page.containers.iter().enumerate() {
        inside[i] = container.tag == Tag::Quote || container.parent.is_some_and(|p| inside[p]);
    }
    sums(page, |i| match page.blocks[i].container {
        Some(c) if inside[c] => weights[i].prose,
        _ => 0,
    })
}

/// Containers that stand beside the article by their name or their links, unless most of the text
/// is in them.
pub(super) fn left_out(
    look: Look,
    page: &Page,
    weights: &[Weight],
    title: Option<Title>,
) -> Vec<Place> {
    let prose = sums(page, |i| weights[i].prose);
    let lengths = sums(page, |i| weights[i].length);
    let links = sums(page, |i| weights[i].links);
    let guarded = sums(page, |i| usize::from(weights[i].guarded));
    let quoted = quotes(page, weights);
    let all = prose.first().copied().unwrap_or(0);
    let titled: HashSet<usize> =
        around(page, title.and_then(|t| page.blocks[t.block].container)).collect();
    let mut out: Vec<Place> = Vec::with_capacity(page.containers.len());
    for (i, container) in page.containers.iter().enumerate() {
        let rest = all - prose[i];
        let small = prose[i] * 5 < all * 2
            || (rest > 250 && rest * 3 > all && !titled.contains(&i) && guarded[i] == 0);
        let quote = quoted[i] * 2 > prose[i];
        let linked = |percent: usize| guarded[i] == 0 && links[i] * 100 > lengths[i] * percent;
        let role = match look {
            Look::Names => container.role,
            Look::Elements if prose[i] * 10 < all => container.role,
            Look::Elements => Role::Plain,
        };
        let place = match (container.tag, role) {
            // Tags without links are places, versions, things concerned.
            (Tag::List, Role::Beside) if links[i] == 0 => Place::Main,
            (Tag::Nav | Tag::Aside | Tag::Footer | Tag::Form, _) | (_, Role::Beside)
                if small && !quote =>
            {
                Place::Out
            }
            (Tag::Caption, _) | (_, Role::Caption) if prose[i] < 1200 => Place::Out,
            (Tag::Figure, _) if guarded[i] == 0 && prose[i] < 600 => Place::Out,
            (Tag::List, _) if linked(65) => Place::Out,
            _ if small && linked(70) => Place::Out,
            (_, Role::Byline) if prose[i] < 300 => Place::Byline,
            _ => Place::Main,
        };
        let inherited = container.parent.map_or(Place::Main, |p| out[p]);
        out.push(if inherited == Place::Main || place == Place::Out {
            place
        } else {
            inherited
        });
    }
    out
}

/// What the region of the article is chosen by.
pub(super) struct Region<'a> {
    pub(super) page: &'a Page,
    /// Prose of each container that was not left out.
    pub(super) kept: &'a [usize],
    /// Blocks of each container that must stay.
    pub(super) guards: &'a [usize],
    /// The container of the title.
    pub(super) title: Option<usize>,
    pub(super) named: bool,
    pub(super) incident: bool,
}

impl Region<'_> {
    /// The containers of the article: bodies that their names call so, the one `article` that holds
    /// the title, or the smallest element that holds nearly all of the text.
    pub(super) fn chosen(&self) -> Vec<bool> {
        let containers = &self.page.containers;
        let kept = self.kept;
        let all = kept.first().copied().unwrap_or(0);
        let mut inside = vec![false; containers.len()];
        let (mut bodies, mut guards) = (0, 0);
        for (i, container) in containers.iter().enumerate() {
            let around = container.parent.is_some_and(|p| inside[p]);
            inside[i] = around || container.role == Role::Body;
            if inside[i] && !around {
                bodies += kept[i];
                guards += self.guards[i];
            }
        }
        let whole = !self.incident || guards == self.guards.first().copied().unwrap_or(0);
        if bodies * 2 > all && whole {
            if let (true, Some(title)) = (self.incident, self.title) {
                inside[title] = true;
            }
            return inside;
        }
        let title: Vec<usize> = around(self.page, self.title).collect();
        let article = title
            .iter()
            .copied()
            .find(|c| containers[*c].tag == Tag::Article);
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); containers.len()];
        for (i, container) in containers.iter().enumerate() {
            if let Some(parent) = container.parent {
                children[parent].push(i);
            }
        }
        let mut at = article
            .filter(|a| kept[*a] * 5 > all || self.named && kept[*a] > 300)
            .unwrap_or(0);
        while let Some(next) = children[at].iter().copied().max_by_key(|c| kept[*c]) {
            let loses = self.incident
                && (self.guards[next] < self.guards[at]
                    || title.contains(&at) && !title.contains(&next));
            let listed = matches!(containers[next].tag, Tag::List | Tag::Table);
            if kept[next] * 5 < kept[at] * 4 || kept[next] == 0 || listed || loses {
                break;
            }
            at = next;
        }
        for (i, container) in containers.iter().enumerate() {
            inside[i] = i == at || container.parent.is_some_and(|p| inside[p]);
        }
        inside
    }
}

/// A container and those around it, from the inside out.
pub(in crate::extract) fn around(
    page: &Page,
    from: Option<usize>,
) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(from, |c| page.containers[*c].parent)
}
