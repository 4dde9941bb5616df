//! Names that stay as they are in every language: products, regions, functions, metrics.

use super::{Fact, FactAt};

/// A name, compared without case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The name in small letters.
    pub folded: String,
    /// Its form is no ordinary word's: `DynamoDB`, `us-east-1`, `INSUFFICIENT_DATA`.
    pub coded: bool,
}

/// The names of a text. Where the language is written in Latin letters, a word with a capital counts that opens no
/// sentence; elsewhere every word in Latin letters does.
pub(super) fn names(text: &str, latin: bool) -> impl Iterator<Item = FactAt> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(|c: char| c.is_ascii_alphanumeric())?;
            let word = word_at(&text[start..]);
            let bytes = start..start + word.len();
            at = bytes.end;
            let whole = !text[..start].chars().next_back().is_some_and(glued)
                && !text[bytes.end..].chars().next().is_some_and(glued);
            if !whole {
                continue;
            }
            let coded = is_coded(word);
            let named =
                coded || is_named(word, latin) && !(latin && opens_sentence(&text[..start]));
            if named {
                let folded = word.to_ascii_lowercase();
                return Some(FactAt {
                    fact: Fact::Name(Name { folded, coded }),
                    bytes,
                });
            }
        }
    })
}

/// What makes the word before or after it a part of something else: an address, a path, a Latin letter with an accent.
fn glued(c: char) -> bool {
    matches!(c, '/' | '@' | '\\' | '&' | '=' | '%' | '$' | '\'' | '’')
        || ('\u{c0}'..'\u{250}').contains(&c)
}

/// Letters and digits, joined by hyphens, underscores and full stops.
fn word_at(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'))
        .unwrap_or(text.len());
    text[..end].trim_end_matches(['-', '_', '.'])
}

fn is_coded(word: &str) -> bool {
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let starts = word.starts_with(|c: char| c.is_ascii_alphabetic());
    if letters < 3 || !starts || word.len() > 60 || word.contains("..") {
        return false;
    }
    let bytes = word.as_bytes();
    let digit = bytes.iter().any(u8::is_ascii_digit);
    let inner = bytes
        .windows(2)
        .any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase());
    let joined = word.contains('_');
    let version = word.starts_with(['v', 'V']) && letters == 1;
    (digit || inner || joined) && !version
}

/// English words that a capital or a foreign text around them makes no name.
const WORDS: [&str; 14] = [
    "the", "this", "that", "these", "those", "and", "for", "with", "from", "all", "our", "you",
    "not", "but",
];

fn is_named(word: &str, latin: bool) -> bool {
    if WORDS.iter().any(|w| word.eq_ignore_ascii_case(w)) {
        return false;
    }
    let letters = word.len() >= 3 && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
    if !letters {
        return false;
    }
    let capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    let shouted = word.bytes().all(|b| !b.is_ascii_lowercase());
    // `API`, `CPU`, `PST`: every story has some of them.
    if shouted && word.len() <= 4 {
        return false;
    }
    capital || !latin
}

/// Whether what comes next is the first word of a sentence, an item or a quotation.
fn opens_sentence(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t', '"', '“', '(', '[', '*', '«', '„']);
    before.chars().next_back().is_none_or(|c| {
        matches!(
            c,
            '.' | '!' | '?' | ':' | '\n' | '-' | '–' | '—' | '•' | '|' | '·'
        )
    })
}
