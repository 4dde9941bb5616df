//! Lists of steps: two languages of one list are paired by position, and only when they are as long.

use super::texts::same_words;
use super::{Merger, cut};
use crate::finding::{Finding, Level, Pointer};
use crate::model::{PageKind, Step};
use crate::normalize::Proposal;

impl Merger {
    pub(super) fn merge_steps(
        &mut self,
        field: &'static str,
        here: &mut Vec<Step>,
        told: &[Step],
        page: &Proposal,
    ) {
        if told.is_empty() {
            return;
        }
        // A record retells a postmortem in words of its own, and in steps of its own.
        if page.kind == PageKind::Postmortem && !here.is_empty() {
            return;
        }
        if here.is_empty() {
            let steps = format!("{} steps", told.len());
            if !self.may_fill(&format!("/{field}"), &steps.into(), page) {
                return;
            }
            *here = told.to_vec();
            for (i, step) in told.iter().enumerate() {
                for (language, text) in step.text.iter() {
                    self.change(step_pointer(field, i, language), text.into(), page);
                }
            }
            return;
        }
        if here.len() != told.len() {
            self.report_lengths(field, here, told, page);
            return;
        }
        for (i, (here, told)) in here.iter_mut().zip(told).enumerate() {
            for (language, text) in told.text.iter() {
                let pointer = step_pointer(field, i, language);
                match here.text.text(language).map(str::to_owned) {
                    None => {
                        here.text.set(language.clone(), text.to_owned());
                        self.change(pointer, text.into(), page);
                    }
                    Some(known) if same_words(&known, text) => {}
                    Some(known) => self.difference(pointer.as_str(), &known, text, page),
                }
            }
        }
    }

    fn report_lengths(&mut self, field: &str, here: &[Step], told: &[Step], page: &Proposal) {
        let message = format!(
            "`/{field}`: the page lists {}, the record {}; they cannot be paired, so none was filled",
            told.len(),
            here.len()
        );
        let first = told.first().and_then(|step| step.text.iter().next());
        let help = first.map(|(_, text)| {
            format!(
                "compare the two lists; the page's starts with “{}”",
                cut(text, 0)
            )
        });
        let pointer = format!("/{field}/0/");
        let place = page
            .grounds
            .iter()
            .find(|g| g.pointer.as_str().starts_with(&pointer));
        let mut finding = Finding::new(
            "lists-differ-in-length",
            Level::Warning,
            &page.file,
            message,
        );
        finding.help = help;
        if let Some(grounds) = place {
            finding = grounds.evidence.locate(finding);
        }
        self.findings.push(finding);
    }
}

fn step_pointer(field: &str, index: usize, language: &crate::model::LanguageTag) -> Pointer {
    Pointer::default()
        .child(field)
        .child(index)
        .child("text")
        .child(language)
}
