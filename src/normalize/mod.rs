//! Drafts to proposals: the page's words in our types and terms, each with where it came from.
//!
//! What is ambiguous or unknown stays as the page has it and becomes a finding; nothing is guessed
//! silently, and nothing is lost.

mod address;
mod archive_link;
mod expression;
mod source_kind;
mod value;

pub use expression::{ExpressionAnswer, ExpressionKind, ExpressionQuery, read_expression};
use serde_json::{Map, Value};
pub use source_kind::source_kind;

pub use address::{
    AddressFault, check_address, human_archive_form, original_address, same_address,
};
pub(crate) use address::{page_key, source_key};
pub use archive_link::{ArchiveAudit, ArchiveVerdict, audit_archive, without_campaign};

use crate::extract::{Claim, Draft, Evidence, Lexicon, SimilarCase};
use crate::finding::{Finding, Level, Pointer};
use crate::model::{Case, LanguageTag, PageKind};

/// Members that an API adds to a record and that are never stored.
pub const DERIVED_FIELDS: [&str; 3] = ["url", "org_slug", "updated_at"];

/// A value of a proposal and the place it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounds {
    /// The field; the pointer of the whole set for members of a set of terms.
    pub pointer: Pointer,
    /// The value as normalized.
    pub value: Value,
    /// The place.
    pub evidence: Evidence,
    /// How the value follows from the place, where it does not simply stand there.
    pub derivation: Option<String>,
}

/// What one raw page says about a case, in our types and terms.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The raw file.
    pub file: String,
    /// Which extractor read it.
    pub kind: PageKind,
    /// Its language; absent when it holds several.
    pub language: Option<LanguageTag>,
    /// The part of a record that the page tells.
    pub case: Case,
    /// Where each value came from.
    pub grounds: Vec<Grounds>,
    /// The cases it calls similar; never part of a record by themselves.
    pub similar: Vec<SimilarCase>,
    /// The page was in the library before this run, so that its record was made with it at hand.
    pub known: bool,
    /// How many claims the page made.
    pub claims: usize,
    /// What could not be normalized.
    pub findings: Vec<Finding>,
}

/// Names of organisations: each alias with the one spelling that the library uses.
pub type OrgAliases = std::collections::BTreeMap<String, String>;

/// Normalizes a draft. `orgs` maps folded aliases to the library's spelling.
pub fn normalize(draft: &Draft, orgs: &OrgAliases, cx: &Lexicon) -> Proposal {
    let mut out = Builder {
        cx,
        orgs,
        root: document_of(draft),
        grounds: Vec::new(),
        findings: Vec::new(),
        page_text: draft.kind,
    };
    for claim in &draft.claims {
        out.take(claim);
    }
    out.derive_date_kind(draft);
    let Builder {
        root,
        grounds,
        findings,
        ..
    } = out;
    Proposal {
        file: draft.file.clone(),
        kind: draft.kind,
        language: draft.language.clone(),
        case: Case::from_value(root).unwrap_or_default(),
        grounds,
        similar: draft.similar.clone(),
        known: false,
        claims: draft.claims.len(),
        findings,
    }
}

/// Where the record starts from: the page itself where it is JSON, without what is never stored.
fn document_of(draft: &Draft) -> Value {
    let mut root = draft.document.clone().unwrap_or(Value::Object(Map::new()));
    if let Value::Object(map) = &mut root {
        for field in DERIVED_FIELDS {
            map.shift_remove(field);
        }
    }
    root
}

struct Builder<'a> {
    cx: &'a Lexicon,
    orgs: &'a OrgAliases,
    root: Value,
    grounds: Vec<Grounds>,
    findings: Vec<Finding>,
    page_text: PageKind,
}

impl Builder<'_> {
    fn take(&mut self, claim: &Claim) {
        let field = claim.pointer.field();
        if DERIVED_FIELDS.contains(&field.as_str()) {
            return;
        }
        let (value, trouble) = value::normalize(claim, self.orgs, self.cx);
        if let Some(trouble) = trouble {
            let file = &claim.evidence.file;
            let mut finding = Finding::new(trouble.rule, trouble.level, file, trouble.message);
            finding.help = trouble.help;
            self.findings.push(claim.evidence.locate(finding));
        }
        if value.is_null() && claim.pointer.tokens().count() == 2 && !field_is_object(&field) {
            // A text that a page says nothing about, in its language: the whole field is blank.
            self.put_if_absent(&field);
        } else {
            self.put(&claim.pointer, value.clone());
        }
        self.grounds.push(Grounds {
            pointer: grounds_pointer(&claim.pointer),
            value,
            evidence: claim.evidence.clone(),
            derivation: claim.derivation.clone(),
        });
    }

    fn put_if_absent(&mut self, field: &str) {
        if let Value::Object(map) = &mut self.root {
            map.entry(field).or_insert(Value::Null);
        }
    }

    /// Puts a value where the pointer says, making objects and lists on the way.
    fn put(&mut self, pointer: &Pointer, value: Value) {
        let tokens: Vec<String> = pointer.tokens().collect();
        let mut at = &mut self.root;
        for (i, token) in tokens.iter().enumerate() {
            let next_is_index = tokens.get(i + 1).is_some_and(|t| is_index(t));
            let empty = || {
                if next_is_index {
                    Value::Array(Vec::new())
                } else {
                    Value::Object(Map::new())
                }
            };
            at = match at {
                Value::Array(items) => {
                    let Ok(index) = token.parse::<usize>() else {
                        return;
                    };
                    if index > items.len() {
                        return;
                    }
                    if index == items.len() {
                        items.push(empty());
                    }
                    &mut items[index]
                }
                Value::Object(map) => map.entry(token.clone()).or_insert_with(empty),
                _ => return,
            };
        }
        *at = value;
    }

    /// A case page gives a day and does not say which. When its own text tells of something that
    /// happened on that day, the day is the day of the incident: a day of publication would not
    /// stand in the story.
    fn derive_date_kind(&mut self, draft: &Draft) {
        if self.page_text != PageKind::CasePage || self.root.get("date_kind").is_some() {
            return;
        }
        let Some(day) = self.root["date"].as_str().and_then(|d| d.parse().ok()) else {
            return;
        };
        let told = draft.claims.iter().find(|claim| {
            let story = matches!(
                claim.pointer.field().as_str(),
                "summary" | "symptoms_text" | "trigger" | "detection"
            );
            let text = claim.value.as_str().unwrap_or_default();
            story
                && self
                    .cx
                    .times
                    .days(text)
                    .iter()
                    .any(|(_, found)| *found == day)
        });
        if let Some(claim) = told {
            let value = Value::String("incident".to_owned());
            self.put(&Pointer::new("/date_kind"), value.clone());
            self.grounds.push(Grounds {
                pointer: Pointer::new("/date_kind"),
                value,
                evidence: claim.evidence.clone(),
                derivation: Some(format!("the text tells of {day}, the day of the page")),
            });
        } else {
            let message = format!(
                "the page gives {day} and does not say whether it is the day of the incident"
            );
            self.findings.push(
                Finding::new("date-kind-open", Level::Note, &draft.file, message)
                    .help("set `date_kind` to `incident` or `published` in the record"),
            );
        }
    }
}

/// Fields whose members are no languages.
fn field_is_object(field: &str) -> bool {
    matches!(field, "impact" | "timeline" | "review")
}

fn is_index(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit())
}

/// Sets are sorted in a record, so a member is known by its value and not by its index.
fn grounds_pointer(pointer: &Pointer) -> Pointer {
    let field = pointer.field();
    match field.as_str() {
        "domain" | "contributing" | "components" | "symptoms" => Pointer::default().child(field),
        _ => pointer.clone(),
    }
}

/// What is wrong with a claimed value.
struct Trouble {
    rule: &'static str,
    level: Level,
    message: String,
    help: Option<String>,
}
