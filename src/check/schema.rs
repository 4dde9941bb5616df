//! The JSON Schemas: compiled once, kept in step with the vocabulary, their complaints told in words.

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
        let Some(slot) = out.pointer_mut(place) else { continue };
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
    let keys = properties.and_then(Value::as_object).map(|p| p.keys().map(String::as_str));
    keys.into_iter().flatten().collect()
}

pub(super) fn check_record(record: &RecordFile, cx: &Context<'_>) -> Vec<Finding> {
    let schemas = cx.schemas;
    complaints(&schemas.case, &schemas.case_document, &record.value, &record.file)
}

pub(super) fn check_manifest(manifest: &ManifestFile, cx: &Context<'_>) -> Vec<Finding> {
    match &manifest.value {
        Err(finding) => vec![finding.clone()],
        Ok(value) => {
            let schemas = cx.schemas;
            complaints(&schemas.sources, &schemas.sources_document, value, &manifest.file)
        }
    }
}

fn complaints(validator: &Validator, document: &Value, value: &Value, file: &str) -> Vec<Finding> {
    // The quick answer first: nearly every file has no complaint.
    if validator.is_valid(value) {
        return Vec::new();
    }
    let told = validator.iter_errors(value).flat_map(|error| in_words(&error, document));
    told.map(|Complaint { rule, place, message, help }| {
        let mut finding = Finding::new(rule, Level::Error, file, message).at(place);
        finding.help = help;
        finding
    })
    .collect()
}

struct Complaint {
    rule: &'static str,
    place: Place,
    message: String,
    help: Option<String>,
}

/// One complaint of the schema as a curator would say it.
fn in_words(error: &ValidationError<'_>, document: &Value) -> Vec<Complaint> {
    let pointer = Pointer::new(error.instance_path().as_str());
    let here = Described::at(document, error.schema_path().as_str());
    let value = error.instance();
    let complaint = |rule, place, message, help| Complaint { rule, place, message, help };
    let at_value = Place::Value(pointer.clone());
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let wanted = here.member(document, name);
            let message = format!("`{name}` is missing{}", in_object(&pointer));
            let place = Place::Value(pointer.child(name));
            vec![complaint("missing-field", place, message, wanted.help())]
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => unexpected
            .iter()
            .map(|key| {
                let known: Vec<&str> = here.members();
                let (message, help) = unknown_key(key, &known, &pointer);
                complaint("unknown-key", Place::Key(pointer.child(key)), message, Some(help))
            })
            .collect(),
        ValidationErrorKind::Type { kind } => {
            let message = format!("{} is {}, not {}", name_of(&pointer), kind_of(value), types(kind));
            vec![complaint("wrong-type", at_value, message, here.help())]
        }
        ValidationErrorKind::MinItems { .. } | ValidationErrorKind::MinProperties { .. } | ValidationErrorKind::MinLength { .. } => {
            let message = format!("{} is empty", name_of(&pointer));
            vec![complaint("missing-field", at_value, message, here.help())]
        }
        ValidationErrorKind::UniqueItems => {
            let message = format!("{} holds the same entry twice", name_of(&pointer));
            vec![complaint("wrong-form", at_value, message, Some("keep one of them".to_owned()))]
        }
        ValidationErrorKind::MaxLength { limit } => {
            let message = format!("{} is longer than {limit} characters", name_of(&pointer));
            vec![complaint("wrong-form", at_value, message, here.help())]
        }
        ValidationErrorKind::AnyOf { .. }
        | ValidationErrorKind::Pattern { .. }
        | ValidationErrorKind::Format { .. } => {
            let message = format!("{} is not {}", quoted(value), here.noun());
            vec![complaint("wrong-form", at_value, message, here.help())]
        }
        _ => vec![complaint("wrong-form", at_value, error.to_string(), here.help())],
    }
}

fn unknown_key(key: &str, known: &[&str], object: &Pointer) -> (String, String) {
    let message = format!("`{key}` is no member of a record{}", in_object(object));
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

/// The part of a schema document that a complaint comes from.
struct Described<'a>(Option<&'a Value>);

impl<'a> Described<'a> {
    /// The schema around the keyword at `path`.
    fn at(document: &'a Value, path: &str) -> Self {
        let mut path = path;
        loop {
            path = path.rsplit_once('/').map_or("", |(parent, _)| parent);
            let found = document.pointer(path).filter(|v| v.get("title").is_some());
            if found.is_some() || path.is_empty() {
                return Self(found);
            }
        }
    }

    fn members(&self) -> Vec<&'a str> {
        let properties = self.0.and_then(|v| v.get("properties")).and_then(Value::as_object);
        properties.map(|p| p.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    fn member(&self, document: &'a Value, name: &str) -> Self {
        let property = self.0.and_then(|v| v.get("properties")).and_then(|p| p.get(name));
        let target = property
            .and_then(|p| p.get("$ref"))
            .and_then(Value::as_str)
            .and_then(|r| document.pointer(r.trim_start_matches('#')));
        // The property itself says what it means; its definition has the examples.
        Self(property.filter(|p| p.get("description").is_some()).or(target))
    }

    fn noun(&self) -> String {
        let title = self.0.and_then(|v| v.get("title")).and_then(Value::as_str).unwrap_or("value");
        let title = title.to_lowercase();
        let article = if title.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {title}")
    }

    fn help(&self) -> Option<String> {
        let schema = self.0?;
        let description = schema.get("description").and_then(Value::as_str)?;
        let example = schema
            .get("examples")
            .and_then(Value::as_array)
            .and_then(|e| e.first())
            .map(|e| match e {
                Value::String(text) => format!("; for example `{text}`"),
                other => format!("; for example `{other}`"),
            })
            .unwrap_or_default();
        Some(format!("{}{example}", description.trim_end_matches('.')))
    }
}
