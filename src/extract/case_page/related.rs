//! Related cases: `IL-0281Title of the casePostHog · 2026same root cause · shared Object storage`.
//!
//! A reason that names a shared component also says something about this case: it has that component.

use std::ops::Range;

use super::head::case_id_at_start;
use super::{Reader, trimmed};
use crate::extract::{Claim, SimilarCase};
use crate::finding::Level;
use crate::read::Block;
use crate::vocabulary::{Kind, Lookup, fold};

impl Reader<'_> {
    /// Reads one related case, or the reason that belongs to the one before.
    pub(super) fn read_related(&mut self, block: &Block) {
        if self.cx.languages.is_absent_mark(&block.text) {
            return;
        }
        match case_id_at_start(&block.text) {
            Some((id, end)) => {
                let mut case = self.parse_entry(block, end);
                case.id = id;
                self.claim_shared(&case, block);
                self.draft.similar.push(case);
            }
            None => self.read_reason(block),
        }
    }

    /// Claims the cases that an editor chose: those for which the page gives no computed reason.
    pub(super) fn claim_chosen(&mut self) {
        let chosen: Vec<SimilarCase> = self
            .draft
            .similar
            .iter()
            .filter(|c| c.reason.is_none())
            .cloned()
            .collect();
        for case in chosen {
            let pointer = self.next_item("related");
            let value = case.id.to_string().into();
            self.draft.claims.push(Claim {
                pointer,
                value,
                evidence: case.evidence,
                derivation: None,
            });
        }
    }

    fn read_reason(&mut self, block: &Block) {
        let (same_root_cause, shared) = self.parse_reason(&block.text);
        if !same_root_cause && shared.is_empty() {
            self.unread(block, "this is no related case: it starts with no case id");
            return;
        }
        match self
            .draft
            .similar
            .last_mut()
            .filter(|case| case.reason.is_none())
        {
            Some(case) => {
                case.reason = Some(block.text.clone());
                case.same_root_cause = same_root_cause;
                case.shared = shared;
                let case = case.clone();
                self.claim_shared(&case, block);
            }
            None => {
                let message = format!(
                    "a reason without a case: the related case that `{}` belongs to is lost",
                    block.text
                );
                self.finding("damaged-text", Level::Note, block, message);
            }
        }
    }

    fn parse_entry(&self, block: &Block, start: usize) -> SimilarCase {
        let text = &block.text;
        let year = last_year(text, start);
        let head = trimmed(
            text,
            start..year.as_ref().map_or(text.len(), |(dot, _, _)| *dot),
        );
        let reason = year
            .as_ref()
            .map(|(_, end, _)| trimmed(text, *end..text.len()));
        let reason = reason.map(|r| text[r].trim_start_matches([' ', '·']).to_owned());
        let reason = reason.filter(|r| !r.is_empty());
        let (same_root_cause, shared) = reason
            .as_deref()
            .map_or((false, Vec::new()), |r| self.parse_reason(r));
        let split = match year {
            Some(_) => joint_inside(block, &head)
                .or_else(|| org_start(&text[head.clone()]).map(|i| head.start + i)),
            None => None,
        };
        let title = trimmed(text, head.start..split.unwrap_or(head.end));
        SimilarCase {
            id: case_id_at_start(text)
                .map(|(id, _)| id)
                .expect("the caller found an id at the start"),
            title: text[title].to_owned(),
            org: split.map(|at| text[trimmed(text, at..head.end)].to_owned()),
            year: year.map(|(_, _, year)| year),
            reason,
            same_root_cause,
            shared,
            evidence: self.evidence(block, 0..text.len()),
        }
    }

    /// Whether a reason names the same root cause, and the labels it says both share.
    fn parse_reason(&self, reason: &str) -> (bool, Vec<String>) {
        let (mut same, mut shared) = (false, Vec::new());
        let Some(page) = &self.language.case_page else {
            return (same, shared);
        };
        let words = &page.reasons;
        for part in reason.split('·').map(str::trim) {
            if words.same_root_cause.iter().any(|w| fold(w) == fold(part)) {
                same = true;
            } else if let Some(labels) = words.shared.iter().find_map(|w| after_word(part, w)) {
                shared.extend(labels.split([',', '、']).map(|l| l.trim().to_owned()));
            }
        }
        shared.retain(|label| !label.is_empty());
        (same, shared)
    }

    fn claim_shared(&mut self, case: &SimilarCase, block: &Block) {
        for label in &case.shared {
            let Some(at) = block.text.rfind(label.as_str()) else {
                continue;
            };
            let is_component = matches!(
                self.cx.vocabulary.lookup(Kind::Component, label),
                Lookup::Term(_)
            );
            let claimed = self
                .draft
                .claims
                .iter()
                .any(|c| c.pointer.field() == "components" && c.value.as_str() == Some(label));
            if is_component && !claimed {
                self.claim_text(self.next_item("components"), block, at..at + label.len());
            }
        }
    }
}

/// The last `· 2026` after `start`: where it starts, where it ends, and the year.
fn last_year(text: &str, start: usize) -> Option<(usize, usize, i32)> {
    text.match_indices('·')
        .filter(|(i, _)| *i >= start)
        .filter_map(|(dot, mark)| {
            let after = &text[dot + mark.len()..];
            let digits = after.trim_start();
            let at = dot + mark.len() + (after.len() - digits.len());
            let year = digits
                .get(..4)
                .filter(|y| y.bytes().all(|b| b.is_ascii_digit()))?;
            let more = digits[4..].starts_with(|c: char| c.is_ascii_digit());
            (!more)
                .then(|| year.parse().ok().map(|year| (dot, at + 4, year)))
                .flatten()
        })
        .next_back()
}

/// The last inline boundary with text on both sides.
fn joint_inside(block: &Block, range: &Range<usize>) -> Option<usize> {
    let mut inside = block.joints.iter().copied().filter(|&j| {
        j > range.start
            && j < range.end
            && !block.text[range.start..j].trim().is_empty()
            && !block.text[j..range.end].trim().is_empty()
    });
    inside.next_back()
}

/// Where an organisation's name was run into the title before it: in the last word that changes to
/// upper case without a blank, at its first such change.
fn org_start(text: &str) -> Option<usize> {
    let word_starts = text
        .char_indices()
        .filter(|(i, c)| {
            *i == 0 || (!c.is_whitespace() && text[..*i].ends_with(char::is_whitespace))
        })
        .map(|(i, _)| i);
    let change_in = |start: usize| {
        let word = text[start..].split_whitespace().next().unwrap_or_default();
        let mut before: Option<char> = None;
        for (i, c) in word.char_indices() {
            let joined = before.is_some_and(|b| {
                b.is_lowercase() || b.is_numeric() || matches!(b, '.' | ')' | '"') || is_caseless(b)
            });
            if c.is_uppercase() && joined {
                return Some(start + i);
            }
            before = Some(c);
        }
        None
    };
    word_starts.filter_map(change_in).next_back()
}

fn is_caseless(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase()
}

fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    (fold(head) == fold(word))
        .then(|| text[word.len()..].trim_start())
        .filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, org: &str) {
        let at = org_start(text).unwrap_or(text.len());
        assert_eq!(&text[at..], org, "{text}");
    }

    #[test]
    fn organisations_run_into_titles() {
        check("lost logs older than 3 daysPostHog", "PostHog");
        check(
            "needing new cluster provisioningAmazon Web Services",
            "Amazon Web Services",
        );
        check("CrashLoopBackOff 를 반복했다.DFDS", "DFDS");
        check("처리가 멈췄다Parse.ly", "Parse.ly");
        check("a title and no organisation", "");
    }

    #[test]
    fn the_year_is_the_last_one() {
        let text = "IL-0001Outage · 2019 againAcme · 2021same root cause";
        let (dot, end, year) = last_year(text, 7).unwrap();
        assert_eq!((&text[dot..end], year), ("· 2021", 2021));
        assert_eq!(last_year("IL-0001 x · 20211", 7), None);
    }
}
