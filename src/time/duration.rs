//! Elapsed times in words: `6h 52m`, `17시간 8분`, `1 hour and 5 minutes`, `PT4H51M`.

use crate::model::Duration;
use crate::vocabulary::Languages;

/// Reads a text that is one duration and nothing else, units largest first, each unit once. `None`
/// for anything else: a number without a unit, a range, a sentence.
pub fn parse_duration(text: &str, languages: &Languages) -> Option<Duration> {
    let text = text.trim().to_lowercase();
    if let Some(iso) = text.strip_prefix("pt").filter(|t| !t.contains(' ')) {
        return read_parts(iso, &[("h", 3600), ("m", 60), ("s", 1)]);
    }
    read_parts(&text, &unit_words(languages))
}

/// Unit words of every language with their seconds, longest first.
fn unit_words(languages: &Languages) -> Vec<(&str, u64)> {
    let mut words = Vec::new();
    for language in languages.iter() {
        let d = &language.duration;
        for (unit, seconds) in [
            (&d.day, 86_400),
            (&d.hour, 3600),
            (&d.minute, 60),
            (&d.second, 1),
        ] {
            words.extend(unit.iter().map(|word| (word.as_str(), seconds)));
        }
    }
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    words
}

fn read_parts(mut rest: &str, units: &[(&str, u64)]) -> Option<Duration> {
    let (mut total, mut smallest, mut parts) = (0_u64, u64::MAX, 0);
    loop {
        rest = rest.trim_start_matches([' ', ',', '\u{a0}']);
        if parts > 0 {
            rest = rest.strip_prefix("and ").unwrap_or(rest).trim_start();
        }
        if rest.is_empty() {
            break;
        }
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let number: u64 = rest[..digits].parse().ok()?;
        rest = rest[digits..].trim_start();
        let (word, seconds) = units.iter().find(|(word, _)| starts_word(rest, word))?;
        if *seconds >= smallest {
            return None;
        }
        smallest = *seconds;
        total = total.checked_add(number.checked_mul(*seconds)?)?;
        rest = &rest[word.len()..];
        parts += 1;
    }
    (parts > 0).then(|| Duration::from_seconds(total)).flatten()
}

/// `rest` starts with the unit `word`, and the word does not go on in Latin letters: `m` is not the
/// start of `months`.
fn starts_word(rest: &str, word: &str) -> bool {
    rest.strip_prefix(word)
        .is_some_and(|after| !(word.is_ascii() && after.starts_with(|c: char| c.is_alphabetic())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::builtin_languages;

    fn check(text: &str, expected: Option<&str>) {
        let read = parse_duration(text, &builtin_languages()).map(|d| d.to_string());
        assert_eq!(read.as_deref(), expected, "{text}");
    }

    #[test]
    fn units_in_both_languages() {
        check("6h 52m", Some("6h 52m"));
        check("17시간 8분", Some("17h 8m"));
        check("17 시간 8 분", Some("17h 8m"));
        check("1 hour and 5 minutes", Some("1h 5m"));
        check("2 days, 3 hours", Some("51h"));
        check("1h50m", Some("1h 50m"));
        check("389 minutes", Some("6h 29m"));
        check("45초", Some("45s"));
        check("3일 19시간", Some("91h"));
        check("PT4H51M", Some("4h 51m"));
        check("0m", Some("0m"));
        check("  90M ", Some("1h 30m"));
    }

    #[test]
    fn what_is_not_one_duration_is_not_read() {
        for text in [
            "",
            "5",
            "h",
            "5 months",
            "1h 2h",
            "5m 1h",
            "about",
            "5 to 6 minutes",
            "6h 52",
            "99999999999999999999h",
            "9999999999999h",
            "-5m",
            "5m/s",
        ] {
            check(text, None);
        }
    }
}
