//! JSON that says what is wrong with it: where it breaks, and which keys stand twice.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::finding::Pointer;

/// Why a text is not JSON, in words, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonFault {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Byte offset of the place.
    pub offset: usize,
}

/// Parses a whole document. Of a key that stands twice the first value is kept, and the pointer of
/// the second is returned.
pub fn parse_json(text: &str) -> Result<(Value, Vec<Pointer>), JsonFault> {
    let twice = RefCell::new(Vec::new());
    let mut json = serde_json::Deserializer::from_str(text);
    let seed = Node {
        at: None,
        twice: &twice,
    };
    let value = seed
        .deserialize(&mut json)
        .and_then(|value| json.end().map(|()| value))
        .map_err(|error| fault(text, &error))?;
    Ok((value, twice.into_inner()))
}

fn fault(text: &str, error: &serde_json::Error) -> JsonFault {
    let line_start = text
        .match_indices('\n')
        .nth(error.line().saturating_sub(2))
        .filter(|_| error.line() > 1)
        .map_or(0, |(i, _)| i + 1);
    let mut offset = (line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let full = error.to_string();
    let words = full.split(" at line ").next().unwrap_or(&full);
    let (message, help) = if error.is_eof() {
        (
            "the JSON ends in the middle; the file is cut off".to_owned(),
            "restore the rest of the file, or save it again",
        )
    } else if words.contains("recursion limit") {
        (
            "the JSON is nested more than 127 deep".to_owned(),
            "no record or page needs that; replace the file",
        )
    } else {
        (
            format!("the JSON is broken here: {words}"),
            "mend the JSON at this place",
        )
    };
    JsonFault {
        message,
        help: help.to_owned(),
        offset,
    }
}

/// The way from the document to the value being read, innermost first.
struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    token: &'a str,
}

impl Path<'_> {
    fn pointer(&self) -> Pointer {
        let base = self.parent.map(Path::pointer).unwrap_or_default();
        base.child(self.token)
    }
}

struct Node<'a> {
    at: Option<&'a Path<'a>>,
    twice: &'a RefCell<Vec<Pointer>>,
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("a number out of range"))?;
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        loop {
            let token = items.len().to_string();
            let path = Path {
                parent: self.at,
                token: &token,
            };
            let seed = Node {
                at: Some(&path),
                twice: self.twice,
            };
            match seq.next_element_seed(seed)? {
                Some(item) => items.push(item),
                None => return Ok(Value::Array(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let path = Path {
                parent: self.at,
                token: &key,
            };
            let seed = Node {
                at: Some(&path),
                twice: self.twice,
            };
            let value = map.next_value_seed(seed)?;
            if members.contains_key(&key) {
                self.twice.borrow_mut().push(path.pointer());
            } else if members.len() >= 1_000_000 {
                return Err(A::Error::custom(
                    "more than 1,000,000 members in one object",
                ));
            } else {
                members.insert(key, value);
            }
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_values_as_serde_json() {
        let text = r#"{"a":[1,-2,3.5,1e3,true,null,"\u00e9\n"],"b":{}}"#;
        let (value, twice) = parse_json(text).unwrap();
        assert_eq!(value, serde_json::from_str::<Value>(text).unwrap());
        assert!(twice.is_empty());
    }

    #[test]
    fn keys_that_stand_twice() {
        let (value, twice) = parse_json(r#"{"a":1,"b":[{"c/d":1,"c/d":2}],"a":3}"#).unwrap();
        assert_eq!(value["a"], 1);
        let twice: Vec<&str> = twice.iter().map(Pointer::as_str).collect();
        assert_eq!(twice, ["/b/0/c~1d", "/a"]);
    }

    #[test]
    fn faults_say_what_and_where() {
        let fault = |text: &str| {
            let fault = parse_json(text).unwrap_err();
            (fault.message, fault.offset)
        };
        assert_eq!(
            fault("{\"a\": 1,").0,
            "the JSON ends in the middle; the file is cut off"
        );
        assert_eq!(
            fault("").0,
            "the JSON ends in the middle; the file is cut off"
        );
        let (message, offset) = fault("{\n  \"a\": 가\n}");
        assert_eq!(message, "the JSON is broken here: expected value");
        assert_eq!(offset, 9);
        let deep = "[".repeat(1_000_000);
        assert_eq!(fault(&deep).0, "the JSON is nested more than 127 deep");
    }
}
