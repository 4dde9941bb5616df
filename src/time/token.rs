//! A text cut into numbers, phrases of the lexicon, other words and marks.

use crate::vocabulary::WordClass;

use super::fold::{Folded, is_hangul, is_spaced_letter};
use super::lexicon::{Lexicon, Meaning};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind<'l> {
    /// Digits: the value, and how many.
    Digits(u64, u8),
    /// Chinese numerals.
    Numeral(f64),
    /// A phrase of the lexicon.
    Phrase(&'l [Meaning]),
    /// Letters that mean nothing here.
    Word,
    /// Any other character.
    Mark(char),
}

/// A token with its characters in the folded text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token<'l> {
    pub kind: Kind<'l>,
    pub start: usize,
    pub end: usize,
    /// White space stands before it.
    pub gap: bool,
}

/// A folded text and its tokens.
#[derive(Debug)]
pub(super) struct Tokens<'l> {
    pub folded: Folded,
    pub all: Vec<Token<'l>>,
    pub lexicon: &'l Lexicon,
}

impl<'l> Tokens<'l> {
    /// Cuts a text.
    pub(super) fn new(text: &str, lexicon: &'l Lexicon) -> Self {
        let folded = Folded::new(text);
        let mut all: Vec<Token> = Vec::with_capacity(folded.chars.len() / 4 + 4);
        let chars = &folded.chars;
        let (mut at, mut gap) = (0, false);
        while at < chars.len() {
            if chars[at] == ' ' {
                gap = true;
                at += 1;
                continue;
            }
            let after_phrase = all
                .last()
                .is_some_and(|t| !gap && !matches!(t.kind, Kind::Word));
            let (kind, length) = next(chars, at, after_phrase, lexicon);
            all.push(Token {
                kind,
                start: at,
                end: at + length,
                gap,
            });
            gap = false;
            at += length;
        }
        Self {
            folded,
            all,
            lexicon,
        }
    }

    pub(super) fn get(&self, i: usize) -> Option<&Token<'l>> {
        self.all.get(i)
    }

    /// The bytes of the tokens from `first` up to `end`.
    pub(super) fn bytes(&self, first: usize, end: usize) -> std::ops::Range<usize> {
        let start = self.all.get(first).map_or(0, |t| t.start);
        let last = end
            .checked_sub(1)
            .and_then(|i| self.all.get(i))
            .map_or(start, |t| t.end);
        let byte = |at: usize| self.folded.starts.get(at).map_or(0, |b| *b as usize);
        // The last character may have been folded into several.
        let start = byte(start);
        let mut stop = last;
        while stop < self.folded.chars.len() && byte(stop) == byte(last.saturating_sub(1)) {
            stop += 1;
        }
        start..byte(stop).max(start)
    }

    /// The folded text of a token.
    pub(super) fn text(&self, i: usize) -> &[char] {
        self.get(i)
            .map_or(&[], |t| &self.folded.chars[t.start..t.end])
    }

    /// Digits at `i`: the value and how many.
    pub(super) fn digits(&self, i: usize) -> Option<(u64, u8)> {
        match self.get(i)?.kind {
            Kind::Digits(value, count) => Some((value, count)),
            _ => None,
        }
    }

    pub(super) fn mark(&self, i: usize) -> Option<char> {
        match self.get(i)?.kind {
            Kind::Mark(c) => Some(c),
            // A mark may be a word of the language too: the comma of "July 30, 2024".
            Kind::Phrase(_) => match self.text(i) {
                [c] if !is_hangul(*c) && !c.is_alphanumeric() => Some(*c),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a token stands right after the one before it.
    pub(super) fn attached(&self, i: usize) -> bool {
        i > 0 && self.get(i).is_some_and(|t| !t.gap)
    }

    pub(super) fn meanings(&self, i: usize) -> &'l [Meaning] {
        match self.get(i) {
            Some(Token {
                kind: Kind::Phrase(meanings),
                ..
            }) => meanings,
            _ => &[],
        }
    }

    pub(super) fn find<T>(&self, i: usize, pick: impl Fn(&Meaning) -> Option<T>) -> Option<T> {
        self.meanings(i).iter().find_map(pick)
    }

    pub(super) fn is(&self, i: usize, class: WordClass) -> bool {
        self.meanings(i).contains(&Meaning::Class(class))
    }

    pub(super) fn is_trap(&self, i: usize) -> bool {
        self.meanings(i).contains(&Meaning::Trap)
    }

    /// The token before, when there is one.
    pub(super) fn before(i: usize) -> Option<usize> {
        i.checked_sub(1)
    }

    /// Whether the token at `i` was written in capitals.
    pub(super) fn is_upper(&self, i: usize) -> bool {
        self.get(i)
            .is_some_and(|t| self.folded.upper[t.start..t.end].iter().all(|u| *u))
    }

    /// The character right before token `i`, when no space stands between.
    pub(super) fn touching(&self, i: usize) -> Option<char> {
        let token = self.get(i)?;
        let before = token.start.checked_sub(1)?;
        Some(self.folded.chars[before]).filter(|c| *c != ' ')
    }

    /// The character right after token `i - 1`, when no space stands between.
    pub(super) fn touching_after(&self, end: usize) -> Option<char> {
        let last = self.get(end.checked_sub(1)?)?;
        self.folded
            .chars
            .get(last.end)
            .copied()
            .filter(|c| *c != ' ')
    }

    /// The folded text from the first to the last of some tokens.
    pub(super) fn chars(&self, tokens: &std::ops::Range<usize>) -> &[char] {
        let start = self.all.get(tokens.start).map_or(0, |t| t.start);
        let last = tokens.end.checked_sub(1).and_then(|i| self.all.get(i));
        let end = last.map_or(start, |t| t.end);
        &self.folded.chars[start..end.max(start)]
    }

    /// Where the sentence of the token `at` starts, not before `from`.
    pub(super) fn sentence_start(&self, from: usize, at: usize) -> usize {
        let mut before = (from..at).rev();
        let end = before.find(|i| self.sentence_ends(*i, i + 1));
        end.map_or(from, |i| i + 1)
    }

    /// The mark that ends the sentence of the token `at`, or `to` when none stands before it.
    pub(super) fn sentence_end(&self, at: usize, to: usize) -> usize {
        let end = (at..to).find(|i| self.sentence_ends(*i, i + 1));
        end.unwrap_or(to)
    }

    /// The tokens of the sentence around some of them.
    pub(super) fn sentence_around(&self, first: usize, end: usize) -> std::ops::Range<usize> {
        self.sentence_start(0, first)..self.sentence_end(end, self.all.len())
    }

    /// Whether a sentence ends between two tokens.
    pub(super) fn sentence_ends(&self, from: usize, to: usize) -> bool {
        (from..to).any(|i| match self.mark(i) {
            Some('。' | '!' | '?' | ';') => true,
            Some('.') => self.get(i + 1).is_none_or(|t| t.gap),
            _ => false,
        })
    }
}

fn next<'l>(
    chars: &[char],
    at: usize,
    after_phrase: bool,
    lexicon: &'l Lexicon,
) -> (Kind<'l>, usize) {
    let c = chars[at];
    if c.is_ascii_digit() {
        let length = chars[at..]
            .iter()
            .take_while(|c| c.is_ascii_digit())
            .count();
        let value = chars[at..at + length.min(18)].iter().fold(0_u64, |v, d| {
            v * 10 + u64::from(d.to_digit(10).unwrap_or(0))
        });
        return (
            Kind::Digits(value, u8::try_from(length).unwrap_or(u8::MAX)),
            length,
        );
    }
    let before = at.checked_sub(1).map(|i| chars[i]);
    let starts = if is_spaced_letter(c) {
        before.is_none_or(|b| !is_spaced_letter(b) && b != '_')
    } else if is_hangul(c) {
        after_phrase || before.is_none_or(|b| !is_hangul(b))
    } else {
        true
    };
    let numerals = if lexicon.han {
        numeral(&chars[at..])
    } else {
        None
    };
    if starts {
        let ends_well = |n: usize| {
            let last = chars[at + n - 1];
            let next = chars.get(at + n);
            !is_spaced_letter(last) || next.is_none_or(|c| !is_spaced_letter(*c) && *c != '_')
        };
        if let Some((length, meanings)) = lexicon.longest(&chars[at..], ends_well)
            && numerals.is_none_or(|(_, n)| length > n)
        {
            return (Kind::Phrase(meanings), length);
        }
    }
    if let Some((value, length)) = numerals {
        return (Kind::Numeral(value), length);
    }
    if is_spaced_letter(c) {
        let length = chars[at..]
            .iter()
            .take_while(|c| is_spaced_letter(**c))
            .count();
        return (Kind::Word, length);
    }
    if is_hangul(c) {
        return (Kind::Word, 1);
    }
    (Kind::Mark(c), 1)
}

/// A number in Chinese numerals at the start, and its characters.
fn numeral(chars: &[char]) -> Option<(f64, usize)> {
    let (mut total, mut current, mut length, mut plain) = (0_u64, None::<u64>, 0, true);
    let mut digits = 0_u64;
    for c in chars.iter().take(12) {
        if let Some(digit) = "〇一二三四五六七八九".chars().position(|d| d == *c) {
            current = Some(digit as u64);
            digits = digits * 10 + digit as u64;
        } else if matches!(c, '两' | '兩') {
            current = Some(2);
            digits = digits * 10 + 2;
        } else if matches!(c, '零') && length > 0 {
            current = Some(0);
            digits *= 10;
        } else if let Some(scale) = match c {
            '十' => Some(10),
            '百' => Some(100),
            '千' => Some(1000),
            _ => None,
        } {
            total += current.unwrap_or(1) * scale;
            current = None;
            plain = false;
        } else {
            break;
        }
        length += 1;
    }
    let value = if plain {
        digits
    } else {
        total + current.unwrap_or(0)
    };
    (length > 0).then_some((value as f64, length))
}
