//! Ids that were given once and name no case of their own any more, or one that was withdrawn. An id is never reused
//! and never vanishes: whoever kept one is led to where its case is now.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{CaseDate, CaseId, print_json};

/// What became of an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Its case was one with another, which has its sources now.
    MergedInto(CaseId),
    /// Its case has another id.
    RenumberedTo(CaseId),
    /// Its case was withdrawn for this reason; the record stays readable.
    Withdrawn(String),
}

impl Fate {
    /// The id that stands in its place.
    pub fn successor(&self) -> Option<&CaseId> {
        match self {
            Self::MergedInto(id) | Self::RenumberedTo(id) => Some(id),
            Self::Withdrawn(_) => None,
        }
    }

    fn key(&self) -> &'static str {
        match self {
            Self::MergedInto(_) => "merged_into",
            Self::RenumberedTo(_) => "renumbered_to",
            Self::Withdrawn(_) => "withdrawn",
        }
    }
}

/// An id that was taken out of use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retirement {
    /// What became of it.
    pub fate: Fate,
    /// Since when.
    pub on: CaseDate,
}

/// Every id of a library that was taken out of use: `normalized/retired.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retired {
    ids: BTreeMap<CaseId, Retirement>,
}

/// The file in the library.
pub const RETIRED_FILE: &str = "normalized/retired.json";

impl Retired {
    /// Reads the file. The error is the member at fault and what is wrong with it.
    pub fn from_value(value: &Value) -> Result<Self, (String, String)> {
        let whole = |message: &str| (String::new(), message.to_owned());
        let object = value
            .as_object()
            .ok_or_else(|| whole("it is no JSON object of ids"))?;
        let mut ids = BTreeMap::new();
        for (key, entry) in object {
            let fault = |message: String| {
                (
                    format!("/{}", key.replace('~', "~0").replace('/', "~1")),
                    message,
                )
            };
            let id: CaseId = key
                .parse()
                .map_err(|e: super::Refused| fault(e.to_string()))?;
            ids.insert(id, retirement(entry).map_err(fault)?);
        }
        Ok(Self { ids })
    }

    /// The file as it is written.
    pub fn print(&self) -> String {
        let mut out = Map::new();
        for (id, retirement) in &self.ids {
            let what = match &retirement.fate {
                Fate::Withdrawn(why) => why.clone(),
                Fate::MergedInto(id) | Fate::RenumberedTo(id) => id.to_string(),
            };
            let entry = json!({ retirement.fate.key(): what, "on": retirement.on.to_string() });
            out.insert(id.to_string(), entry);
        }
        print_json(&Value::Object(out))
    }

    /// Whether no id was taken out of use.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// What became of an id.
    pub fn get(&self, id: &CaseId) -> Option<&Retirement> {
        self.ids.get(id)
    }

    /// The ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&CaseId, &Retirement)> {
        self.ids.iter()
    }

    /// Why a case was withdrawn, where it was.
    pub fn withdrawn(&self, id: &CaseId) -> Option<&str> {
        match &self.get(id)?.fate {
            Fate::Withdrawn(why) => Some(why),
            _ => None,
        }
    }

    /// Takes an id out of use.
    pub fn insert(&mut self, id: CaseId, retirement: Retirement) {
        self.ids.insert(id, retirement);
    }

    /// Takes an id back into use.
    pub fn remove(&mut self, id: &CaseId) -> Option<Retirement> {
        self.ids.remove(id)
    }

    /// The id that stands in the place of one, after every step from one to the next. `None` where it stands for itself,
    /// and where the steps lead in a circle.
    pub fn successor(&self, id: &CaseId) -> Option<&CaseId> {
        let mut seen = BTreeSet::from([id]);
        let mut at = self.get(id)?.fate.successor()?;
        while let Some(next) = self.get(at).and_then(|r| r.fate.successor()) {
            if !seen.insert(at) {
                return None;
            }
            at = next;
        }
        Some(at).filter(|at| !seen.contains(at))
    }
}

fn retirement(entry: &Value) -> Result<Retirement, String> {
    const FORM: &str = "it is `{ \"merged_into\" or \"renumbered_to\": ID, or \"withdrawn\": REASON, \"on\": DAY }`";
    let object = entry.as_object().filter(|o| o.len() == 2).ok_or(FORM)?;
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let on = text("on").ok_or(FORM)?;
    let on = on.parse().map_err(|e: super::Refused| e.to_string())?;
    let id = |text: &str| text.parse::<CaseId>().map_err(|e| e.to_string());
    let fate = match (
        text("merged_into"),
        text("renumbered_to"),
        text("withdrawn"),
    ) {
        (Some(into), None, None) => Fate::MergedInto(id(into)?),
        (None, Some(to), None) => Fate::RenumberedTo(id(to)?),
        (None, None, Some(why)) if !why.trim().is_empty() => Fate::Withdrawn(why.to_owned()),
        _ => return Err(FORM.to_owned()),
    };
    Ok(Retirement { fate, on })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retired(text: &str) -> Result<Retired, (String, String)> {
        Retired::from_value(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn steps_are_followed_to_their_end_and_circles_lead_nowhere() {
        let text = r#"{"IL-0001":{"merged_into":"IL-0002","on":"2026-01-01"},"IL-0002":{"renumbered_to":"IL-0003","on":"2026-01-02"},
            "IL-0004":{"merged_into":"IL-0005","on":"2026-01-01"},"IL-0005":{"merged_into":"IL-0004","on":"2026-01-01"},
            "IL-0006":{"withdrawn":"never happened","on":"2026-01-01"}}"#;
        let retired = retired(text).unwrap();
        let successor = |id: &str| retired.successor(&id.parse().unwrap()).map(CaseId::as_str);
        assert_eq!(successor("IL-0001"), Some("IL-0003"));
        assert_eq!(successor("IL-0004"), None);
        assert_eq!(successor("IL-0006"), None);
        assert_eq!(successor("IL-0009"), None);
        assert_eq!(
            retired.withdrawn(&"IL-0006".parse().unwrap()),
            Some("never happened")
        );
        let printed = serde_json::from_str(&retired.print()).unwrap();
        assert_eq!(Retired::from_value(&printed), Ok(retired));
    }

    #[test]
    fn faults_name_the_id() {
        for text in [
            r#"{"IL-0001":{"withdrawn":" ","on":"2026-01-01"}}"#,
            r#"{"IL-0001":{"merged_into":"IL-2"}}"#,
            r#"{"IL-0001":{"merged_into":"IL-0002","on":"yesterday"}}"#,
        ] {
            assert_eq!(retired(text).unwrap_err().0, "/IL-0001", "{text}");
        }
        assert_eq!(retired("[]").unwrap_err().0, "");
    }
}
