//! A story as a draft: what it tells for the fields of a record, each with its evidence.
//!
//! Texts are claimed in the page's own words and language, as what a curator starts from. Terms are
//! suggestions and no claims.

use serde_json::Value;

use super::actions::is_template;
use super::identity::meta;
use super::{Nature, Place, Reader, Story, Told};
use crate::extract::{Claim, Draft, Evidence};
use crate::finding::Pointer;
use crate::model::{LanguageTag, PageKind};
use crate::read::BlockKind;
use crate::vocabulary::SectionKind;

/// The texts of a record and the section that each is told in.
const TEXTS: [(&str, SectionKind); 4] = [
    ("symptoms_text", SectionKind::Impact),
    ("trigger", SectionKind::Trigger),
    ("detection", SectionKind::Detection),
    ("lessons", SectionKind::Lessons),
];

/// A story without a summary of its own is summed up by its first paragraphs, up to this many bytes.
const LONGEST_LEAD: usize = 1500;

/// The draft of a page that tells of an incident; `None` for any other page, unless someone says that it is a
/// postmortem and it may be one.
pub(super) fn draft(reader: &Reader, story: &Story, is_postmortem: bool) -> Option<Draft> {
    let tells = match story.nature {
        Nature::Incident => true,
        Nature::Other => is_postmortem,
        Nature::Maintenance | Nature::Wall | Nature::Empty => false,
    };
    if !tells {
        return None;
    }
    let mut draft = Draft::new(&reader.page.file, PageKind::Postmortem);
    let language = story.language.as_ref();
    draft.language = language.and_then(|l| l.value.parse().ok());
    let tag = draft.language.clone();
    let mut out = Claims {
        claims: &mut draft.claims,
    };
    if let (Some(title), Some(tag)) = (&story.title, &tag) {
        out.told(text_pointer("title", tag), title, None);
    }
    if let Some(org) = &story.org {
        let why = (org.basis != "stated").then(|| org.basis.to_owned());
        out.told(Pointer::new("/org"), org, why);
    }
    out.day(story);
    out.spans(story);
    if let Some(tag) = &tag {
        out.texts(reader, tag);
        out.steps("remediation", tag, remediation(reader));
        let items = story.action_items.iter();
        let items = items.map(|item| (item.text.clone(), item.evidence.clone()));
        out.steps("action_items", tag, items.collect());
    }
    if let Some(url) = meta(reader, &["canonical", "og:url"])
        && url::Url::parse(url.value.trim()).is_ok_and(|u| u.has_host())
    {
        let evidence = reader.evidence_of_source(&url.source, &url.value);
        out.add(
            Pointer::new("/sources/0/url"),
            url.value.trim(),
            evidence,
            None,
        );
    }
    Some(draft)
}

fn text_pointer(field: &str, language: &LanguageTag) -> Pointer {
    Pointer::default().child(field).child(language)
}

struct Claims<'a> {
    claims: &'a mut Vec<Claim>,
}

impl Claims<'_> {
    fn add(&mut self, at: Pointer, value: &str, evidence: Evidence, derivation: Option<String>) {
        self.claims.push(Claim {
            pointer: at,
            value: Value::String(value.to_owned()),
            evidence,
            derivation,
        });
    }

    fn told(&mut self, at: Pointer, told: &Told, derivation: Option<String>) {
        self.add(at, &told.value, told.evidence.clone(), derivation);
    }

    /// The day of the incident, or that of publication where the page does not tell it.
    fn day(&mut self, story: &Story) {
        let (day, kind) = match (&story.incident_date, &story.published) {
            (Some(day), _) => (day, "incident"),
            (None, Some(day)) => (day, "published"),
            (None, None) => return,
        };
        self.told(Pointer::new("/date"), day, None);
        let why = match kind {
            "incident" => "the page tells when the impact began",
            _ => "the page tells only when it was published",
        };
        let at = Pointer::new("/date_kind");
        self.add(at, kind, day.evidence.clone(), Some(why.to_owned()));
    }

    /// The durations, with the arithmetic where they are computed.
    fn spans(&mut self, story: &Story) {
        let ends = [
            ("/timeline/detected_after", &story.detected_after),
            ("/timeline/resolved_after", &story.resolved_after),
        ];
        for (pointer, told) in ends {
            let Some(told) = told else { continue };
            let arithmetic = match &story.start {
                Some(start) if told.basis != "stated" => Some(format!(
                    "{} → {}",
                    start.evidence.quote.trim(),
                    told.evidence.quote.trim()
                )),
                _ => None,
            };
            self.told(Pointer::new(pointer), told, arithmetic);
        }
    }

    fn texts(&mut self, reader: &Reader, language: &LanguageTag) {
        let summary = section_text(reader, SectionKind::Summary).or_else(|| lead(reader));
        if let Some((text, evidence)) = summary {
            self.add(text_pointer("summary", language), &text, evidence, None);
        }
        for (field, kind) in TEXTS {
            if let Some((text, evidence)) = section_text(reader, kind) {
                self.add(text_pointer(field, language), &text, evidence, None);
            }
        }
    }

    fn steps(&mut self, field: &str, language: &LanguageTag, steps: Vec<(String, Evidence)>) {
        for (i, (text, evidence)) in steps.into_iter().enumerate() {
            let at = Pointer::default().child(field).child(i);
            self.add(at.child("text").child(language), &text, evidence, None);
        }
    }
}

/// The paragraphs of the first section of a kind, a blank line between them.
fn section_text(reader: &Reader, kind: SectionKind) -> Option<(String, Evidence)> {
    let told = |label: &&super::headings::Label| label.kind == kind;
    reader.labels.iter().filter(told).find_map(|label| {
        let mut blocks = Vec::new();
        let own = &reader.block(label.block).text;
        let rest = own.get(label.text.end..).unwrap_or_default();
        if rest.chars().any(char::is_alphanumeric) {
            let start = own.len()
                - rest
                    .trim_start_matches([':', ' ', '：', '.', '-', '–', '—', '\n'])
                    .len();
            blocks.push((label.block, start));
        }
        let after = reader.after(label.block);
        let inside = after.take_while(|(i, _)| *i < label.end);
        blocks.extend(inside.map(|(i, _)| (i, 0)));
        joined(reader, &blocks)
    })
}

/// The first paragraphs of a page, before any section.
fn lead(reader: &Reader) -> Option<(String, Evidence)> {
    let (mut blocks, mut length) = (Vec::new(), 0);
    for (i, block) in reader.blocks() {
        let text = block.text.trim();
        match block.kind {
            BlockKind::Heading(_) if blocks.is_empty() => continue,
            BlockKind::Paragraph => {}
            _ if blocks.is_empty() => continue,
            _ => break,
        }
        // Bylines, crumbs and the title again are short and end in no full stop.
        let sentence = text.chars().count() >= 120 || text.ends_with(['.', '。', '!', '다', ':']);
        let beside = reader.layout.places[i] != Place::Main;
        if blocks.is_empty() && (beside || !sentence) {
            continue;
        }
        length += text.len();
        if !blocks.is_empty() && length > LONGEST_LEAD {
            break;
        }
        blocks.push((i, 0));
    }
    joined(reader, &blocks)
}

/// Paragraphs, items and rows as one text, with the evidence from the first to the last of them. Code and
/// what a template left to be filled in are no text.
fn joined(reader: &Reader, blocks: &[(usize, usize)]) -> Option<(String, Evidence)> {
    let told: Vec<(usize, usize, String)> = blocks
        .iter()
        .filter_map(|(i, start)| {
            let block = reader.block(*i);
            let reads = !matches!(block.kind, BlockKind::Heading(_) | BlockKind::Preformatted);
            let text = block.text.get(*start..)?.trim().replace('\t', " · ");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            (reads && !is_template(&text)).then_some((*i, *start, text))
        })
        .collect();
    let ((first, start, _), (last, ..)) = (told.first()?, told.last()?);
    let text: Vec<&str> = told.iter().map(|(.., text)| text.as_str()).collect();
    let text = text.join("\n\n");
    let end = reader.block(*last).text.len();
    let from = reader.evidence(*first, *start..reader.block(*first).text.len());
    let to = reader.evidence(*last, 0..end);
    let evidence = Evidence {
        span: from.span.start..to.span.end.max(from.span.end),
        quote: text.clone(),
        ..from
    };
    Some((text, evidence))
}

/// What was done to end it: the items of the section that tells it, or its paragraphs.
fn remediation(reader: &Reader) -> Vec<(String, Evidence)> {
    let kind = SectionKind::Resolution;
    let Some(label) = reader.labels.iter().find(|l| l.kind == kind) else {
        return Vec::new();
    };
    let inside = reader
        .after(label.block)
        .take_while(|(i, _)| *i < label.end);
    let blocks: Vec<_> = inside
        .filter(|(_, b)| !is_template(&b.text) && !b.text.trim().is_empty())
        .collect();
    let items = |kind: fn(&BlockKind) -> bool| -> Vec<(String, Evidence)> {
        let chosen = blocks.iter().filter(|(_, b)| kind(&b.kind));
        chosen
            .map(|(i, b)| {
                (
                    b.text.replace('\t', " · "),
                    reader.evidence(*i, 0..b.text.len()),
                )
            })
            .collect()
    };
    let listed = items(|kind| matches!(kind, BlockKind::Item(_)));
    if listed.is_empty() {
        return items(|kind| matches!(kind, BlockKind::Paragraph));
    }
    listed
}
