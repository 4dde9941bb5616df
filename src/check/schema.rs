//! The JSON Schemas: compiled once, kept in step with the vocabulary, their complaints told in words.

use std::collections::BTreeMap;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Value, json};

use super::context::Context;
use super::snapshot::ManifestFile;
use crate::finding::{Finding, Level, Place, Pointer};
use crate::model::LanguageTag;
use crate::read::{RecordFile, kind_of};
use crate::vocabulary::{Kind, Vocabulary};

/// The compiled schemas with their documents.
pub struct Schemas {
    case: Validator,
    case_document: Value,
    sources: Validator,
    sources_document: Value,
}

impl Schemas {
    /// Compiles both schemas (JSON Schema 2020-12, `format` asserted). The error names the fault in
    /// the schema document.
    pub fn compile(case: Value, sources: Value) -> Result<Self, String> {
        Ok(Self {
            case: compile(&case)?,
            case_document: case,
            sources: compile(&sources)?,
            sources_document: sources,
        })
    }
}

fn compile(document: &Value) -> Result<Validator, String> {
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(document)
        .map_err(|e| format!("{e} at {}", e.instance_path()))
}

/// The case schema with the parts that are derived: terms from the vocabulary, languages and id
/// prefix from the settings. Everything else is the document as it stands.
pub fn case_schema_for(
    document: &Value,
    vocabulary: &Vocabulary,
    languages: &[LanguageTag],
    id_prefix: &str,
) -> Value {
    let mut out = document.clone();
    for kind in Kind::ALL {
        let place = format!("/$defs/{}/anyOf", kind.as_str());
        if let Some(slot) = out.pointer_mut(&place) {
            *slot = vocabulary.terms(kind).iter().map(term_choice).collect();
        }
    }
    let texts: serde_json::Map<String, Value> = languages
        .iter()
        .map(|l| (l.to_string(), json!({ "$ref": "#/$defs/text" })))
        .collect();
    for name in ["localized", "localizedOrNull"] {
        if let Some(slot) = out.pointer_mut(&format!("/$defs/{name}/properties")) {
            *slot = Value::Object(texts.clone());
        }
    }
    let pattern = format!("^{id_prefix}-[0-9]{{4,18}}$");
    for place in ["/$defs/caseId", "/properties/recurrence_of"] {
        let Some(slot) = out.pointer_mut(place) else {
            continue;
        };
        slot["pattern"] = pattern.as_str().into();
        if let Some(Value::Array(examples)) = slot.get_mut("examples") {
            for example in examples.iter_mut() {
                if let Some((_, digits)) = example.as_str().and_then(|e| e.split_once('-')) {
                    *example = format!("{id_prefix}-{digits}").into();
                }
            }
        }
    }
    out
}

fn term_choice(term: &crate::vocabulary::TermEntry) -> Value {
    let mut labels: Vec<&str> = term.label.values().map(String::as_str).collect();
    labels.dedup();
    json!({
        "const": term.slug,
        "title": labels.join(" · "),
        "description": term.definition.get("en").map_or("", String::as_str),
    })
}

/// The members that a schema document declares for the object at a definition (`""` for the whole),
/// in order.
pub fn schema_keys<'a>(document: &'a Value, definition: &str) -> Vec<&'a str> {
    let properties = document.pointer(&format!("{definition}/properties"));
    let keys = properties
        .and_then(Value::as_object)
        .map(|p| p.keys().map(String::as_str));
    keys.into_iter().flatten().collect()
}

pub(super) fn check_record(record: &RecordFile, cx: &Context<'_>) -> Vec<Finding> {
    let schemas = cx.schemas;
    complaints(
        &schemas.case,
        &schemas.case_document,
        &record.value(),
        &record.file,
    )
}

pub(super) fn check_manifest(manifest: &ManifestFile, cx: &Context<'_>) -> Vec<Finding> {
    match &manifest.value {
        Err(finding) => vec![finding.clone()],
        Ok(value) => {
            let schemas = cx.schemas;
            complaints(
                &schemas.sources,
                &schemas.sources_document,
                value,
                &manifest.file,
            )
        }
    }
}

fn complaints(validator: &Validator, document: &Value, value: &Value, file: &str) -> Vec<Finding> {
    // The quick answer first: nearly every file has no complaint.
    if validator.is_valid(value) {
        return Vec::new();
    }
    let told = validator
        .iter_errors(value)
        .flat_map(|error| in_words(&error, document))
        .collect();
    fold_missing(told)
        .into_iter()
        .map(
            |Complaint {
                 rule,
                 place,
                 message,
                 help,
             }| {
                let mut finding = Finding::new(rule, Level::Error, file, message).at(place);
                finding.help = help;
                finding
            },
        )
        .collect()
}

/// So many members of one object that are missing, or so many that are empty, are told in one sentence.
const MANY: usize = 5;

/// An object that lacks many members is one fact and not two dozen.
fn fold_missing(complaints: Vec<Complaint>) -> Vec<Complaint> {
    let mut groups: BTreeMap<(Lack, String), Vec<String>> = BTreeMap::new();
    for (lack, pointer) in complaints.iter().filter_map(Complaint::lack) {
        if let Some((object, name)) = lack.group(pointer) {
            groups.entry((lack, object)).or_default().push(name);
        }
    }
    groups.retain(|_, names| names.len() >= MANY);
    let is_folded = |complaint: &Complaint| {
        complaint.lack().is_some_and(|(lack, pointer)| {
            lack.group(pointer)
                .is_some_and(|(object, _)| groups.contains_key(&(lack, object)))
        })
    };
    let mut out: Vec<Complaint> = complaints.into_iter().filter(|c| !is_folded(c)).collect();
    for ((lack, object), names) in &groups {
        let pointer = Pointer::new(object.as_str());
        let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let (count, place, list) = (names.len(), in_object(&pointer), list.join(", "));
        let (message, help) = match lack {
            Lack::Absent => (
                format!("{count} members are missing{place}: {list}"),
                "run `incidentlib fmt`, which adds them empty, then fill them in",
            ),
            Lack::Empty => (
                format!("{count} fields are not filled in: {list}"),
                "fill them in from the raw pages; schema/case.schema.json says what each means",
            ),
        };
        out.push(Complaint {
            rule: "missing-field",
            place: Place::Value(pointer),
            message,
            help: Some(help.to_owned()),
        });
    }
    out
}

/// How a member is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lack {
    Absent,
    Empty,
}

impl Lack {
    /// What is told together: absent members of one object, empty fields of a whole record.
    fn group(self, pointer: &str) -> Option<(String, String)> {
        match self {
            Self::Absent => pointer
                .rsplit_once('/')
                .map(|(o, n)| (o.to_owned(), n.to_owned())),
            Self::Empty => Some((String::new(), pointer.trim_start_matches('/').to_owned())),
        }
    }
}

struct Complaint {
    rule: &'static str,
    place: Place,
    message: String,
    help: Option<String>,
}

impl Complaint {
    /// The pointer of a member that is missing, and how.
    fn lack(&self) -> Option<(Lack, &str)> {
        let lack = match self.rule {
            "missing-field" if self.message.contains(" is missing") => Lack::Absent,
            "missing-field" => Lack::Empty,
            _ => return None,
        };
        Some((lack, self.place.pointer()?.as_str()))
    }
}

/// One complaint of the schema as a curator would say it.
fn in_words(error: &ValidationError<'_>, document: &Value) -> Vec<Complaint> {
    let pointer = Pointer::new(error.instance_path().as_str());
    let here = Described::at(document, error.evaluation_path().as_str());
    let value = error.instance();
    let complaint = |rule, place, message, help| Complaint {
        rule,
        place,
        message,
        help,
    };
    let at_value = Place::Value(pointer.clone());
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let wanted = here.child(document, name);
            let message = format!("`{name}` is missing{}", in_object(&pointer));
            let place = Place::Value(pointer.child(name));
            vec![complaint("missing-field", place, message, wanted.help())]
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => unexpected
            .iter()
            .map(|key| {
                let known: Vec<&str> = here.members();
                let (message, help) = unknown_key(key, &known, &pointer);
                complaint(
                    "unknown-key",
                    Place::Key(pointer.child(key)),
                    message,
                    Some(help),
                )
            })
            .collect(),
        ValidationErrorKind::Type { .. } if value.is_null() => {
            let message = format!("{} is not filled in", name_of(&pointer));
            vec![complaint("missing-field", at_value, message, here.help())]
        }
        ValidationErrorKind::Type { kind } => {
            let message = format!(
                "{} is {}, not {}",
                name_of(&pointer),
                kind_of(value),
                types(kind)
            );
            vec![complaint("wrong-type", at_value, message, here.help())]
        }
        ValidationErrorKind::MinItems { .. }
        | ValidationErrorKind::MinProperties { .. }
        | ValidationErrorKind::MinLength { .. } => {
            let message = format!("{} is empty", name_of(&pointer));
            vec![complaint("missing-field", at_value, message, here.help())]
        }
        ValidationErrorKind::UniqueItems => {
            let message = format!("{} holds the same entry twice", name_of(&pointer));
            vec![complaint(
                "wrong-form",
                at_value,
                message,
                Some("keep one of them".to_owned()),
            )]
        }
        ValidationErrorKind::MaxLength { limit } => {
            let message = format!("{} is longer than {limit} characters", name_of(&pointer));
            vec![complaint("wrong-form", at_value, message, here.help())]
        }
        // That it is not filled in is said by the complaint about its type.
        ValidationErrorKind::AnyOf { .. } if value.is_null() => Vec::new(),
        ValidationErrorKind::AnyOf { .. }
        | ValidationErrorKind::Pattern { .. }
        | ValidationErrorKind::Format { .. } => {
            let message = format!("{} is not {}", quoted(value), here.noun());
            vec![complaint("wrong-form", at_value, message, here.help())]
        }
        _ => vec![complaint(
            "wrong-form",
            at_value,
            error.to_string(),
            here.help(),
        )],
    }
}

fn unknown_key(key: &str, known: &[&str], object: &Pointer) -> (String, String) {
    let message = format!("`{key}` is no known member{}", in_object(object));
    if crate::normalize::DERIVED_FIELDS.contains(&key) && object.as_str().is_empty() {
        let help = "delete it: it is derived, and the API and the exports add it by themselves";
        return (message, help.to_owned());
    }
    let near = known
        .iter()
        .map(|k| (strsim::normalized_damerau_levenshtein(k, key), *k))
        .filter(|(likeness, _)| *likeness > 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let help = match near {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None => format!("delete it, or use one of {}", known.join(", ")),
    };
    (message, help)
}

fn in_object(pointer: &Pointer) -> String {
    match pointer.as_str() {
        "" => String::new(),
        at => format!(" in `{at}`"),
    }
}

fn name_of(pointer: &Pointer) -> String {
    match pointer.as_str() {
        "" => "the document".to_owned(),
        at => format!("`{at}`"),
    }
}

fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => match text.char_indices().nth(80) {
            Some((end, _)) => format!("`{}…`", &text[..end]),
            None => format!("`{text}`"),
        },
        other => kind_of(other).to_owned(),
    }
}

fn types(kind: &TypeKind) -> String {
    let word = |t: &str| match t {
        "string" => "a text",
        "array" => "a list",
        "object" => "an object",
        "null" => "null",
        "boolean" => "true or false",
        _ => "a number",
    };
    let names: Vec<&str> = match kind {
        TypeKind::Single(t) => vec![word(t.as_str())],
        TypeKind::Multiple(set) => {
            let mut names: Vec<&str> = set.iter().map(|t| word(t.as_str())).collect();
            names.sort_by_key(|n| *n == "null");
            names
        }
    };
    names.join(" or ")
}

/// The part of a schema document that a complaint comes from: the member as its object describes it,
/// and the definition that gives its form. They are one where the member has no `$ref`.
struct Described<'a> {
    member: Option<&'a Value>,
    form: Option<&'a Value>,
}

impl<'a> Described<'a> {
    /// Follows the evaluation path of a keyword, through every `$ref`.
    fn at(document: &'a Value, path: &str) -> Self {
        let mut node = document;
        let mut out = Self {
            member: Some(document),
            form: Some(document),
        };
        for token in Pointer::new(path).tokens() {
            let jumps = token == "$ref";
            let next = match node.get(&token) {
                Some(reference) if jumps => {
                    let target = reference.as_str().unwrap_or_default();
                    document.pointer(target.trim_start_matches('#'))
                }
                Some(child) => Some(child),
                None => node.get(token.parse::<usize>().unwrap_or(usize::MAX)),
            };
            let Some(next) = next else { break };
            node = next;
            if node.get("title").is_some_and(Value::is_string) {
                out.form = Some(node);
                if !jumps {
                    out.member = Some(node);
                }
            }
        }
        out
    }

    fn members(&self) -> Vec<&'a str> {
        let properties = self
            .form
            .and_then(|v| v.get("properties"))
            .and_then(Value::as_object);
        properties
            .map(|p| p.keys().map(String::as_str).collect())
            .unwrap_or_default()
    }

    /// A member of this object.
    fn child(&self, document: &'a Value, name: &str) -> Self {
        let member = self
            .form
            .and_then(|v| v.get("properties"))
            .and_then(|p| p.get(name));
        let form = member
            .and_then(|p| p.get("$ref"))
            .and_then(Value::as_str)
            .and_then(|r| document.pointer(r.trim_start_matches('#')));
        Self {
            member,
            form: form.or(member),
        }
    }

    fn noun(&self) -> String {
        let title = self
            .form
            .and_then(|v| v.get("title"))
            .and_then(Value::as_str)
            .unwrap_or("value");
        let title = title.to_lowercase();
        let article = if title.starts_with(['a', 'e', 'i', 'o', 'u']) {
            "an"
        } else {
            "a"
        };
        format!("{article} {title}")
    }

    fn help(&self) -> Option<String> {
        let text = |schema: Option<&'a Value>| schema?.get("description")?.as_str();
        let description = text(self.member).or(text(self.form))?;
        let examples = |schema: Option<&'a Value>| schema?.get("examples")?.as_array()?.first();
        let example = examples(self.member).or(examples(self.form));
        let example = match example {
            Some(Value::String(text)) => format!("; for example `{text}`"),
            Some(other) => format!("; for example `{other}`"),
            None => String::new(),
        };
        Some(format!("{}{example}", description.trim_end_matches('.')))
    }
}
