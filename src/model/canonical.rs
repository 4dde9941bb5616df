//! The one way JSON is written: two-space indent, LF, one final newline, NFC, nothing escaped that
//! need not be.

use std::borrow::Cow;

use serde_json::Value;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Prints a JSON document in the canonical layout, keys in the order of the value.
pub fn print_json(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value)
        .expect("a serde_json value has string keys only and always serializes");
    if !is_surely_nfc(&text) {
        // JSON syntax is ASCII, so composing the whole document touches string contents only.
        text = text.nfc().collect();
    }
    text.push('\n');
    text
}

/// The canonical form of running text: NFC, LF line ends, no blanks at line ends or around the
/// text, exactly one blank line between paragraphs.
pub fn canonical_text(text: &str) -> Cow<'_, str> {
    if is_canonical_text(text) {
        return Cow::Borrowed(text);
    }
    let unix = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(unix.len());
    let mut blank_lines = 0;
    for line in unix
        .split('\n')
        .map(|line| line.trim_end_matches([' ', '\t']))
    {
        if line.is_empty() {
            blank_lines += 1;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if blank_lines > 0 { "\n\n" } else { "\n" });
        }
        blank_lines = 0;
        out.push_str(line);
    }
    Cow::Owned(out.trim_matches([' ', '\t']).nfc().collect())
}

/// Whether a text is in NFC by its characters alone. Nearly all text is ASCII, Latin-1, Hangul
/// syllables and punctuation, of which none composes with what stands before it; only the rest is
/// looked up (UAX #15, section 9).
fn is_surely_nfc(text: &str) -> bool {
    let plain = |c: char| matches!(c, '\0'..'\u{300}' | '\u{2010}'..='\u{2027}' | '가'..='힣' | '\u{3000}'..='\u{3002}');
    text.is_ascii() || text.chars().all(plain) || is_nfc_quick(text.chars()) == IsNormalized::Yes
}

fn is_canonical_text(text: &str) -> bool {
    let trouble = [" \n", "\t\n", "\n\n\n"];
    !text.contains('\r')
        && !trouble.iter().any(|t| text.contains(t))
        && text.trim_matches([' ', '\t', '\n']).len() == text.len()
        && is_surely_nfc(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_separated_by_one_blank_line() {
        assert_eq!(canonical_text(" a \r\n\r\n\r\n b\nc \n"), "a\n\n b\nc");
        assert_eq!(canonical_text("one\n\ntwo"), "one\n\ntwo");
        assert_eq!(canonical_text("\u{1112}\u{1161}\u{11ab}"), "한");
    }

    #[test]
    fn canonical_text_is_a_fixed_point() {
        for text in ["", " ", "\n\n", "a\n \n b", "\ta\t", "a\u{301}\r"] {
            let once = canonical_text(text).into_owned();
            assert_eq!(canonical_text(&once), once, "{text:?}");
        }
    }
}
