//! The line of a file that a finding is about, with its place marked.

use unicode_width::UnicodeWidthStr;

use super::style::visible;
use crate::finding::Position;

/// Code points of a line that are shown; a longer one is cut around its place.
const SHOWN: usize = 80;

/// Code points shown before the place in a line that is cut.
const BEFORE: usize = 24;

/// The line and a line of marks below the place, each with the number of the line or room for it before.
pub(super) fn excerpt(line: &str, start: Position, end: Option<Position>) -> String {
    let chars: Vec<char> = line.trim_end().chars().collect();
    let at = (start.column - 1).min(chars.len());
    // A value that goes on below is marked where it opens.
    let to = match end {
        Some(end) if end.line == start.line => end.column - 1,
        _ => at + 1,
    };
    let indent = chars.iter().take_while(|c| c.is_whitespace()).count();
    let from = match chars.len() - indent.min(at) {
        0..=SHOWN => indent.min(at),
        _ => at.saturating_sub(BEFORE).max(indent.min(at)),
    };
    let until = chars.len().min(from + SHOWN);
    let text = |range: std::ops::Range<usize>| -> String {
        let part: String = chars[range]
            .iter()
            .map(|c| if *c == '\t' { ' ' } else { *c })
            .collect();
        visible(&part)
    };
    let cut = |is: bool| if is { "…" } else { "" };
    let open = cut(from > indent.min(at));
    let head = format!("{open}{}", text(from..at));
    let marked = text(at..to.clamp(at, until.max(at)));
    let tail = text(at.max(to.clamp(at, until.max(at)))..until.max(at));
    let close = cut(until < chars.len());
    let marks = "^".repeat(marked.width().max(1));
    let number = start.line.to_string();
    let room = " ".repeat(number.len());
    let pad = " ".repeat(head.width());
    format!("{number} | {head}{marked}{tail}{close}\n{room} | {pad}{marks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, from: usize, to: usize) -> String {
        let at = |column| Position { line: 7, column };
        excerpt(line, at(from), Some(at(to)))
    }

    #[test]
    fn marks_stand_below_their_place() {
        assert_eq!(
            shown("    \"a\": \"b\",", 10, 13),
            "7 | \"a\": \"b\",\n  |      ^^^"
        );
        // Hangul takes two cells of a terminal.
        assert_eq!(
            shown("\"요약\": \"장애\"", 7, 11),
            "7 | \"요약\": \"장애\"\n  |         ^^^^^^"
        );
        assert_eq!(shown("", 1, 1), "7 | \n  | ^");
        assert_eq!(shown("x", 9, 12), "7 | x\n  |  ^");
    }

    #[test]
    fn a_long_line_is_cut_around_its_place() {
        let line = format!("{}MARK{}", "a".repeat(300), "b".repeat(300));
        let text = shown(&line, 301, 305);
        let (first, second) = text.split_once('\n').unwrap();
        assert_eq!(first.chars().count(), 4 + 1 + SHOWN + 1);
        let column = second.find('^').unwrap();
        let marked: String = first.chars().skip(column).take(4).collect();
        assert_eq!(marked, "MARK");
        assert!(second.ends_with(" ^^^^"));
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert!(!shown("a\u{1b}[31mb\u{202e}c", 1, 2).contains(['\u{1b}', '\u{202e}']));
    }
}
