//! Language tags.

use std::fmt;
use std::str::FromStr;

use super::Refused;

/// A language tag in the common shape of BCP 47: `en`, `ko`, `pt-BR`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageTag(String);

impl LanguageTag {
    /// The tag as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The tag without its region or script: `pt` of `pt-BR`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }
}

impl FromStr for LanguageTag {
    type Err = Refused;

    fn from_str(text: &str) -> Result<Self, Refused> {
        let mut parts = text.split('-');
        let primary = parts.next().unwrap_or_default();
        let primary_ok =
            (2..=3).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_lowercase());
        let rest_ok = parts
            .all(|p| (2..=8).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_alphanumeric()));
        if primary_ok && rest_ok && text.len() <= 35 {
            Ok(Self(text.to_owned()))
        } else {
            Err(Refused(format!(
                "`{text}` is not a language tag such as `en` or `pt-BR`"
            )))
        }
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
