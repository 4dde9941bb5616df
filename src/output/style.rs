//! The few styles that output uses.

use anstyle::{AnsiColor, Effects, Style};

use crate::finding::Level;

/// Plain emphasis.
pub const BOLD: Style = Style::new().effects(Effects::BOLD);
/// What matters less.
pub(super) const DIM: Style = Style::new().effects(Effects::DIMMED);
/// What is well, or new.
pub(super) const GREEN: Style = AnsiColor::Green.on_default();
/// What goes.
pub(super) const RED: Style = AnsiColor::Red.on_default();

/// A text in a style.
pub fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

pub(super) fn of_level(level: Level) -> Style {
    let color = match level {
        Level::Error => AnsiColor::Red,
        Level::Warning => AnsiColor::Yellow,
        Level::Note => AnsiColor::Cyan,
    };
    color.on_default().effects(Effects::BOLD)
}

/// A length in bytes for people: `18.2 KB`.
pub(super) fn size(bytes: usize) -> String {
    // Only shown, so the loss of precision does no harm.
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let number = bytes as f64;
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.1} KB", number / 1e3),
        _ => format!("{:.1} MB", number / 1e6),
    }
}

/// `1 note`, `2 notes`.
pub fn counted(count: usize, word: &str) -> String {
    let ending = match count {
        1 => "",
        _ if word.ends_with('s') => "es",
        _ => "s",
    };
    format!("{count} {word}{ending}")
}

/// Control and direction characters as visible marks: a file name or a text must not steer the terminal.
pub fn visible(text: &str) -> String {
    let hides = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if !text.contains(hides) {
        return text.to_owned();
    }
    text.chars()
        .map(|c| {
            if hides(c) {
                format!("\\u{{{:x}}}", u32::from(c))
            } else {
                c.to_string()
            }
        })
        .collect()
}
