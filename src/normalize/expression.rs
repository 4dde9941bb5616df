//! One expression of time to its value: what `incidentlib normalize KIND` answers.

use chrono::{DateTime, FixedOffset, NaiveDate, SecondsFormat};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::time::{Context, DayAnswer, Doubt, Instant, TimeAnswer, TimeReader, Zone, spans_of};

/// A kind of expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpressionKind {
    /// An elapsed time.
    Duration,
    /// A day, month or year.
    Date,
    /// A clock time with its day and zone.
    Clock,
    /// A zone on a day.
    Zone,
    /// Start, detection and end of an incident told in a paragraph.
    Span,
}

/// An expression to read, as one line of input holds it.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ExpressionQuery {
    /// Given back with the answer.
    #[serde(default)]
    pub id: Value,
    /// The text.
    pub text: String,
    /// Its language; English when absent.
    #[serde(default)]
    pub lang: Option<String>,
    /// The day it was written, `2024-07-30`: years and days that it leaves out are taken from it.
    #[serde(default)]
    pub context_date: Option<String>,
    /// The IANA zone of times that name none.
    #[serde(default)]
    pub default_zone: Option<String>,
    /// The IANA zone of the place the text is from.
    #[serde(default)]
    pub hint: Option<String>,
}

/// The value of an expression: `null` where the text holds none, `"ambiguous"` where it has several
/// readings, which then stand beside it as candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionAnswer {
    /// The value.
    pub value: Value,
    /// What else is to be said: qualifier, reason, candidates.
    pub notes: Vec<(&'static str, Value)>,
}

/// Reads an expression.
///
/// # Errors
///
/// Says which member of the query cannot be read.
pub fn read_expression(
    kind: ExpressionKind,
    query: &ExpressionQuery,
    reader: &TimeReader,
) -> Result<ExpressionAnswer, String> {
    let language = query.lang.as_deref().unwrap_or("en");
    let written = query
        .context_date
        .as_deref()
        .filter(|d| !d.is_empty())
        .map(day_of)
        .transpose()?;
    let zone = |name: &str| {
        crate::time::iana_zone(name).ok_or_else(|| {
            format!("`{name}` is not a zone of the IANA database, such as `Asia/Seoul`")
        })
    };
    let default_zone = query.default_zone.as_deref().map(zone).transpose()?;
    let hint = query
        .hint
        .as_deref()
        .map(zone)
        .transpose()?
        .or(default_zone);
    let context = Context {
        written,
        day: None,
        zone: default_zone.map(|tz| Zone::Named(tz, crate::time::Season::Any)),
        hint,
    };
    let plain = |value| {
        Ok(ExpressionAnswer {
            value,
            notes: Vec::new(),
        })
    };
    let scan = || reader.scan(&query.text, language);
    match kind {
        ExpressionKind::Duration => {
            let Some((_, elapsed)) = scan().durations().next() else {
                return plain(Value::Null);
            };
            let value = if elapsed.min == elapsed.max {
                json!({ "seconds": number(elapsed.min) })
            } else {
                json!({ "min": number(elapsed.min), "max": number(elapsed.max) })
            };
            Ok(ExpressionAnswer {
                value,
                notes: vec![("qualifier", json!(elapsed.qualifier))],
            })
        }
        ExpressionKind::Date => Ok(match scan().first_day(written) {
            None => ExpressionAnswer {
                value: Value::Null,
                notes: Vec::new(),
            },
            Some(DayAnswer::Ambiguous(a, b)) => ExpressionAnswer {
                value: "ambiguous".into(),
                notes: vec![("candidates", json!([a.to_string(), b.to_string()]))],
            },
            Some(answer) => ExpressionAnswer {
                value: day_text(answer).into(),
                notes: Vec::new(),
            },
        }),
        ExpressionKind::Clock => Ok(match scan().first_time(&context) {
            None => ExpressionAnswer {
                value: Value::Null,
                notes: Vec::new(),
            },
            Some(TimeAnswer::At(at)) => ExpressionAnswer {
                value: instant_text(at).into(),
                notes: Vec::new(),
            },
            Some(TimeAnswer::Range(a, b)) => ExpressionAnswer {
                value: format!("{}/{}", instant_text(a), instant_text(b)).into(),
                notes: Vec::new(),
            },
            Some(TimeAnswer::Ambiguous(all, doubt)) => ambiguous(&all, doubt),
        }),
        ExpressionKind::Zone => {
            let Some(zone) = reader.zone_only(&query.text, language) else {
                return plain(Value::Null);
            };
            let noon = written
                .or_else(|| NaiveDate::from_ymd_opt(2000, 1, 1))
                .and_then(|d| d.and_hms_opt(12, 0, 0));
            let Some(noon) = noon else {
                return plain(Value::Null);
            };
            Ok(match zone.with_hint(hint).resolve(noon) {
                Instant::At(at) => ExpressionAnswer {
                    value: at.format("%:z").to_string().into(),
                    notes: Vec::new(),
                },
                Instant::Ambiguous(all, doubt) => {
                    let offsets: Vec<String> =
                        all.iter().map(|at| at.format("%:z").to_string()).collect();
                    ExpressionAnswer {
                        value: "ambiguous".into(),
                        notes: vec![
                            ("reason", doubt.reason().into()),
                            ("candidates", json!(offsets)),
                        ],
                    }
                }
            })
        }
        ExpressionKind::Span => {
            let span = spans_of(&query.text, language, &context, reader);
            let at = |at: Option<DateTime<FixedOffset>>| at.map(instant_text);
            plain(json!({
                "start": at(span.start), "end": at(span.resolved), "detected": at(span.detected), "resolved": at(span.resolved),
                "detected_after": span.detected_after.map(|d| d.to_string()),
                "resolved_after": span.resolved_after.map(|d| d.to_string()),
            }))
        }
    }
}

fn day_of(text: &str) -> Result<NaiveDate, String> {
    text.parse()
        .map_err(|_| format!("`context_date` is `{text}`; a day is written 2024-07-30"))
}

fn number(value: f64) -> Value {
    if value == value.trunc() && value.abs() < 1e15 {
        json!(value as i64)
    } else {
        json!(value)
    }
}

fn ambiguous(all: &[DateTime<FixedOffset>], doubt: Doubt) -> ExpressionAnswer {
    let candidates: Vec<String> = all.iter().map(|at| instant_text(*at)).collect();
    ExpressionAnswer {
        value: "ambiguous".into(),
        notes: vec![
            ("reason", doubt.reason().into()),
            ("candidates", json!(candidates)),
        ],
    }
}

fn instant_text(at: DateTime<FixedOffset>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

fn day_text(answer: DayAnswer) -> String {
    match answer {
        DayAnswer::Day(day) => day.to_string(),
        DayAnswer::Month(year, month) => format!("{year:04}-{month:02}"),
        DayAnswer::Year(year) => format!("{year:04}"),
        DayAnswer::NoYear(month, day) => format!("--{month:02}-{day:02}"),
        DayAnswer::Range(from, to) => format!("{from}/{to}"),
        DayAnswer::Ambiguous(..) => "ambiguous".to_owned(),
    }
}
