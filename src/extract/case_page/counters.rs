//! Counters of list items that a page writes into their text: `1 Restarted`, `2. Added a disk`.

use crate::extract::Claim;

/// Takes the counters off the steps of a field. They are counters only when every item has one and
/// they count up by one from 0 or 1; a lone step may well start with a number.
pub(super) fn strip(claims: &mut [Claim], field: &str) {
    let mut steps: Vec<&mut Claim> = claims
        .iter_mut()
        .filter(|c| c.pointer.field() == field)
        .collect();
    let counters: Option<Vec<(usize, usize)>> =
        steps.iter().map(|c| counter(c.value.as_str()?)).collect();
    let Some(counters) = counters.filter(|c| c.len() > 1 && c[0].0 <= 1) else {
        return;
    };
    let counts_up = counters
        .iter()
        .zip(counters[0].0..)
        .all(|((n, _), i)| *n == i);
    if !counts_up {
        return;
    }
    for (claim, (_, length)) in steps.iter_mut().zip(counters) {
        if let Some(text) = claim.value.as_str() {
            claim.value = text[length..].into();
        }
    }
}

/// The number that a text starts with, and the bytes up to the text after it.
fn counter(text: &str) -> Option<(usize, usize)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let number = text[..digits].parse().ok().filter(|_| digits <= 3)?;
    let rest = text[digits..]
        .strip_prefix(['.', ')'])
        .unwrap_or(&text[digits..]);
    let after = rest.trim_start();
    let separated = after.len() < rest.len() && !after.is_empty();
    separated.then(|| (number, text.len() - after.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_as_a_counter() {
        assert_eq!(counter("1 Restarted"), Some((1, 2)));
        assert_eq!(counter("12. Added"), Some((12, 4)));
        for none in ["10:07 AM", "3.5 hours", "2024 saw", "1", "x 1", "1.Added"] {
            assert_eq!(counter(none), None, "{none}");
        }
    }
}
