//! Numbers and percentages, in digits that every language reads alike.

use super::{Fact, FactAt};

/// The percentages and the telling numbers of a text: three digits or more, or decimals. A number inside a
/// word, a version or an address is none, nor is a year.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = FactAt> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(|c: char| c.is_ascii_digit())?;
            let length = text[start..]
                .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','))
                .unwrap_or(text.len() - start);
            let end = start
                + text[start..start + length]
                    .trim_end_matches(['.', ','])
                    .len();
            at = start + length;
            let before = text[..start].chars().next_back();
            let after = text[end..].chars().next();
            let joined = |c: char| {
                c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '-' | ':' | '#' | '@')
            };
            if before.is_some_and(|c| joined(c) || c == '.') || after.is_some_and(joined) {
                continue;
            }
            let Some(number) = canonical(&text[start..end]) else {
                continue;
            };
            let rest = text[end..].trim_start_matches([' ', '\u{a0}', '\u{202f}']);
            let percent = [
                "%",
                "％",
                "percent",
                "per cent",
                "퍼센트",
                "パーセント",
                "Prozent",
                "persen",
            ]
            .iter()
            .find(|sign| rest.starts_with(**sign));
            if let Some(sign) = percent {
                let end = text.len() - rest.len() + sign.len();
                return Some(FactAt {
                    fact: Fact::Percent(number),
                    bytes: start..end,
                });
            }
            let digits = number.bytes().filter(u8::is_ascii_digit).count();
            let year = number.len() == 4 && (1970..2100).contains(&number.parse().unwrap_or(0));
            if !year && (digits >= 3 || number.contains('.')) {
                return Some(FactAt {
                    fact: Fact::Number(number),
                    bytes: start..end,
                });
            }
        }
    })
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
