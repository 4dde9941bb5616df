//! Known organisations: their display names, other spellings and hosts.

use std::ops::Range;

use serde::{Deserialize, Serialize};

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
    /// Hosts of its pages, or hosts with the start of a path; hosts below them count too.
    #[serde(default)]
    pub hosts: Vec<String>,
}

/// The organisations that are known, `schema/organisation/known.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Organisations {
    /// Sorted by name.
    pub organisations: Vec<Organisation>,
}

impl Organisations {
    /// All organisations of several lists, sorted by name.
    pub fn merged(lists: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<Organisation> = lists.into_iter().flat_map(|l| l.organisations).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Self { organisations: all }
    }

    /// The organisation with a host, `aws.amazon.com`.
    pub fn by_host(&self, host: &str) -> Option<&Organisation> {
        let host = host.trim_start_matches("www.").to_ascii_lowercase();
        let fits = |known: &String| host == *known || host.ends_with(&format!(".{known}"));
        let longest = |o: &&Organisation| o.hosts.iter().filter(|h| fits(h)).map(String::len).max();
        let found = self.organisations.iter().filter(|o| longest(o).is_some());
        found.max_by_key(longest)
    }

    /// The organisation that an address belongs to, by host and the start of its path.
    pub fn by_address(&self, address: &str) -> Option<&Organisation> {
        let rest = address
            .split_once("://")
            .map_or(address, |(_, rest)| rest)
            .trim_start_matches("www.")
            .to_ascii_lowercase();
        let path = |known: &&String| {
            known.contains('/') && (rest == **known || rest.starts_with(&format!("{known}/")))
        };
        let owner = self
            .organisations
            .iter()
            .find(|o| o.hosts.iter().any(|h| path(&h)));
        owner.or_else(|| self.by_host(rest.split(['/', '?', '#', ':']).next().unwrap_or_default()))
    }

    /// The organisation with this name or alias, compared without case and punctuation.
    pub fn by_name(&self, name: &str) -> Option<&Organisation> {
        let name = fold(name);
        let names = |o: &Organisation| o.aliases.iter().chain([&o.name]).any(|n| fold(n) == name);
        self.organisations.iter().find(|o| names(o))
    }

    /// Where a text names an organisation, as whole words and in its own spelling: the organisation
    /// and the bytes of the name, in order of the text.
    pub fn mentions(&self, text: &str) -> Vec<(Range<usize>, &Organisation)> {
        let mut out = Vec::new();
        for organisation in &self.organisations {
            for name in organisation.aliases.iter().chain([&organisation.name]) {
                for (at, _) in text.match_indices(name.as_str()).take(50) {
                    let before = text[..at].chars().next_back();
                    let after = text[at + name.len()..].chars().next();
                    let ascii = name.is_ascii();
                    let joins = |c: Option<char>| {
                        ascii
                            && c.is_some_and(|c| {
                                c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '@')
                            })
                    };
                    if !joins(before) && !joins(after) {
                        out.push((at..at + name.len(), organisation));
                    }
                }
            }
        }
        out.sort_by_key(|(at, _)| at.start);
        out
    }
}
