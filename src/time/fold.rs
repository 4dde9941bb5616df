//! Text in the form that words are compared in: compatibility characters, case and accents set
//! aside, each character still knowing its bytes.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A folded text with the byte of each of its characters in the original.
#[derive(Debug, Default)]
pub(super) struct Folded {
    /// Folded characters.
    pub chars: Vec<char>,
    /// Where each starts in the original, and last its length.
    pub starts: Vec<u32>,
    /// Whether the original was an upper-case letter.
    pub upper: Vec<bool>,
}

impl Folded {
    /// Folds a text.
    pub(super) fn new(text: &str) -> Self {
        let mut folded = Self {
            chars: Vec::with_capacity(text.len()),
            starts: Vec::with_capacity(text.len() + 1),
            upper: Vec::with_capacity(text.len()),
        };
        for (at, c) in text.char_indices() {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            if c.is_ascii() {
                let space = c.is_ascii_whitespace();
                folded.push(
                    if space { ' ' } else { c.to_ascii_lowercase() },
                    at,
                    c.is_ascii_uppercase(),
                );
            } else {
                fold_char(c, |f| folded.push(f, at, c.is_uppercase()));
            }
        }
        folded
            .starts
            .push(u32::try_from(text.len()).unwrap_or(u32::MAX));
        folded
    }

    fn push(&mut self, c: char, start: u32, upper: bool) {
        self.chars.push(c);
        self.starts.push(start);
        self.upper.push(upper);
    }
}

/// Folds a phrase of the data in the same way.
pub(super) fn fold_phrase(phrase: &str) -> String {
    let folded = Folded::new(phrase.trim());
    folded.chars.into_iter().collect()
}

fn fold_char(c: char, mut put: impl FnMut(char)) {
    match c {
        '\u{2019}' | '\u{2018}' | '\u{ff07}' => put('\''),
        '\u{2010}' | '\u{2011}' | '\u{2012}' => put('-'),
        '\u{2212}' => put('\u{2212}'),
        '\u{301c}' | '\u{ff5e}' | '\u{223c}' => put('~'),
        '½' | '¼' | '¾' => put(c),
        '\u{200b}' | '\u{feff}' | '\u{2060}' | '\u{ad}' => {}
        _ if c.is_whitespace() => put(' '),
        'ぁ'..='ヿ' | '가'..='힣' | '一'..='鿿' => put(c),
        'ß' => put('ß'),
        _ => {
            let mut base = '\0';
            for d in c.nfkd() {
                if is_combining_mark(d) && (base.is_ascii_alphabetic() || is_cyrillic(base)) {
                    continue;
                }
                for lower in d.to_lowercase() {
                    put(if lower.is_whitespace() { ' ' } else { lower });
                }
                base = d;
            }
        }
    }
}

/// Whether a character is a Cyrillic letter.
pub(super) fn is_cyrillic(c: char) -> bool {
    ('\u{400}'..='\u{4ff}').contains(&c)
}

/// Whether words of this letter's script have spaces between them.
pub(super) fn is_spaced_letter(c: char) -> bool {
    // The order counts: the classes of Hangul and Han are slow to look up.
    c.is_ascii_alphabetic() || ('\u{80}'..'\u{1100}').contains(&c) && c.is_alphabetic()
}

/// Whether a character is a Hangul syllable.
pub(super) fn is_hangul(c: char) -> bool {
    ('가'..='힣').contains(&c)
}
