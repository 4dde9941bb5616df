//! `incidentlib.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use url::Url;

use crate::check::{Policy, Waiver, rule};
use crate::finding::Level;
use crate::model::{CaseDate, LanguageTag, Reviewers};
use crate::normalize::OrgAliases;
use crate::vocabulary::fold;

/// The name of the settings file; the folder that holds it is the library.
pub const SETTINGS_FILE: &str = "incidentlib.toml";

/// How a library is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What its check asks for.
    pub policy: Policy,
    /// How many digits a new id has at least.
    pub id_width: usize,
    /// Where its pages are published; without a final slash.
    pub base_url: Option<String>,
    /// Folded aliases of organisations with the spelling to use.
    pub org_aliases: OrgAliases,
    /// How web archives are asked.
    pub archive: ArchiveSettings,
}

/// How web archives are asked; what is not set has the default of the program. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchiveSettings {
    /// Scheme, host and port of an archive with the interfaces of the Wayback Machine, instead of that one.
    pub base: Option<String>,
    /// Whom the archive can reach: an address of mail or web.
    pub contact: Option<String>,
    /// Between two requests to the index.
    pub index_pause: Option<f64>,
    /// Between two looks at copies.
    pub replay_pause: Option<f64>,
    /// Between two requests for a capture.
    pub save_pause: Option<f64>,
    /// After an answer that it is asked too often, where it does not say how long to wait.
    pub default_pause: Option<f64>,
    /// Pauses longer than this are not waited for.
    pub longest_pause: Option<f64>,
    /// For one request.
    pub timeout: Option<f64>,
    /// Between two questions how far a capture is.
    pub poll_pause: Option<f64>,
    /// How often that is asked.
    pub polls: Option<u32>,
}

impl ArchiveSettings {
    fn check(&self) -> Result<(), String> {
        let times = [
            ("index_pause", self.index_pause),
            ("replay_pause", self.replay_pause),
            ("save_pause", self.save_pause),
            ("default_pause", self.default_pause),
            ("longest_pause", self.longest_pause),
            ("timeout", self.timeout),
            ("poll_pause", self.poll_pause),
        ];
        for (key, value) in times {
            if value.is_some_and(|v| !(0.0..=86_400.0).contains(&v)) {
                return Err(format!("`[archive]`: `{key}` is seconds, 0 to 86400"));
            }
        }
        let Some(base) = &self.base else {
            return Ok(());
        };
        let url = Url::parse(base).ok();
        let plain = url.as_ref().is_some_and(|url| {
            matches!(url.scheme(), "http" | "https") && url.path() == "/" && url.query().is_none()
        });
        plain.then_some(()).ok_or_else(|| {
            format!("`[archive]`: `base = \"{base}\"` is no `https://host` or `http://host:port`")
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    library: LibrarySection,
    #[serde(default)]
    review: ReviewSection,
    #[serde(default)]
    rules: BTreeMap<String, String>,
    #[serde(default)]
    organisations: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    waiver: Vec<WaiverSection>,
    #[serde(default)]
    archive: ArchiveSettings,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LibrarySection {
    id_prefix: String,
    #[serde(default = "four")]
    id_width: usize,
    languages: Vec<String>,
    #[serde(default)]
    base_url: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct ReviewSection {
    #[serde(default)]
    reviewers: Vec<String>,
    #[serde(default = "session")]
    machines: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaiverSection {
    rule: String,
    case: String,
    reason: String,
    until: String,
}

fn session() -> Vec<String> {
    Reviewers::default().machines
}

fn four() -> usize {
    4
}

impl Settings {
    /// Reads the text of a settings file. The error says which line or value is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: SettingsFile =
            toml::from_str(text).map_err(|e| e.to_string().trim().to_owned())?;
        let library = file.library;
        let prefix_ok = format!("{}-0000", library.id_prefix)
            .parse::<crate::model::CaseId>()
            .is_ok();
        if !prefix_ok {
            return Err(format!(
                "`id_prefix = \"{}\"`: a prefix is one to sixteen capital letters and digits, a letter first",
                library.id_prefix
            ));
        }
        if !(4..=18).contains(&library.id_width) {
            return Err(format!(
                "`id_width = {}`: a width is 4 to 18",
                library.id_width
            ));
        }
        let languages: Result<Vec<LanguageTag>, _> =
            library.languages.iter().map(|l| l.parse()).collect();
        let languages = languages.map_err(|e| format!("`languages`: {e}"))?;
        if languages.is_empty() {
            return Err("`languages` names none; a library has one at least".to_owned());
        }
        file.archive.check()?;
        Ok(Self {
            id_width: library.id_width,
            archive: file.archive,
            base_url: library
                .base_url
                .map(|url| url.trim_end_matches('/').to_owned()),
            org_aliases: org_aliases(&file.organisations)?,
            policy: Policy {
                id_prefix: library.id_prefix,
                languages,
                reviewers: Reviewers {
                    people: file.review.reviewers,
                    machines: file.review.machines,
                },
                levels: levels(&file.rules)?,
                waivers: file
                    .waiver
                    .into_iter()
                    .map(waiver)
                    .collect::<Result<_, _>>()?,
            },
        })
    }
}

fn levels(rules: &BTreeMap<String, String>) -> Result<BTreeMap<String, Option<Level>>, String> {
    let mut out = BTreeMap::new();
    for (id, level) in rules {
        if rule(id).is_none() {
            return Err(format!(
                "`[rules]`: there is no rule `{id}`; `incidentlib check --rules` lists them"
            ));
        }
        let level = match level.as_str() {
            "error" => Some(Level::Error),
            "warning" => Some(Level::Warning),
            "note" => Some(Level::Note),
            "off" => None,
            other => {
                return Err(format!(
                    "`[rules]`: `{id} = \"{other}\"` is none of error, warning, note, off"
                ));
            }
        };
        out.insert(id.clone(), level);
    }
    Ok(out)
}

fn waiver(section: WaiverSection) -> Result<Waiver, String> {
    let named = format!("`[[waiver]]` of `{}` for {}", section.rule, section.case);
    if rule(&section.rule).is_none() {
        return Err(format!(
            "{named}: there is no such rule; `incidentlib check --rules` lists them"
        ));
    }
    if section.reason.trim().is_empty() {
        return Err(format!(
            "{named}: `reason` is empty; say why the rule is wrong here"
        ));
    }
    let until: CaseDate = section
        .until
        .parse()
        .map_err(|e| format!("{named}: `until`: {e}"))?;
    Ok(Waiver {
        rule: section.rule,
        case: section.case,
        reason: section.reason,
        until,
    })
}

fn org_aliases(orgs: &BTreeMap<String, Vec<String>>) -> Result<OrgAliases, String> {
    let mut out = OrgAliases::new();
    for (name, aliases) in orgs {
        for alias in aliases.iter().chain(std::iter::once(name)) {
            if let Some(other) = out.insert(fold(alias), name.clone())
                && other != *name
            {
                return Err(format!(
                    "`[organisations]`: `{alias}` stands for `{other}` and for `{name}`"
                ));
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "[library]\nid_prefix = \"IL\"\nlanguages = [\"en\", \"ko\"]\n";

    fn fault(more: &str) -> String {
        Settings::parse(&format!("{SMALL}{more}")).unwrap_err()
    }

    #[test]
    fn a_small_file_is_enough() {
        let settings = Settings::parse(SMALL).unwrap();
        assert_eq!(settings.id_width, 4);
        assert_eq!(settings.policy.languages.len(), 2);
    }

    #[test]
    fn faults_name_the_value() {
        assert!(fault("[rules]\nno-such-rule = \"off\"").contains("no rule `no-such-rule`"));
        assert!(fault("[rules]\narchive-missing = \"loud\"").contains("none of error"));
        assert!(fault("[archive]\nindex_pause = -1.0").contains("`index_pause` is seconds"));
        assert!(fault("[archive]\nbase = \"archive\"").contains("is no `https://host`"));
        assert!(fault("[libary]\n").contains("unknown field `libary`"));
        let waiver = "[[waiver]]\nrule = \"archive-missing\"\ncase = \"IL-0001\"\nreason = \" \"\nuntil = \"2027-01-01\"";
        assert!(fault(waiver).contains("`reason` is empty"));
        assert!(
            fault("[organisations]\nA = [\"x\"]\nB = [\"X\"]")
                .contains("stands for `A` and for `B`")
        );
    }
}
