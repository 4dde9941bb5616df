//! How a library wants to be checked: its prefix, languages, reviewers, levels and waivers.

use std::collections::BTreeMap;

use crate::finding::{Finding, Level};
use crate::model::{CaseDate, LanguageTag, Reviewers};

/// How a library wants to be checked.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Prefix of its case ids.
    pub id_prefix: String,
    /// Languages that every text must have.
    pub languages: Vec<LanguageTag>,
    /// Who may sign reviews, and whose texts are a machine's.
    pub reviewers: Reviewers,
    /// Levels that differ from the rules' own; `None` switches a rule off.
    pub levels: BTreeMap<String, Option<Level>>,
    /// Reasoned, dated exceptions.
    pub waivers: Vec<Waiver>,
}

impl Policy {
    pub(crate) fn apply_levels(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let keep = |mut finding: Finding| match self.levels.get(finding.rule) {
            None => Some(finding),
            Some(None) => None,
            Some(Some(level)) => {
                finding.level = *level;
                Some(finding)
            }
        };
        findings.into_iter().filter_map(keep).collect()
    }
}

/// An exception to one rule for one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// The rule.
    pub rule: String,
    /// The case, `IL-0535`.
    pub case: String,
    /// Why it is right here.
    pub reason: String,
    /// The last day on which it holds.
    pub until: CaseDate,
}
