//! Durations of a timeline in their one canonical form.

use std::fmt;
use std::str::FromStr;

use super::Refused;

/// An elapsed time in whole seconds, counted from the start of the impact.
///
/// Canonical form: `6h 52m`, `33m`, `48h`, `1m 30s`; largest unit first, hours unbounded, no zero
/// parts, single spaces. An instant is `0m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

/// A hundred years: more is a misread number, and everything below adds up without overflow.
const LONGEST_SECONDS: u64 = 100 * 366 * 24 * 3600;

impl Duration {
    /// A duration of so many seconds; `None` beyond a hundred years.
    pub fn from_seconds(seconds: u64) -> Option<Self> {
        (seconds <= LONGEST_SECONDS).then_some(Self(seconds))
    }

    /// The whole length in seconds.
    pub fn seconds(self) -> u64 {
        self.0
    }
}

impl FromStr for Duration {
    type Err = Refused;

    /// Accepts the canonical form only; other notations are read by [`crate::time::TimeReader::duration_only`].
    fn from_str(text: &str) -> Result<Self, Refused> {
        let refused = || {
            Refused(format!(
                "`{text}` is not a duration in the form `6h 52m`, `33m` or `1m 30s`"
            ))
        };
        let mut seconds: u64 = 0;
        for part in text.split(' ') {
            let (digits, factor) = match part.as_bytes().last() {
                Some(b'h') => (&part[..part.len() - 1], 3600),
                Some(b'm') => (&part[..part.len() - 1], 60),
                Some(b's') => (&part[..part.len() - 1], 1),
                _ => return Err(refused()),
            };
            let number: u64 = digits.parse().map_err(|_| refused())?;
            seconds = number
                .checked_mul(factor)
                .and_then(|s| seconds.checked_add(s))
                .ok_or_else(refused)?;
        }
        let duration = Self::from_seconds(seconds).ok_or_else(refused)?;
        if duration.to_string() == text {
            Ok(duration)
        } else {
            Err(refused())
        }
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.0 / 3600, 'h'),
            (self.0 / 60 % 60, 'm'),
            (self.0 % 60, 's'),
        ];
        let mut first = true;
        for (number, unit) in parts {
            if number > 0 {
                if !first {
                    f.write_str(" ")?;
                }
                write!(f, "{number}{unit}")?;
                first = false;
            }
        }
        if first { f.write_str("0m") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_forms_round_trip() {
        for (text, seconds) in [
            ("6h 52m", 24_720),
            ("33m", 1980),
            ("48h", 172_800),
            ("1m 30s", 90),
            ("0m", 0),
            ("100h 1s", 360_001),
        ] {
            let duration: Duration = text.parse().unwrap();
            assert_eq!(duration.seconds(), seconds, "{text}");
            assert_eq!(duration.to_string(), text);
        }
    }

    #[test]
    fn every_other_form_is_refused() {
        for bad in [
            "",
            "90m",
            "1h 0m",
            "0h 5m",
            "5m 1h",
            "1h  5m",
            "1h5m",
            "1d",
            "1 h",
            "-5m",
            "+5m",
            "05m",
            "6h 52m ",
            "99999999999999999999h",
            "18446744073709551615s",
        ] {
            assert!(bad.parse::<Duration>().is_err(), "{bad}");
        }
    }
}
