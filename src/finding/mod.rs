//! What a check has to say: which rule, how bad, where, what, and what to do.

mod locate;
mod pointer;

pub use locate::{Located, Places, Position, locate, position_of};
pub use pointer::Pointer;

use serde::Serialize;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The record is wrong; the run fails.
    Error,
    /// Probably wrong; a person should look.
    Warning,
    /// Worth knowing.
    Note,
}

impl Level {
    /// Whether a finding of this level fails a run; a strict one fails on warnings too.
    pub fn fails(self, strict: bool) -> bool {
        self == Self::Error || (strict && self == Self::Warning)
    }

    /// The word for this level in output and settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Where in a file a finding points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The whole file.
    File,
    /// The value at this pointer of a JSON file, or its nearest ancestor that exists.
    Value(Pointer),
    /// The key of the member at this pointer.
    Key(Pointer),
    /// These bytes of the file.
    Bytes(std::ops::Range<usize>),
}

impl Place {
    /// The JSON pointer, where the place has one.
    pub fn pointer(&self) -> Option<&Pointer> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => Some(pointer),
            Self::File | Self::Bytes(_) => None,
        }
    }
}

/// One thing that is wrong or missing, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule, `unknown-term`.
    pub rule: &'static str,
    /// How much it matters.
    pub level: Level,
    /// The file, relative to the library, with `/` between folders.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// Line and column of the place, once they are known.
    pub position: Option<Position>,
    /// Where the value or key ends that the place names, once that is known.
    pub end: Option<Position>,
    /// One sentence: the value, and what would have been right.
    pub message: String,
    /// The edit or the command that mends it.
    pub help: Option<String>,
    /// The words inside the value that are meant, as they stand there; without it the whole value is.
    pub quote: Option<String>,
}

impl Finding {
    /// A finding about a whole file.
    pub fn new(
        rule: &'static str,
        level: Level,
        file: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            level,
            file: file.into(),
            place: Place::File,
            position: None,
            end: None,
            message: message.into(),
            help: None,
            quote: None,
        }
    }

    /// The same finding at a place inside the file.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// The same finding with what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Fills in line and column from the text of the file.
    pub fn locate_in(&mut self, text: &str) {
        let located = self.place.pointer().and_then(|p| locate(text, p));
        self.set_position(text, located.as_ref());
    }

    /// Fills in line and column of many findings in one file.
    pub fn locate_all(findings: &mut [Self], text: &str) {
        match findings {
            [] => {}
            [only] => only.locate_in(text),
            many => {
                let places = Places::of(text);
                for finding in many {
                    let located = finding.place.pointer().and_then(|p| places.find(p));
                    finding.set_position(text, located);
                }
            }
        }
    }

    fn set_position(&mut self, text: &str, located: Option<&Located>) {
        let range = match &self.place {
            Place::File => None,
            Place::Bytes(range) => Some(range.clone()),
            Place::Value(_) => located.map(|found| found.value.clone()),
            Place::Key(_) => located.map(|f| f.key.as_ref().unwrap_or(&f.value).clone()),
        };
        if let (None, Some(mut range)) = (self.position, range) {
            let value = text.get(range.clone()).unwrap_or_default();
            let quoted = self
                .quote
                .as_deref()
                .and_then(|q| Some((value.find(q)?, q)));
            if let Some((at, quote)) = quoted {
                range = range.start + at..range.start + at + quote.len();
            }
            self.position = Some(position_of(text, range.start));
            self.end = Some(position_of(text, range.end));
        }
    }

    /// The order in which findings are shown: file, place, rule, message.
    pub fn sort_key(&self) -> (&str, Option<Position>, &'static str, &str) {
        (&self.file, self.position, self.rule, &self.message)
    }
}

/// A text as messages and tables show it: after so many characters it is cut, with a mark that it goes on.
pub fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
