//! Known organisations: their display names, other spellings and hosts.

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::names::Names;
use super::terms::fold;

/// An organisation that pages name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Organisation {
    /// The display name that records use.
    pub name: String,
    /// Other names, products and projects of it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Others build on it, so that their texts name it often.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub platform: bool,
    /// Its name is that of software which others run: a text that names it says nothing of whose incident it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub software: bool,
    /// Hosts of its pages, or hosts with the start of a path; hosts below them count too.
    #[serde(default)]
    pub hosts: Vec<String>,
}

/// Organisations as a file of the schema lists them, `schema/organisation/known.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrganisationList {
    /// The organisations.
    pub organisations: Vec<Organisation>,
}

/// The organisations that are known, ready to be looked for in texts and addresses.
#[derive(Debug, Clone)]
pub struct Organisations {
    organisations: Vec<Organisation>,
    /// All names, and whose each is.
    names: Names,
    owners: Vec<usize>,
    folded: HashMap<String, usize>,
    /// Hosts, and hosts with the start of a path.
    hosts: HashMap<String, usize>,
}

impl Organisations {
    /// All organisations of several lists, sorted by name.
    pub fn merged(lists: impl IntoIterator<Item = OrganisationList>) -> Self {
        let mut all: Vec<Organisation> = lists.into_iter().flat_map(|l| l.organisations).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        let (mut names, mut owners) = (Vec::new(), Vec::new());
        let (mut folded, mut hosts) = (HashMap::new(), HashMap::new());
        for (owner, organisation) in all.iter().enumerate() {
            for name in organisation.aliases.iter().chain([&organisation.name]) {
                names.push(name.clone());
                owners.push(owner);
                folded.entry(fold(name)).or_insert(owner);
            }
            for host in &organisation.hosts {
                hosts.entry(host.clone()).or_insert(owner);
            }
        }
        Self {
            names: Names::new(names, false),
            organisations: all,
            owners,
            folded,
            hosts,
        }
    }

    /// The organisations, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Organisation> {
        self.organisations.iter()
    }

    fn owner(&self, host: &str) -> Option<&Organisation> {
        self.hosts
            .get(host)
            .map(|owner| &self.organisations[*owner])
    }

    /// The organisation with a host, `aws.amazon.com`: with the longest known host that it is or
    /// stands below.
    pub fn by_host(&self, host: &str) -> Option<&Organisation> {
        let host = host.trim_start_matches("www.").to_ascii_lowercase();
        let below = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
        std::iter::once(host.as_str())
            .chain(below)
            .find_map(|host| self.owner(host))
    }

    /// The organisation that an address belongs to, by host and the start of its path.
    pub fn by_address(&self, address: &str) -> Option<&Organisation> {
        let rest = address
            .split_once("://")
            .map_or(address, |(_, rest)| rest)
            .trim_start_matches("www.")
            .to_ascii_lowercase();
        let slashes = rest
            .match_indices('/')
            .map(|(at, _)| at)
            .chain([rest.len()])
            .take(8);
        let starts = slashes
            .map(|end| &rest[..end])
            .filter(|start| start.contains('/'));
        let mut owners = starts.filter_map(|start| self.owner(start));
        owners
            .next()
            .or_else(|| self.by_host(rest.split(['/', '?', '#', ':']).next().unwrap_or_default()))
    }

    /// The organisation with this name or alias, compared without case and punctuation.
    pub fn by_name(&self, name: &str) -> Option<&Organisation> {
        self.folded
            .get(&fold(name))
            .map(|owner| &self.organisations[*owner])
    }

    /// Where a text names an organisation, as whole words and in its own spelling: the organisation
    /// and the bytes of the name, in order of the text.
    pub fn mentions(&self, text: &str) -> Vec<(Range<usize>, &Organisation)> {
        let mut out: Vec<(Range<usize>, &Organisation)> = Vec::new();
        for (name, at) in self.names.places(text) {
            let before = text[..at.start].chars().next_back();
            let after = text[at.end..].chars().next();
            let ascii = text[at.clone()].is_ascii();
            let joins = |c: Option<char>| {
                ascii
                    && c.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '@'))
            };
            if !joins(before) && !joins(after) {
                out.push((at, &self.organisations[self.owners[name]]));
            }
        }
        out.sort_by_key(|(at, _)| at.start);
        out
    }
}
