//! Taking known keys out of a JSON object and putting them back in order, with nothing lost.

use std::str::FromStr;

use serde_json::{Map, Value};

/// The members of one object while it is read. What no `take_` call wants, or what has the wrong
/// type, ends in `extra`.
pub(super) struct FieldReader {
    left: Map<String, Value>,
    refused: Map<String, Value>,
}

impl FieldReader {
    pub(super) fn new(map: Map<String, Value>) -> Self {
        Self {
            left: map,
            refused: Map::new(),
        }
    }

    /// Takes `key` through `read`, which hands the value back when it cannot hold it. `null` is absent.
    pub(super) fn take<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(Value) -> Result<T, Value>,
    ) -> Option<T> {
        // `remove` would swap the last member into the gap and lose the order of the others.
        match self.left.shift_remove(key)? {
            Value::Null => None,
            value => read(value)
                .map_err(|value| self.refused.insert(key.to_owned(), value))
                .ok(),
        }
    }

    pub(super) fn take_string(&mut self, key: &str) -> Option<String> {
        self.take(key, string)
    }

    pub(super) fn take_parsed<T: FromStr>(&mut self, key: &str) -> Option<T> {
        self.take(key, parsed)
    }

    pub(super) fn take_list<T>(
        &mut self,
        key: &str,
        item: impl Fn(Value) -> Result<T, Value>,
        fits: impl Fn(&Value) -> bool,
    ) -> Vec<T> {
        self.take(key, |value| match value {
            Value::Array(items) if items.iter().all(&fits) => items
                .into_iter()
                .map(&item)
                .collect::<Result<Vec<T>, Value>>(),
            other => Err(other),
        })
        .unwrap_or_default()
    }

    /// What was not taken: values of the wrong type first, then unknown keys in their order.
    pub(super) fn finish(mut self) -> Map<String, Value> {
        self.refused.extend(self.left);
        self.refused
    }
}

pub(super) fn string(value: Value) -> Result<String, Value> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(other),
    }
}

pub(super) fn parsed<T: FromStr>(value: Value) -> Result<T, Value> {
    match value.as_str().map(str::parse) {
        Some(Ok(parsed)) => Ok(parsed),
        _ => Err(value),
    }
}

pub(super) fn object(value: Value) -> Result<Map<String, Value>, Value> {
    match value {
        Value::Object(map) => Ok(map),
        other => Err(other),
    }
}

/// The members of one object while it is written. A value kept in `extra` under a known key wins:
/// it is what the file said there.
pub(super) struct FieldWriter<'a> {
    out: Map<String, Value>,
    extra: &'a Map<String, Value>,
}

impl<'a> FieldWriter<'a> {
    pub(super) fn new(extra: &'a Map<String, Value>) -> Self {
        Self {
            out: Map::new(),
            extra,
        }
    }

    pub(super) fn put(&mut self, key: &str, value: Value) {
        let value = self.extra.get(key).cloned().unwrap_or(value);
        self.out.insert(key.to_owned(), value);
    }

    pub(super) fn put_text(&mut self, key: &str, value: Option<impl ToString>) {
        let value = value.map_or(Value::Null, |v| Value::String(v.to_string()));
        self.put(key, value);
    }

    pub(super) fn finish(mut self) -> Value {
        for (key, value) in self.extra {
            if !self.out.contains_key(key) {
                self.out.insert(key.clone(), value.clone());
            }
        }
        Value::Object(self.out)
    }
}
