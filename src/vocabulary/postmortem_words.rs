//! The words that postmortems of one language are read by: headings of sections, cue words of a story.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a section of a postmortem tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SectionKind {
    /// What happened, in short.
    Summary,
    /// Who and what was affected.
    Impact,
    /// Events in order.
    Timeline,
    /// Why it happened.
    RootCause,
    /// What set it off.
    Trigger,
    /// How it was noticed.
    Detection,
    /// How it was ended.
    Resolution,
    /// What is to be done.
    ActionItems,
    /// What was learned.
    Lessons,
    /// What made it worse.
    Contributing,
}

/// What a word beside a time says of it. Words are stems: they match at the start of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cue {
    /// Something began.
    Start,
    /// Users were affected.
    Impact,
    /// Someone or something noticed.
    Detected,
    /// It was over.
    Resolved,
    /// It is being ended, and not yet over: what stands in such words is no [`Cue::Resolved`].
    Ongoing,
    /// A change that may have set it off.
    Trigger,
    /// Work after the end.
    Backlog,
    /// The cause was searched or found.
    Cause,
    /// The time is not known.
    Unknown,
    /// All of it: a recovery that is the last one.
    Full,
}

/// What a label or turn of phrase outside of sections says. Words are in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageLabel {
    /// Asks readers at the end of an article to subscribe, follow, register or pay.
    Appeal,
    /// Heading or start of what stands after or beside an article: related posts, comments, shares.
    Beside,
    /// Says in a title that the page tells of an incident.
    Incident,
    /// Says in a title that an interruption was announced beforehand.
    Maintenance,
    /// Is said by what a site shows instead of a page: a check of the browser, a login, an error.
    Wall,
    /// Starts a line with the day of publication.
    Published,
    /// Stands before the day of an update.
    Updated,
    /// Says in the sentence before a list that it is of what is to be done.
    Promise,
    /// Starts a line with a day that may be that of publication.
    Dated,
    /// Label of the severity.
    Severity,
    /// Label of the length of the whole incident.
    Length,
    /// Stands before a length in a sentence: "an outage lasting".
    Lasting,
    /// Says that one zone holds for all times of the page.
    Zone,
}

/// The words of one language for reading postmortems.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PostmortemWords {
    /// How pages write the headings of sections.
    pub headings: BTreeMap<SectionKind, Vec<String>>,
    /// Labels and turns of phrase.
    pub labels: BTreeMap<PageLabel, Vec<String>>,
    /// Words that say what a time is.
    pub cues: BTreeMap<Cue, Vec<String>>,
}
