//! The words that tell of time in one language: numbers, units, months, parts of the day, zones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How the numbers of a day stand in `03/04/2021`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DayOrder {
    /// `30/07/2024`.
    DayFirst,
    /// `7/30/2024`; what both readings allow stays ambiguous.
    #[default]
    MonthFirst,
    /// `2024/7/30`.
    YearFirst,
}

/// A unit of elapsed time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A thousandth of a second.
    Millisecond,
    /// The second.
    Second,
    /// 60 seconds.
    Minute,
    /// 60 minutes.
    Hour,
    /// 24 hours.
    Day,
    /// Seven days.
    Week,
    /// Thirty days.
    Month,
    /// 365 days.
    Year,
}

impl Unit {
    /// Its length in seconds.
    pub fn seconds(self) -> f64 {
        match self {
            Self::Millisecond => 0.001,
            Self::Second => 1.0,
            Self::Minute => 60.0,
            Self::Hour => 3600.0,
            Self::Day => 86_400.0,
            Self::Week => 604_800.0,
            Self::Month => 2_592_000.0,
            Self::Year => 31_536_000.0,
        }
    }
}

/// A part of the day, which says which half of the day an hour lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DayPart {
    /// Before noon.
    Am,
    /// After noon.
    Pm,
    /// The hours before sunrise.
    Dawn,
    /// The morning.
    Morning,
    /// Around and after noon.
    Afternoon,
    /// The evening.
    Evening,
    /// Late evening and the hours after midnight.
    Night,
    /// 12:00.
    Noon,
    /// 0:00.
    Midnight,
}

/// A mark after a number of a clock time or a day: `시`, `時`, `Uhr`; `년`, `月`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockMark {
    /// After the hour.
    Hour,
    /// After the minute.
    Minute,
    /// After the second.
    Second,
}

/// A mark after the year, month or day of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateMark {
    /// After the year.
    Year,
    /// After the month.
    Month,
    /// After the day of the month.
    Day,
}

/// What a word without a value of its own does beside dates, times and durations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WordClass {
    /// Joins parts: `and`.
    And,
    /// Half of the unit that follows: `half an`.
    Half,
    /// A half more: `and a half`.
    AndHalf,
    /// About, before the amount.
    Approx,
    /// Less than, before the amount.
    Less,
    /// More than, before the amount.
    More,
    /// At least, before the amount.
    AtLeast,
    /// At most, before the amount.
    AtMost,
    /// About, after the amount.
    ApproxAfter,
    /// Less than, after the amount.
    LessAfter,
    /// More than, after the amount.
    MoreAfter,
    /// At least, after the amount.
    AtLeastAfter,
    /// At most, after the amount.
    AtMostAfter,
    /// An amount that no one can count: `several`.
    Vague,
    /// Makes a rate of what follows: `per`.
    Per,
    /// Counts back from today, after the amount: `ago`.
    Ago,
    /// Counts back from today, before the amount: `vor`.
    AgoBefore,
    /// Starts a range.
    From,
    /// Joins the ends of a range.
    To,
    /// Ends a range: `까지`.
    Until,
    /// What follows is a clock time: `at`.
    At,
    /// What follows is an elapsed time: `lasted`.
    Lasting,
    /// The one before this: `last` Monday.
    Last,
    /// This one, or the preposition of a weekday.
    This,
    /// A part of a month or year: `mid-`.
    Early,
    /// The week that starts on the day that follows.
    Week,
    /// Stands before a lone day of the month: `the` 25th.
    Article,
    /// Ending of a day of the month: `th`.
    Ending,
    /// Stands between the parts of a date: `of`.
    Join,
    /// Stands before a lone year: `during`.
    YearCue,
}

/// The words of time of one language.
///
/// Words are compared without case and accents; a longer phrase wins over a shorter one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimeWords {
    /// Order of the numbers of a day.
    pub order: DayOrder,
    /// Number words with their values.
    pub numbers: BTreeMap<String, f64>,
    /// Words that multiply the number before them; a negative value is added instead.
    pub scales: BTreeMap<String, f64>,
    /// Units of elapsed time.
    pub units: BTreeMap<Unit, Vec<String>>,
    /// Words that are a whole duration, in seconds.
    pub fixed: BTreeMap<String, f64>,
    /// Names of the twelve months; empty where months are numbers.
    pub months: Vec<Vec<String>>,
    /// Names of the days of the week, Monday first.
    pub weekdays: Vec<Vec<String>>,
    /// Days counted from the day of writing.
    pub relative_days: BTreeMap<String, i32>,
    /// Months counted from the month of writing.
    pub relative_months: BTreeMap<String, i32>,
    /// Years counted from the year of writing.
    pub relative_years: BTreeMap<String, i32>,
    /// Eras with the year before their first.
    pub eras: BTreeMap<String, i32>,
    /// Quarters of an hour after the hour, in minutes.
    pub clock_quarters: BTreeMap<String, u32>,
    /// Zone names with an IANA zone, `@standard` or `@daylight` where the name says so; `local` for
    /// "local time".
    pub zones: BTreeMap<String, String>,
    /// Marks of a clock time.
    pub clock: BTreeMap<ClockMark, Vec<String>>,
    /// Marks of a date.
    pub dates: BTreeMap<DateMark, Vec<String>>,
    /// Parts of the day.
    pub day_parts: BTreeMap<DayPart, Vec<String>>,
    /// Words by what they do.
    pub words: BTreeMap<WordClass, Vec<String>>,
    /// Words that hold a unit or number and tell of no time.
    pub traps: Vec<String>,
}
