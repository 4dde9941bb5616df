//! Numbers and shares of a text, in digits that every language reads alike.

use std::ops::Range;

use crate::vocabulary::{AmountWords, Language};

/// A number as a text writes it in digits.
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    /// Canonical digits, its scale worked in: `7000`, `1.5`, `1200000` for `1.2 million` and `120만`.
    pub number: String,
    /// It is a share of a hundred.
    pub percent: bool,
    /// The unit of data that stands behind it, in small letters: `gb`.
    pub unit: Option<&'static str>,
    /// Bytes of the text.
    pub bytes: Range<usize>,
}

/// The words of amounts of one language.
#[derive(Debug, Clone)]
pub(super) struct Words {
    pub(super) latin: bool,
    // The longest first.
    scales: Vec<(String, f64)>,
    percent: Vec<String>,
}

impl Words {
    pub(super) fn new(language: &Language, english: Option<&AmountWords>) -> Self {
        let own = &language.amounts;
        let mut scales: Vec<(String, f64)> =
            own.scales.iter().map(|(w, by)| (w.clone(), *by)).collect();
        scales.sort_by(|a, b| (b.0.len(), &a.0).cmp(&(a.0.len(), &b.0)));
        let mut percent = vec!["%".to_owned(), "％".to_owned()];
        percent.extend(
            english
                .into_iter()
                .chain([own])
                .flat_map(|w| w.percent.clone()),
        );
        Self {
            latin: language.script == "Latin",
            scales,
            percent,
        }
    }

    /// The scale that a text starts with, and what stands behind it.
    fn scale<'t>(&self, text: &'t str) -> Option<(f64, &'t str)> {
        let rest = text.trim_start_matches(BLANKS);
        self.scales.iter().find_map(|(word, by)| {
            let after = rest.strip_prefix(word.as_str())?;
            let whole = !self.spaced(word) || !after.starts_with(char::is_alphanumeric);
            whole.then_some((*by, after))
        })
    }

    /// Whether a word is set off by blanks, as words in alphabets are.
    fn spaced(&self, word: &str) -> bool {
        word.chars().next().is_some_and(|c| c < '\u{1100}')
    }

    /// What stands behind the word or sign for a hundredth.
    fn after_percent<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = text.trim_start_matches(BLANKS);
        let mut words = self.percent.iter();
        words.find_map(|word| rest.strip_prefix(word.as_str()))
    }
}

const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// Units of data and of rates of data, as texts write them behind a number.
const UNITS: [&str; 14] = [
    "kib", "mib", "gib", "tib", "kbps", "mbps", "gbps", "tbps", "kb", "mb", "gb", "tb", "pb", "qps",
];

/// Every number in digits that is no part of a word, a version, an address or an identifier.
pub(super) fn amounts<'t>(text: &'t str, words: &'t Words) -> impl Iterator<Item = Amount> + 't {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(|c: char| c.is_ascii_digit())?;
            let end = end_of_digits(text, start);
            at = end.max(start + 1);
            if is_joined_before(&text[..start]) {
                continue;
            }
            let Some(number) = canonical(&text[start..end]) else {
                continue;
            };
            let unit = unit_at(&text[end..]);
            if unit.is_none() && is_joined_after(&text[end..]) {
                continue;
            }
            let mut amount = Amount {
                number,
                percent: false,
                unit: unit.map(|(unit, _)| unit),
                bytes: start..end,
            };
            if let Some((_, rest)) = unit {
                amount.bytes.end = text.len() - rest.len();
            } else if let Some(rest) = words.after_percent(&text[end..]) {
                amount.percent = true;
                amount.bytes.end = text.len() - rest.len();
            } else if let Some((value, rest)) = scaled(&amount.number, &text[end..], words) {
                amount.number = in_digits(value);
                amount.bytes.end = text.len() - rest.len();
                if let Some(rest) = words.after_percent(rest) {
                    amount.percent = true;
                    amount.bytes.end = text.len() - rest.len();
                }
            }
            at = amount.bytes.end;
            return Some(amount);
        }
    })
}

fn end_of_digits(text: &str, start: usize) -> usize {
    let digits = |c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',');
    let length = text[start..].find(digits).unwrap_or(text.len() - start);
    start
        + text[start..start + length]
            .trim_end_matches(['.', ','])
            .len()
}

/// The value of a number with the scale behind it. Scales of Hangul and Han add up: `1만 2천`.
fn scaled<'t>(number: &str, after: &'t str, words: &Words) -> Option<(f64, &'t str)> {
    let value: f64 = number.parse().ok()?;
    let (by, mut rest) = words.scale(after)?;
    let (mut value, mut last) = (value * by, by);
    if words.latin {
        return (value < 1e15).then_some((value, rest));
    }
    loop {
        let next = rest.trim_start_matches(BLANKS);
        let end = end_of_digits(next, 0);
        if !next.starts_with(|c: char| c.is_ascii_digit()) {
            break;
        }
        let Some(more) = canonical(&next[..end]).and_then(|n| n.parse::<f64>().ok()) else {
            break;
        };
        let attached = next.len() == rest.len();
        match words.scale(&next[end..]) {
            Some((by, after)) if by < last => {
                (value, last, rest) = (value + more * by, by, after);
            }
            None if attached && more < last => (value, rest) = (value + more, &next[end..]),
            _ => break,
        }
    }
    (value < 1e15).then_some((value, rest))
}

fn in_digits(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The unit of data right behind a number or after a blank.
fn unit_at(text: &str) -> Option<(&'static str, &str)> {
    let rest = text.strip_prefix(BLANKS).unwrap_or(text);
    let length = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let word = &rest[..length];
    // `mb` is no unit; `MB`, `Mb`, `kB` are.
    let capital = word.bytes().any(|b| b.is_ascii_uppercase());
    let unit = UNITS.iter().find(|unit| word.eq_ignore_ascii_case(unit));
    unit.filter(|_| capital)
        .map(|unit| (*unit, &rest[length..]))
}

fn joins(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '-' | ':' | '#' | '@')
}

fn is_joined_before(before: &str) -> bool {
    let mut last = before.chars().rev();
    match last.next() {
        // The second of a range: `0.15%-0.25%`.
        Some('-') => !last.next().is_some_and(|c| c.is_ascii_digit() || c == '%'),
        Some(c) => joins(c) || c == '.',
        None => false,
    }
}

fn is_joined_after(after: &str) -> bool {
    let mut next = after.chars();
    match next.next() {
        Some('-') => !next.next().is_some_and(|c| c.is_ascii_digit()),
        Some(':') => next.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => joins(c),
        None => false,
    }
}

/// Digits with a full stop before the decimals and nothing between thousands. `None` for what is no number:
/// `1.2.3`. `7.000` is read as seven thousand, for three decimals are rarer.
fn canonical(text: &str) -> Option<String> {
    let mut groups = text.split(['.', ',']);
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let marks: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).collect();
    let thousands = |groups: &[&str]| groups.iter().all(|g| g.len() == 3) && first.len() <= 3;
    let whole = |groups: &[&str]| {
        let digits = format!("{first}{}", groups.concat());
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            "0".to_owned()
        } else {
            digits.to_owned()
        }
    };
    match (rest.as_slice(), marks.as_slice()) {
        ([], _) => Some(whole(&[])),
        (groups, marks)
            if thousands(groups) && marks.windows(2).all(|m| m[0] == m[1]) && first != "0" =>
        {
            Some(whole(groups))
        }
        ([decimals], _) => {
            let decimals = decimals.trim_end_matches('0');
            let whole = whole(&[]);
            Some(if decimals.is_empty() {
                whole
            } else {
                format!("{whole}.{decimals}")
            })
        }
        ([groups @ .., decimals], [marks @ .., last]) => {
            let same = thousands(groups) && marks.iter().all(|m| m != last);
            same.then(|| format!("{}.{}", whole(groups), decimals.trim_end_matches('0')))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, language: &str) -> Vec<String> {
        let languages = crate::vocabulary::builtin_languages();
        let words = Words::new(languages.find(language).unwrap(), None);
        let all = amounts(text, &words).map(|a| {
            let percent = if a.percent { "%" } else { "" };
            format!("{}{percent}{}", a.number, a.unit.unwrap_or_default())
        });
        all.collect()
    }

    #[test]
    fn a_scale_is_worked_in() {
        assert_eq!(
            told("1.2 million users, 7 thousand hosts", "en"),
            ["1200000", "7000"]
        );
        assert_eq!(
            told("사용자 120만 명, 호스트 7천 대", "ko"),
            ["1200000", "7000"]
        );
        assert_eq!(told("1만 2천 건, 3만5000건", "ko"), ["12000", "35000"]);
        assert_eq!(
            told("2,5 Millionen und 12 Prozent", "de"),
            ["2500000", "12%"]
        );
    }

    #[test]
    fn ranges_units_and_parts_of_words() {
        assert_eq!(
            told("0.15%-0.25% or 10-20 hosts", "en"),
            ["0.15%", "0.25%", "10", "20"]
        );
        assert_eq!(told("16GB, 16 GB, 3 mb", "en"), ["16gb", "16gb", "3"]);
        assert_eq!(
            told("us-east-1 IL-0535 v1.2.3 EC2 10:30 #42", "en"),
            [""; 0]
        );
        assert_eq!(told("about 500: none", "en"), ["500"]);
    }

    #[test]
    fn digits_are_canonical() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(canonical(text).as_deref(), expected, "{text}");
        };
        check("7,000", Some("7000"));
        check("7.000", Some("7000"));
        check("1,234,567", Some("1234567"));
        check("1,234.50", Some("1234.5"));
        check("1.234,5", Some("1234.5"));
        check("12.5", Some("12.5"));
        check("12,5", Some("12.5"));
        check("0.125", Some("0.125"));
        check("99.90", Some("99.9"));
        check("007", Some("7"));
        check("1.2.3", None);
    }
}
