//! JSON pointers (RFC 6901).

use std::fmt;

/// The place of a value in a JSON document, `/sources/0/url`; empty for the whole document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pointer(String);

impl Pointer {
    /// Takes a pointer that is already in its written form.
    pub fn new(written: impl Into<String>) -> Self {
        Self(written.into())
    }

    /// The pointer to a member or item of the value this one points to.
    #[must_use]
    pub fn child(&self, token: impl fmt::Display) -> Self {
        let token = token.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{token}", self.0))
    }

    /// The written form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pointer to the value that holds this one; `None` for the document itself.
    pub fn parent(&self) -> Option<Self> {
        let (parent, _) = self.0.rsplit_once('/')?;
        Some(Self(parent.to_owned()))
    }

    /// The steps from the document down, unescaped.
    pub fn tokens(&self) -> impl Iterator<Item = String> {
        self.0
            .split('/')
            .skip(1)
            .map(|token| token.replace("~1", "/").replace("~0", "~"))
    }

    /// The name of the top-level member this points into; empty for the document itself.
    pub fn field(&self) -> String {
        self.tokens().next().unwrap_or_default()
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
