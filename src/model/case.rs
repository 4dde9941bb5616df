//! One incident as a record: every field of the contract in `schema/case.schema.json`, typed.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::canonical::print_json;
use super::date::CaseDate;
use super::duration::Duration;
use super::fields::{FieldReader, FieldWriter, object, parsed, string};
use super::id::CaseId;
use super::localized::Localized;
use super::review::Review;
use super::term::Term;

/// The members of a record in the order they are written.
pub const FIELD_ORDER: [&str; 25] = [
    "id",
    "title",
    "org",
    "date",
    "date_kind",
    "domain",
    "severity",
    "root_cause",
    "contributing",
    "components",
    "symptoms",
    "impact",
    "timeline",
    "summary",
    "symptoms_text",
    "trigger",
    "detection",
    "remediation",
    "action_items",
    "lessons",
    "sources",
    "docs",
    "related",
    "recurrence_of",
    "review",
];

/// One incident. `None` means nobody has said; the term `unknown` means someone looked and could
/// not tell. A value of the wrong type or form is kept aside and written back unchanged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Case {
    /// The id, equal to the file name.
    pub id: Option<CaseId>,
    /// One sentence that says what happened.
    pub title: Option<Localized>,
    /// Display name of the organisation, one spelling in the whole library.
    pub org: Option<String>,
    /// The day the incident began, in its own time zone; see `date_kind`.
    pub date: Option<CaseDate>,
    /// Which day `date` is: a term of `date-kind`.
    pub date_kind: Option<Term>,
    /// Fields of technology: terms of `domain`.
    pub domain: BTreeSet<Term>,
    /// How bad it was: a term of `severity`.
    pub severity: Option<Term>,
    /// Why it happened: a term of `root-cause`.
    pub root_cause: Option<Term>,
    /// What made it worse or possible: terms of `contributing`.
    pub contributing: BTreeSet<Term>,
    /// The parts that failed: terms of `component`.
    pub components: BTreeSet<Term>,
    /// What could be observed: terms of `symptom`.
    pub symptoms: BTreeSet<Term>,
    /// Who and what was affected, and where.
    pub impact: Impact,
    /// How long it took to notice and to recover.
    pub timeline: Timeline,
    /// What happened, for a reader who was not there.
    pub summary: Option<Localized>,
    /// What could be observed, in words.
    pub symptoms_text: Option<Localized>,
    /// What set it off.
    pub trigger: Option<Localized>,
    /// How it was noticed.
    pub detection: Option<Localized>,
    /// What was done to end it, in order.
    pub remediation: Vec<Step>,
    /// What was promised for later, in order.
    pub action_items: Vec<Step>,
    /// What others can learn.
    pub lessons: Option<Localized>,
    /// Where the case was published; at least one.
    pub sources: Vec<Source>,
    /// Vendor documentation that helps to understand the case.
    pub docs: Vec<Doc>,
    /// Cases an editor chose; computed similarity is never stored.
    pub related: Vec<CaseId>,
    /// The earlier case that this one repeats.
    pub recurrence_of: Option<CaseId>,
    /// Who wrote and who reviewed the record.
    pub review: Review,
    extra: Map<String, Value>,
}

/// Who and what was affected; `unknown` where the sources do not say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Impact {
    /// Products and functions affected.
    pub scope: Option<String>,
    /// Who was affected, with numbers where stated.
    pub users: Option<String>,
    /// Where.
    pub region: Option<String>,
    extra: Map<String, Value>,
}

/// Durations counted from the start of the impact, not of the trigger.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    /// Until someone or something noticed.
    pub detected_after: Option<Duration>,
    /// Until full recovery.
    pub resolved_after: Option<Duration>,
    extra: Map<String, Value>,
}

/// One thing that was done or promised.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// The step in words.
    pub text: Localized,
    extra: Map<String, Value>,
}

impl Step {
    /// A step with this text.
    pub fn new(text: Localized) -> Self {
        Self {
            text,
            extra: Map::new(),
        }
    }
}

/// Where the case was published.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Source {
    /// The address as published.
    pub url: Option<String>,
    /// What the page is: a term of `source-kind`.
    pub kind: Option<Term>,
    /// The human form of a snapshot of that address in a web archive.
    pub archived: Option<String>,
    extra: Map<String, Value>,
}

/// A page of vendor documentation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Doc {
    /// Its title.
    pub title: Option<String>,
    /// Its address.
    pub url: Option<String>,
    extra: Map<String, Value>,
}

impl Case {
    /// Reads a record leniently. Hands the value back when it is not a JSON object.
    pub fn from_value(value: Value) -> Result<Self, Value> {
        let mut f = FieldReader::new(object(value)?);
        Ok(Self {
            id: f.take_parsed("id"),
            title: f.take("title", Localized::from_value),
            org: f.take_string("org"),
            date: f.take_parsed("date"),
            date_kind: f.take_string("date_kind").map(Term::new),
            domain: take_terms(&mut f, "domain"),
            severity: f.take_string("severity").map(Term::new),
            root_cause: f.take_string("root_cause").map(Term::new),
            contributing: take_terms(&mut f, "contributing"),
            components: take_terms(&mut f, "components"),
            symptoms: take_terms(&mut f, "symptoms"),
            impact: f.take("impact", Impact::from_value).unwrap_or_default(),
            timeline: f.take("timeline", Timeline::from_value).unwrap_or_default(),
            summary: f.take("summary", Localized::from_value),
            symptoms_text: f.take("symptoms_text", Localized::from_value),
            trigger: f.take("trigger", Localized::from_value),
            detection: f.take("detection", Localized::from_value),
            remediation: f.take_list("remediation", Step::from_value, Step::fits),
            action_items: f.take_list("action_items", Step::from_value, Step::fits),
            lessons: f.take("lessons", Localized::from_value),
            sources: f.take_list("sources", Source::from_value, Value::is_object),
            docs: f.take_list("docs", Doc::from_value, Value::is_object),
            related: f.take_list("related", parsed, |v| {
                v.as_str().is_some_and(|s| s.parse::<CaseId>().is_ok())
            }),
            recurrence_of: f.take_parsed("recurrence_of"),
            review: f.take("review", Review::from_value).unwrap_or_default(),
            extra: f.finish(),
        })
    }

    /// The record as JSON, keys in the order of [`FIELD_ORDER`], unknown keys after them.
    pub fn to_value(&self) -> Value {
        let mut out = FieldWriter::new(&self.extra);
        out.put_text("id", self.id.as_ref());
        out.put("title", localized(self.title.as_ref()));
        out.put_text("org", self.org.as_ref());
        out.put_text("date", self.date);
        out.put_text("date_kind", self.date_kind.as_ref());
        out.put("domain", terms(&self.domain));
        out.put_text("severity", self.severity.as_ref());
        out.put_text("root_cause", self.root_cause.as_ref());
        out.put("contributing", terms(&self.contributing));
        out.put("components", terms(&self.components));
        out.put("symptoms", terms(&self.symptoms));
        out.put("impact", self.impact.to_value());
        out.put("timeline", self.timeline.to_value());
        out.put("summary", localized(self.summary.as_ref()));
        out.put("symptoms_text", localized(self.symptoms_text.as_ref()));
        out.put("trigger", localized(self.trigger.as_ref()));
        out.put("detection", localized(self.detection.as_ref()));
        out.put("remediation", list(&self.remediation, Step::to_value));
        out.put("action_items", list(&self.action_items, Step::to_value));
        out.put("lessons", localized(self.lessons.as_ref()));
        out.put("sources", list(&self.sources, Source::to_value));
        out.put("docs", list(&self.docs, Doc::to_value));
        out.put(
            "related",
            list(&self.related, |id| Value::String(id.to_string())),
        );
        out.put_text("recurrence_of", self.recurrence_of.as_ref());
        out.put("review", self.review.to_value());
        out.finish()
    }

    /// The record as its file holds it. There is no other printer of records.
    pub fn print(&self) -> String {
        print_json(&self.to_value())
    }

    /// Members that the contract does not have, and members whose value does not fit it.
    pub fn extra(&self) -> &Map<String, Value> {
        &self.extra
    }

    /// Keeps a member that the contract does not have, so that it is not lost.
    pub fn keep_extra(&mut self, key: String, value: Value) {
        self.extra.insert(key, value);
    }

    /// The localized texts that have one value each, by field name, in the order they are written.
    pub fn texts(&self) -> [(&'static str, Option<&Localized>); 6] {
        [
            ("title", self.title.as_ref()),
            ("summary", self.summary.as_ref()),
            ("symptoms_text", self.symptoms_text.as_ref()),
            ("trigger", self.trigger.as_ref()),
            ("detection", self.detection.as_ref()),
            ("lessons", self.lessons.as_ref()),
        ]
    }

    /// The lists of steps by field name, in the order they are written.
    pub fn steps(&self) -> [(&'static str, &[Step]); 2] {
        [
            ("remediation", &self.remediation),
            ("action_items", &self.action_items),
        ]
    }

    /// The sets of terms by field name, in the order they are written.
    pub fn term_sets(&self) -> [(&'static str, &BTreeSet<Term>); 4] {
        [
            ("domain", &self.domain),
            ("contributing", &self.contributing),
            ("components", &self.components),
            ("symptoms", &self.symptoms),
        ]
    }
}

impl Impact {
    fn from_value(value: Value) -> Result<Self, Value> {
        let mut f = FieldReader::new(object(value)?);
        Ok(Self {
            scope: f.take_string("scope"),
            users: f.take_string("users"),
            region: f.take_string("region"),
            extra: f.finish(),
        })
    }

    fn to_value(&self) -> Value {
        let mut out = FieldWriter::new(&self.extra);
        out.put_text("scope", self.scope.as_ref());
        out.put_text("users", self.users.as_ref());
        out.put_text("region", self.region.as_ref());
        out.finish()
    }
}

impl Timeline {
    fn from_value(value: Value) -> Result<Self, Value> {
        let mut f = FieldReader::new(object(value)?);
        Ok(Self {
            detected_after: f.take_parsed("detected_after"),
            resolved_after: f.take_parsed("resolved_after"),
            extra: f.finish(),
        })
    }

    fn to_value(&self) -> Value {
        let mut out = FieldWriter::new(&self.extra);
        out.put_text("detected_after", self.detected_after);
        out.put_text("resolved_after", self.resolved_after);
        out.finish()
    }
}

impl Step {
    fn fits(value: &Value) -> bool {
        value.get("text").is_some_and(Value::is_object)
    }

    fn from_value(value: Value) -> Result<Self, Value> {
        let mut f = FieldReader::new(object(value)?);
        Ok(Self {
            text: f.take("text", Localized::from_value).unwrap_or_default(),
            extra: f.finish(),
        })
    }

    fn to_value(&self) -> Value {
        let mut out = FieldWriter::new(&self.extra);
        out.put("text", self.text.to_value());
        out.finish()
    }
}

impl Source {
    /// A source of which only the address is known.
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: Some(url.into()),
            ..Self::default()
        }
    }

    fn from_value(value: Value) -> Result<Self, Value> {
        let mut f = FieldReader::new(object(value)?);
        Ok(Self {
            url: f.take_string("url"),
            kind: f.take_string("kind").map(Term::new),
            archived: f.take_string("archived"),
            extra: f.finish(),
        })
    }

    fn to_value(&self) -> Value {
        let mut out = FieldWriter::new(&self.extra);
        out.put_text("url", self.url.as_ref());
        out.put_text("kind", self.kind.as_ref());
        out.put_text("archived", self.archived.as_ref());
        out.finish()
    }
}

impl Doc {
    fn from_value(value: Value) -> Result<Self, Value> {
        let mut f = FieldReader::new(object(value)?);
        Ok(Self {
            title: f.take_string("title"),
            url: f.take_string("url"),
            extra: f.finish(),
        })
    }

    fn to_value(&self) -> Value {
        let mut out = FieldWriter::new(&self.extra);
        out.put_text("title", self.title.as_ref());
        out.put_text("url", self.url.as_ref());
        out.finish()
    }
}

fn take_terms(f: &mut FieldReader, key: &str) -> BTreeSet<Term> {
    f.take_list(key, |v| string(v).map(Term::new), Value::is_string)
        .into_iter()
        .collect()
}

fn terms(set: &BTreeSet<Term>) -> Value {
    list(set, |term| Value::String(term.to_string()))
}

fn localized(text: Option<&Localized>) -> Value {
    text.map_or(Value::Null, Localized::to_value)
}

fn list<'a, T: 'a>(items: impl IntoIterator<Item = &'a T>, print: impl Fn(&T) -> Value) -> Value {
    items.into_iter().map(print).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_dropped_on_rewriting() {
        let text = r#"{"id": "IL-1", "zeta": 1, "date": 5, "domain": ["aws", 3],
            "impact": {"scope": "x", "more": true}, "title": {"en": "t", "EN": 4},
            "sources": [{"url": 7, "seen": "yes"}], "related": ["IL-0001", "nonsense"],
            "alpha": null, "org": "A"}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        let case = Case::from_value(value).unwrap();
        let out = case.to_value();
        for (pointer, expected) in [
            ("/id", "\"IL-1\""),
            ("/zeta", "1"),
            ("/date", "5"),
            ("/domain/1", "3"),
            ("/impact/more", "true"),
            ("/title/EN", "4"),
            ("/sources/0/url", "7"),
            ("/sources/0/seen", "\"yes\""),
            ("/related/1", "\"nonsense\""),
            ("/alpha", "null"),
        ] {
            assert_eq!(
                out.pointer(pointer).unwrap().to_string(),
                expected,
                "{pointer}"
            );
        }
        let again = Case::from_value(out.clone()).unwrap();
        assert_eq!(again, case);
        assert_eq!(again.to_value(), out);
    }

    #[test]
    fn keys_come_in_the_declared_order_and_sets_sorted() {
        let value = serde_json::json!({"symptoms": ["b", "a", "b"], "org": "A", "x": 1});
        let out = Case::from_value(value).unwrap().to_value();
        let keys: Vec<&str> = out
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(keys[..25], FIELD_ORDER);
        assert_eq!(keys[25], "x");
        assert_eq!(out["symptoms"], serde_json::json!(["a", "b"]));
    }
}
