//! From a JSON pointer to bytes, and from bytes to line and column.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use serde::Serialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::pointer::Pointer;

/// A line and a column, both from 1; the column counts Unicode code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in code points, from 1.
    pub column: usize,
}

/// Line and column of a byte offset; an offset inside a character counts as its start.
pub fn position_of(text: &str, offset: usize) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    Position {
        line: before.bytes().filter(|&b| b == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

/// Where a value stands in the text of its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Bytes of the key, quotes included, when the value is a member of an object.
    pub key: Option<Range<usize>>,
    /// Bytes of the value.
    pub value: Range<usize>,
}

/// Finds the value at `pointer`, or its nearest ancestor that exists. `None` when the text is not JSON.
pub fn locate(text: &str, pointer: &Pointer) -> Option<Located> {
    let mut raw: &RawValue = serde_json::from_str(text).ok()?;
    let mut found = Located {
        key: None,
        value: range_in(text, raw.get()),
    };
    for token in pointer.tokens() {
        let Some((key, child)) = child_of(raw, &token) else {
            break;
        };
        let value = range_in(text, child.get());
        found = Located {
            key: key.then(|| key_before(text, value.start)).flatten(),
            value,
        };
        raw = child;
    }
    Some(found)
}

/// A document with more values than this is no record: what comes after is not noted, and its place is
/// that of the object or list around it.
const MOST_VALUES: usize = 20_000;

/// Where every value of a document stands. For many look-ups in one document; one alone is quicker
/// by [`locate`].
#[derive(Debug, Default)]
pub struct Places {
    found: HashMap<Pointer, Located>,
    leaves: Vec<Pointer>,
}

impl Places {
    /// Walks the document once. Empty when the text is not JSON or is nested deeper than 127.
    pub fn of(text: &str) -> Self {
        let mut out = Self::default();
        if let Ok(raw) = serde_json::from_str::<&RawValue>(text)
            && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        {
            out.collect(text, raw, Pointer::default(), None, 0);
        }
        out
    }

    /// The place of the value at `pointer`, or of its nearest ancestor that exists.
    pub fn find(&self, pointer: &Pointer) -> Option<&Located> {
        let mut at = Some(pointer.clone());
        while let Some(pointer) = at {
            if let Some(found) = self.found.get(&pointer) {
                return Some(found);
            }
            at = pointer.parent();
        }
        None
    }

    /// Whether the document has more values than are noted.
    pub fn is_cut(&self) -> bool {
        self.found.len() >= MOST_VALUES
    }

    /// Every value that holds no other value (texts, numbers, `null`, empty lists and objects), in
    /// document order.
    pub fn leaves(&self) -> impl Iterator<Item = (&Pointer, Range<usize>)> {
        self.leaves.iter().map(|p| (p, self.found[p].value.clone()))
    }

    fn collect(
        &mut self,
        text: &str,
        raw: &RawValue,
        at: Pointer,
        key: Option<Range<usize>>,
        depth: usize,
    ) {
        if self.is_cut() {
            return;
        }
        let mut json = serde_json::Deserializer::from_str(raw.get());
        let first = raw.get().as_bytes().first();
        let children = match first {
            Some(b'{') => json.deserialize_map(Children).unwrap_or_default(),
            Some(b'[') => json.deserialize_seq(Children).unwrap_or_default(),
            _ => Vec::new(),
        };
        let value = range_in(text, raw.get());
        if self.found.contains_key(&at) {
            // A key that stands twice: the first one is the one that is read.
            return;
        }
        self.found.insert(at.clone(), Located { key, value });
        if children.is_empty() || depth > 127 {
            self.leaves.push(at);
            return;
        }
        for (token, child) in children {
            let start = range_in(text, child.get()).start;
            let key = (first == Some(&b'{'))
                .then(|| key_before(text, start))
                .flatten();
            self.collect(text, child, at.child(token), key, depth + 1);
        }
    }
}

struct Children;

impl<'de> Visitor<'de> for Children {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut out = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            if out.len() < MOST_VALUES {
                out.push((Cow::Owned(key), value));
            }
        }
        Ok(out)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut out = Vec::new();
        while let Some(value) = seq.next_element::<&RawValue>()? {
            if out.len() < MOST_VALUES {
                out.push((Cow::Owned(out.len().to_string()), value));
            }
        }
        Ok(out)
    }
}

/// Both are slices of one text, so the distance of their addresses is the offset.
fn range_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// The bytes of the key whose value starts at `value_start`.
fn key_before(text: &str, value_start: usize) -> Option<Range<usize>> {
    let before = text[..value_start].trim_end().strip_suffix(':')?.trim_end();
    let bytes = before.as_bytes();
    let mut i = before.len().checked_sub(1)?;
    while i > 0 {
        i -= 1;
        let backslashes = bytes[..i].iter().rev().take_while(|&&b| b == b'\\').count();
        if bytes[i] == b'"' && backslashes % 2 == 0 {
            return Some(i..before.len());
        }
    }
    None
}

fn child_of<'a>(raw: &'a RawValue, token: &str) -> Option<(bool, &'a RawValue)> {
    let mut json = serde_json::Deserializer::from_str(raw.get());
    match raw.get().as_bytes().first()? {
        b'{' => json
            .deserialize_map(MemberNamed(token))
            .ok()?
            .map(|value| (true, value)),
        b'[' => {
            let index = token.parse().ok()?;
            json.deserialize_seq(ItemAt(index))
                .ok()?
                .map(|value| (false, value))
        }
        _ => None,
    }
}

struct MemberNamed<'t>(&'t str);

impl<'de> Visitor<'de> for MemberNamed<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some((key, value)) = map.next_entry::<Cow<'_, str>, &RawValue>()? {
            if found.is_none() && key == self.0 {
                found = Some(value);
            }
        }
        Ok(found)
    }
}

struct ItemAt(usize);

impl<'de> Visitor<'de> for ItemAt {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut found, mut i) = (None, 0);
        while let Some(value) = seq.next_element::<&RawValue>()? {
            if i == self.0 {
                found = Some(value);
            }
            i += 1;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, pointer: &str, key: Option<&str>, value: &str) {
        let found = locate(text, &Pointer::new(pointer)).unwrap();
        assert_eq!(&text[found.value], value, "{pointer}");
        assert_eq!(found.key.map(|k| &text[k]), key, "{pointer}");
    }

    #[test]
    fn values_keys_and_nearest_ancestors() {
        let text = "{\n \"a\\\"b\" : [1, {\"한글\": \"값\"}], \"x/y\": null\n}";
        check(text, "", None, text);
        check(text, "/a\"b/0", None, "1");
        check(text, "/a\"b/1/한글", Some("\"한글\""), "\"값\"");
        check(text, "/a\"b", Some("\"a\\\"b\""), "[1, {\"한글\": \"값\"}]");
        check(text, "/x~1y", Some("\"x/y\""), "null");
        check(text, "/a\"b/1/missing/deeper", None, "{\"한글\": \"값\"}");
        assert_eq!(locate("{", &Pointer::default()), None);
    }

    #[test]
    fn columns_count_code_points() {
        let text = "ab\n가나다\n";
        let at = |offset| {
            let p = position_of(text, offset);
            (p.line, p.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(9), (2, 3));
        assert_eq!(at(8), (2, 2), "inside a character");
        assert_eq!(at(999), (3, 1));
    }
}
