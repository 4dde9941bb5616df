//! What a change to a library brought in: the findings that were not there before it.

use std::collections::HashMap;

use crate::finding::Finding;

/// The findings that `before` has not, and how many it has. A finding is the same where rule, file and message are: its
/// line moves with every edit above it. Of several equal ones those beyond their number before are new.
pub fn brought_in(findings: Vec<Finding>, before: &[Finding]) -> (Vec<Finding>, usize) {
    let mut old: HashMap<(&str, &str, &str), usize> = HashMap::new();
    for finding in before {
        *old.entry(key(finding)).or_default() += 1;
    }
    let mut was_there = Vec::with_capacity(findings.len());
    for finding in &findings {
        let left = old.get_mut(&key(finding)).filter(|left| **left > 0);
        was_there.push(left.is_some());
        if let Some(left) = left {
            *left -= 1;
        }
    }
    drop(old);
    let known = was_there.iter().filter(|was| **was).count();
    let new = findings.into_iter().zip(was_there).filter(|(_, was)| !was);
    (new.map(|(finding, _)| finding).collect(), known)
}

fn key(finding: &Finding) -> (&str, &str, &str) {
    (finding.rule, &finding.file, &finding.message)
}
