//! Case ids: a prefix, a hyphen and at least four digits.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::Refused;

/// The id of a case, such as `IL-0535`. The number carries no meaning and is never reused.
///
/// Ordered by prefix, then by number, so that `IL-9999` comes before `IL-10000`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CaseId {
    text: String,
    hyphen: usize,
}

impl CaseId {
    /// The part before the hyphen, `IL` in `IL-0535`.
    pub fn prefix(&self) -> &str {
        &self.text[..self.hyphen]
    }

    /// The digits after the hyphen, `0535` in `IL-0535`.
    pub fn digits(&self) -> &str {
        &self.text[self.hyphen + 1..]
    }

    /// The whole id.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for CaseId {
    type Err = Refused;

    fn from_str(text: &str) -> Result<Self, Refused> {
        let refused = || Refused(format!("`{text}` is not a case id such as `IL-0535`"));
        let hyphen = text.find('-').ok_or_else(refused)?;
        let (prefix, digits) = (&text[..hyphen], &text[hyphen + 1..]);
        let prefix_ok = prefix.starts_with(|c: char| c.is_ascii_uppercase())
            && prefix.len() <= 16
            && prefix
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        let digits_ok =
            (4..=18).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        if prefix_ok && digits_ok {
            Ok(Self {
                text: text.to_owned(),
                hyphen,
            })
        } else {
            Err(refused())
        }
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Ord for CaseId {
    fn cmp(&self, other: &Self) -> Ordering {
        let number = |id: &Self| {
            let digits = id.digits().trim_start_matches('0');
            (digits.len(), digits.to_owned())
        };
        self.prefix()
            .cmp(other.prefix())
            .then_with(|| number(self).cmp(&number(other)))
            .then_with(|| self.text.cmp(&other.text))
    }
}

impl PartialOrd for CaseId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_a_prefix_and_four_digits_or_more() {
        for good in ["IL-0535", "IL-10000", "CASE2-0001"] {
            assert_eq!(good.parse::<CaseId>().unwrap().to_string(), good);
        }
        for bad in [
            "",
            "IL",
            "IL-",
            "IL-535",
            "il-0535",
            "IL-05a5",
            "IL_0535",
            " IL-0535",
            "-0535",
            "IL-0535 ",
            "IL-٠٥٣٥",
        ] {
            assert!(bad.parse::<CaseId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn sorts_by_number() {
        let id = |s: &str| s.parse::<CaseId>().unwrap();
        assert!(id("IL-9999") < id("IL-10000"));
        assert!(id("IL-0002") < id("IL-0010"));
        assert!(id("AA-9999") < id("IL-0001"));
    }
}
