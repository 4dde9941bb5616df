//! The body of a case page: labelled pairs and labelled sections.

use serde_json::Value;

use super::labels::Label;
use super::{Reader, shortened, trimmed};
use crate::extract::Claim;
use crate::finding::{Level, Pointer};
use crate::read::{Block, BlockKind};
use crate::vocabulary::{Kind, Segmentation};

/// A line that is a label nobody knows is short and is no sentence.
const LONGEST_LABEL: usize = 40;

/// No case page has so many steps, sources and terms; what has is something else.
const MOST_VALUES: usize = 10_000;

/// What the blocks being read belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section<'a> {
    Field(&'a str),
    /// A heading for readers: its links may be for programs.
    Reader,
    /// A label nobody knows; what stands under it was reported with it.
    Unknown,
}

impl<'a> Reader<'a> {
    /// Reads everything after the head.
    pub(super) fn read_sections(&mut self, blocks: &[&Block]) {
        let plain = !blocks.iter().any(|b| {
            matches!(
                b.kind,
                BlockKind::Heading(_) | BlockKind::Term | BlockKind::Row
            )
        });
        let mut section = Section::Field("summary");
        let mut prose = Prose::default();
        let mut at = 0;
        while at < blocks.len() {
            let block = blocks[at];
            let draft = &self.draft;
            if draft.claims.len() + draft.similar.len() + draft.program_links.len() > MOST_VALUES {
                let message =
                    format!("the page has more than {MOST_VALUES} values; the rest is not read");
                self.finding("unread-text", Level::Warning, block, message);
                break;
            }
            if let Some(length) = self.read_pair(&blocks[at..], section, plain) {
                at += length;
                continue;
            }
            at += 1;
            if let Some(label) = self.section_label(block) {
                self.finish_prose(&mut prose);
                section = match label {
                    Label::Reader => Section::Reader,
                    Label::Fields(fields) => Section::Field(section_field(fields)),
                };
                continue;
            }
            if self.is_unknown_label(block, blocks.get(at).copied(), section, plain) {
                self.finish_prose(&mut prose);
                self.report_unknown_label(block, &blocks[at..]);
                section = Section::Unknown;
                continue;
            }
            match section {
                Section::Unknown => {}
                Section::Reader => self.read_program_links(block),
                Section::Field(field) => self.read_block(field, block, &mut prose),
            }
        }
        self.finish_prose(&mut prose);
    }

    fn section_label(&self, block: &Block) -> Option<Label<'a>> {
        let kinds = matches!(block.kind, BlockKind::Heading(_) | BlockKind::Paragraph);
        kinds.then(|| self.labels.find(&block.text)).flatten()
    }

    /// Reads a label with its value: a description list, a table row, two list items in a row, or
    /// `Label: value` in one block. Returns how many blocks it took.
    fn read_pair(&mut self, blocks: &[&Block], section: Section<'_>, plain: bool) -> Option<usize> {
        let block = blocks[0];
        // Items of steps, sources and related cases are not pairs, whatever they start with.
        let may_be_pair =
            matches!(section, Section::Field(field) if is_prose(field) || field == "root_cause");
        match block.kind {
            BlockKind::Term => {
                let values = blocks[1..]
                    .iter()
                    .take_while(|b| b.kind == BlockKind::Description);
                let length = 1 + values.count();
                self.claim_pair(block, &blocks[1..length]);
                Some(length)
            }
            BlockKind::Row if block.cells.len() >= 2 => {
                let field = self.pair_field(&block.text[block.cells[0].clone()])?;
                self.claim_value(field, block, block.cells[1].start..block.text.len());
                Some(1)
            }
            BlockKind::Item(_) if plain && may_be_pair => {
                let value = blocks
                    .get(1)
                    .filter(|b| matches!(b.kind, BlockKind::Item(_)))?;
                if self.labels.find(&block.text).is_none() && !self.is_unknown_pair(blocks) {
                    return None;
                }
                self.claim_pair(block, std::slice::from_ref(value));
                Some(2)
            }
            BlockKind::Item(_) | BlockKind::Paragraph if may_be_pair => {
                let (label, end) = self.labels.find_at_start(&block.text)?;
                let Label::Fields(fields) = label else {
                    return None;
                };
                let field = *fields.first()?;
                let marked =
                    block.text[end..].starts_with([':', '：']) || block.joints.contains(&end);
                if !marked || field == "symptoms" {
                    return None;
                }
                let start = end + block.text[end..].chars().next().map_or(0, char::len_utf8);
                self.claim_value(field, block, start..block.text.len());
                Some(1)
            }
            _ => None,
        }
    }

    /// The field that a label of a pair stands for. Where one word means prose and terms, a pair
    /// means the terms.
    fn pair_field(&self, label: &str) -> Option<&'a str> {
        match self.labels.find(label)? {
            Label::Fields(fields) => fields.first().copied(),
            Label::Reader => None,
        }
    }

    /// In a plain list of pairs a label that nobody knows is told by its neighbours: a known label
    /// two items after it, or the value of a known one right before it.
    fn is_unknown_pair(&self, blocks: &[&Block]) -> bool {
        let is_label = |i: usize| {
            let item = blocks
                .get(i)
                .filter(|b| matches!(b.kind, BlockKind::Item(_)));
            item.is_some_and(|b| self.labels.find(&b.text).is_some())
        };
        let short = blocks[0].text.chars().count() <= LONGEST_LABEL;
        short && !is_label(1) && (is_label(2) || self.last_claim_was_pair())
    }

    fn last_claim_was_pair(&self) -> bool {
        let last = self.draft.claims.last().map(|claim| claim.pointer.field());
        matches!(last.as_deref(), Some("severity" | "impact" | "timeline"))
    }

    fn claim_pair(&mut self, label: &Block, values: &[&Block]) {
        let Some(field) = self.pair_field(&label.text) else {
            let value = values.first().map_or(String::new(), |v| shortened(&v.text));
            self.unknown_label(label, &format!("its value is `{value}`"));
            return;
        };
        match values {
            [] => self.unread(label, "this label has no value"),
            [only] => self.claim_value(field, only, 0..only.text.len()),
            several => {
                let mut prose = Prose {
                    field: field.to_owned(),
                    blocks: several.to_vec(),
                };
                self.finish_prose(&mut prose);
            }
        }
    }

    /// Claims the value of a labelled pair.
    fn claim_value(&mut self, field: &str, block: &Block, range: std::ops::Range<usize>) {
        let range = trimmed(&block.text, range);
        match field {
            "domain" | "components" | "contributing" | "symptoms" => {
                let kind = Kind::of_field(field).expect("each of the four is a field of terms");
                if !self.cx.languages.is_absent_mark(&block.text[range.clone()]) {
                    self.read_terms(field, kind, block, range);
                }
            }
            _ if is_prose(field) => {
                let pointer = Pointer::default()
                    .child(field)
                    .child(&self.language.language);
                self.claim_text(pointer, block, range);
            }
            "recurrence_of" | "root_cause" | "severity" => {
                self.claim_text(Pointer::default().child(field), block, range);
            }
            "sources" => self.read_source(block),
            "related" => self.read_related(block),
            "docs" => self.read_doc(block),
            "remediation" | "action_items" => self.read_step(field, block),
            // `impact/scope` and its like are pointers already.
            _ => self.claim_text(Pointer::new(format!("/{field}")), block, range),
        }
    }

    /// Reads a block inside a section.
    fn read_block<'b>(&mut self, field: &str, block: &'b Block, prose: &mut Prose<'b>) {
        match field {
            "symptoms_text" | "symptoms" => {
                if let Some(range) = self.term_line(block, "symptoms", Kind::Symptom) {
                    self.read_terms("symptoms", Kind::Symptom, block, range);
                } else {
                    self.read_prose("symptoms_text", block, prose);
                }
            }
            "root_cause" => {
                if let Some(range) = self.term_line(block, field, Kind::RootCause) {
                    self.claim_text(Pointer::new("/root_cause"), block, range);
                } else if self.cx.languages.is_absent_mark(&block.text)
                    || block.text.chars().count() <= LONGEST_LABEL
                {
                    self.claim_text(Pointer::new("/root_cause"), block, 0..block.text.len());
                } else {
                    self.unread(block, "the root cause is a term, and this text is none");
                }
            }
            "domain" | "components" | "contributing" => {
                let kind = Kind::of_field(field).expect("each of the three is a field of terms");
                if !self.cx.languages.is_absent_mark(&block.text) {
                    self.read_terms(field, kind, block, 0..block.text.len());
                }
            }
            "sources" => self.read_source(block),
            "related" => self.read_related(block),
            "docs" => self.read_doc(block),
            "remediation" | "action_items" => self.read_step(field, block),
            _ if is_prose(field) => self.read_prose(field, block, prose),
            _ => self.claim_value(field, block, 0..block.text.len()),
        }
    }

    /// A block that is one or more terms, with or without the label before them: `Symptom High
    /// latencyHigh error rate`. Returns where the terms stand.
    fn term_line(&self, block: &Block, field: &str, kind: Kind) -> Option<std::ops::Range<usize>> {
        let is_terms = |range: std::ops::Range<usize>| {
            let found = self.cx.vocabulary.segment(kind, &block.text[range.clone()]);
            (found != Segmentation::None).then_some(range)
        };
        if let Some(whole) = is_terms(0..block.text.len()) {
            return Some(whole);
        }
        let (label, end) = self.labels.find_at_start(&block.text)?;
        let rest = trimmed(&block.text, end + 1..block.text.len());
        let Label::Fields(fields) = label else {
            return None;
        };
        if !fields.contains(&field) {
            return None;
        }
        // After the label's own word a short rest without a sentence is meant as terms, known or not.
        let sentence = block.text[rest.clone()].ends_with(['.', '!', '?', '。']);
        is_terms(rest.clone()).or((!sentence && rest.len() < 120).then_some(rest))
    }

    fn read_prose<'b>(&mut self, field: &str, block: &'b Block, prose: &mut Prose<'b>) {
        if prose.field != field {
            self.finish_prose(prose);
            field.clone_into(&mut prose.field);
        }
        prose.blocks.push(block);
    }

    /// Claims the collected paragraphs of a section as one text.
    fn finish_prose(&mut self, prose: &mut Prose<'_>) {
        let blocks = std::mem::take(&mut prose.blocks);
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
            return;
        };
        let text: Vec<&str> = blocks.iter().map(|b| b.text.trim()).collect();
        let text = text.join("\n\n");
        let pointer = Pointer::default()
            .child(&prose.field)
            .child(&self.language.language);
        let absent = self.cx.languages.is_absent_mark(&text);
        let mut evidence = self.evidence(first, 0..first.text.len());
        evidence.span.end = evidence
            .span
            .end
            .max(self.page.raw_range(last, 0..last.text.len()).end);
        evidence.quote.clone_from(&text);
        let value = if absent {
            Value::Null
        } else {
            Value::String(text)
        };
        self.draft.claims.push(Claim {
            pointer,
            value,
            evidence,
            derivation: None,
        });
    }

    fn read_step(&mut self, field: &str, block: &Block) {
        if self.cx.languages.is_absent_mark(&block.text) {
            return;
        }
        let pointer = self
            .next_item(field)
            .child("text")
            .child(&self.language.language);
        self.claim_text(pointer, block, 0..block.text.len());
    }

    fn read_program_links(&mut self, block: &Block) {
        let mut links: Vec<String> = block.links.iter().map(|l| l.href.clone()).collect();
        links.extend(
            block
                .text
                .split_whitespace()
                .filter(|word| word.starts_with("https://") || word.starts_with("http://"))
                .map(str::to_owned),
        );
        for link in links.into_iter().filter(|l| l.starts_with("http")) {
            if !self.draft.program_links.contains(&link) {
                self.draft.program_links.push(link);
            }
        }
    }

    /// A heading that is no label; in plain text, a short line that is no sentence and stands
    /// before text.
    fn is_unknown_label(
        &self,
        block: &Block,
        next: Option<&Block>,
        section: Section<'_>,
        plain: bool,
    ) -> bool {
        if matches!(block.kind, BlockKind::Heading(_)) {
            return section != Section::Reader;
        }
        let may_hold_labels = !matches!(
            section,
            Section::Reader | Section::Field("sources" | "related" | "docs")
        );
        let is_the_cause =
            section == Section::Field("root_cause") && !self.has_claim("/root_cause");
        plain
            && may_hold_labels
            && !is_the_cause
            && block.kind == BlockKind::Paragraph
            && next.is_some()
            && block.text.chars().count() <= LONGEST_LABEL
            && block.text.split_whitespace().count() <= 6
            && !block.text.ends_with(['.', '!', '?', '。', '다', ','])
            && !self.cx.languages.is_absent_mark(&block.text)
            && self.term_line(block, "symptoms", Kind::Symptom).is_none()
            && self
                .term_line(block, "root_cause", Kind::RootCause)
                .is_none()
    }

    fn report_unknown_label(&mut self, label: &Block, after: &[&Block]) {
        let under = after.iter().take_while(|b| {
            self.section_label(b).is_none() && !matches!(b.kind, BlockKind::Heading(_))
        });
        let count = under.count();
        let first = after.first().filter(|_| count > 0);
        let what = match first {
            Some(first) => format!(
                "{count} blocks under it are not read, the first is `{}`",
                shortened(&first.text)
            ),
            None => "nothing stands under it".to_owned(),
        };
        self.unknown_label(label, &what);
    }

    fn unknown_label(&mut self, label: &Block, what: &str) {
        let message = format!("`{}` is no known label; {what}", shortened(&label.text));
        self.finding("unknown-label", Level::Warning, label, message);
        if let Some(finding) = self.draft.findings.last_mut() {
            let file = format!("schema/language/{}.json", self.language.language);
            finding.help = Some(format!(
                "add it to `case_page.labels` (or `reader_sections`) in {file}"
            ));
        }
    }
}

/// Paragraphs that belong to one field and are claimed together.
#[derive(Default)]
struct Prose<'b> {
    field: String,
    blocks: Vec<&'b Block>,
}

/// Where a language has one word for symptoms in prose and in terms, a section is prose.
fn section_field<'a>(fields: &[&'a str]) -> &'a str {
    let prose = fields.iter().find(|f| is_prose(f));
    prose.or(fields.first()).copied().unwrap_or("summary")
}

fn is_prose(field: &str) -> bool {
    matches!(
        field,
        "summary" | "symptoms_text" | "trigger" | "detection" | "lessons"
    )
}
