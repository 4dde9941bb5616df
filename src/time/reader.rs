//! The reader of times: one for a library's languages, used for any number of texts.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use chrono::{DateTime, Datelike, FixedOffset, Months, NaiveDate};
use chrono_tz::Tz;

use crate::model::{CaseDate, Duration};
use crate::vocabulary::{Languages, TimeWords};

use super::cue::{CueReader, Cues};
use super::date::{Day, DayRange};
use super::duration::Elapsed;
use super::lexicon::{Lexicon, Meaning};
use super::moment::{Context, Moment, moments};
use super::number::number;
use super::resolve::resolve_day;
use super::scan::{Expression, Mention, scan};
use super::token::Tokens;
use super::zone::{Doubt, Instant, Zone};
use super::zone_name;

/// Finds times in text. Built once from the languages, whose words are compiled when first a text is in them.
#[derive(Debug, Clone)]
pub struct TimeReader {
    by_tag: BTreeMap<String, Compiled>,
    /// English, of which every language borrows.
    english: Compiled,
    cues: CueReader,
}

/// The words of a language, and what is made of them.
#[derive(Debug, Clone, Default)]
struct Compiled {
    words: TimeWords,
    lexicon: OnceLock<Lexicon>,
}

/// A text that was read for times.
#[derive(Debug)]
pub struct Scan<'l> {
    tokens: Tokens<'l>,
    mentions: Vec<Mention>,
}

/// A day with what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayAnswer {
    /// A day.
    Day(NaiveDate),
    /// A month of a year.
    Month(i32, u32),
    /// A year.
    Year(i32),
    /// A month and day whose year is not known.
    NoYear(u32, u32),
    /// From one day to another.
    Range(NaiveDate, NaiveDate),
    /// Month first or day first.
    Ambiguous(NaiveDate, NaiveDate),
}

/// An instant, a range of them, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeAnswer {
    /// One instant.
    At(DateTime<FixedOffset>),
    /// From one to another.
    Range(DateTime<FixedOffset>, DateTime<FixedOffset>),
    /// Several readings or none, with the reason.
    Ambiguous(Vec<DateTime<FixedOffset>>, Doubt),
}

impl TimeReader {
    /// Takes over the words of every language.
    pub fn new(languages: &Languages) -> Self {
        let compiled = |words: &TimeWords| Compiled {
            words: words.clone(),
            lexicon: OnceLock::new(),
        };
        let others = languages.iter().filter(|l| l.language != "en");
        let by_tag = others
            .map(|l| (l.language.clone(), compiled(&l.time)))
            .collect();
        let english = languages.find("en").map(|l| compiled(&l.time));
        Self {
            by_tag,
            english: english.unwrap_or_default(),
            cues: CueReader::new(languages),
        }
    }

    /// Reads a text in a language; English where the language has no data.
    pub fn scan(&self, text: &str, language: &str) -> Scan<'_> {
        let (tokens, mentions) = scan(text, self.lexicon(language));
        Scan { tokens, mentions }
    }

    /// The cue words of the languages.
    pub fn cues(&self) -> &CueReader {
        &self.cues
    }

    fn lexicon(&self, language: &str) -> &Lexicon {
        let primary = language.split('-').next().unwrap_or(language);
        let english = &self.english;
        match self.by_tag.get(primary) {
            Some(own) => own
                .lexicon
                .get_or_init(|| Lexicon::new(primary, &own.words, Some(&english.words))),
            None => english
                .lexicon
                .get_or_init(|| Lexicon::new("en", &english.words, None)),
        }
    }

    /// Every full day (year, month and day of the month) of a text in any of the languages, with its
    /// bytes. A day whose order of numbers is open (`03/04/2021`) is not among them.
    pub fn days(&self, text: &str) -> Vec<(Range<usize>, CaseDate)> {
        if !text.contains(|c: char| c.is_ascii_digit()) {
            return Vec::new();
        }
        // A place that two languages read as different days is ambiguous.
        let mut found: Vec<(Range<usize>, Option<CaseDate>)> = Vec::new();
        for lexicon in self.sorted() {
            let (_, mentions) = scan(text, lexicon);
            for mention in mentions {
                match mention.expression {
                    Expression::Day(DayRange {
                        from: Day::Full(day),
                        to: None,
                    }) => {
                        let date = CaseDate::from_ymd(day.year(), day.month(), day.day());
                        found.push((mention.bytes, date));
                    }
                    Expression::Day(DayRange {
                        from: Day::Either(..),
                        ..
                    }) => found.push((mention.bytes, None)),
                    _ => {}
                }
            }
        }
        found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut out: Vec<(Range<usize>, Option<CaseDate>)> = Vec::new();
        for (range, date) in found {
            match out.last_mut() {
                Some((last, kept)) if *last == range => {
                    if *kept != date {
                        *kept = None;
                    }
                }
                Some((last, _)) if range.start < last.end => {}
                _ => out.push((range, date)),
            }
        }
        out.into_iter()
            .filter_map(|(range, date)| Some((range, date?)))
            .collect()
    }

    /// Reads a text that is one full day and nothing else.
    pub fn day_only(&self, text: &str) -> Option<CaseDate> {
        let text = text.trim();
        match self.days(text).as_slice() {
            [(range, date)] if *range == (0..text.len()) => Some(*date),
            _ => None,
        }
    }

    /// Reads a text that is one exact duration and nothing else, in any of the languages.
    pub fn duration_only(&self, text: &str) -> Option<Duration> {
        let text = text.trim();
        self.sorted().find_map(|lexicon| {
            let (_, mentions) = scan(text, lexicon);
            let [mention] = mentions.as_slice() else {
                return None;
            };
            let Expression::Elapsed(elapsed) = mention.expression else {
                return None;
            };
            let whole = mention.bytes == (0..text.len()) && elapsed.is_exact();
            whole
                .then(|| Duration::from_seconds(elapsed.min.round() as u64))
                .flatten()
        })
    }

    /// The lexicons, English first.
    fn sorted(&self) -> impl Iterator<Item = &Lexicon> {
        let others = self.by_tag.keys().map(|tag| self.lexicon(tag));
        std::iter::once(self.lexicon("en")).chain(others)
    }

    /// The zone that a text names and nothing else.
    pub fn zone_only(&self, text: &str, language: &str) -> Option<Zone> {
        let text = text.trim().trim_start_matches('(').trim_end_matches(')');
        if let Some(zone) = Zone::from_abbreviation(text).or_else(|| Zone::from_iana(text)) {
            return Some(zone);
        }
        if text.eq_ignore_ascii_case("zulu") {
            return Some(Zone::UTC);
        }
        let own = std::iter::once(self.lexicon(language));
        own.chain(self.sorted()).find_map(|lexicon| {
            let tokens = Tokens::new(text, lexicon);
            let found =
                zone_name::zone_at(&tokens, 0).or_else(|| zone_name::numeric_zone(&tokens, 0));
            found
                .filter(|(_, end)| *end == tokens.all.len())
                .map(|(zone, _)| zone)
        })
    }
}

impl Elapsed {
    /// Whether it is one amount, said without "about" or "more than".
    pub fn is_exact(&self) -> bool {
        self.min == self.max && self.qualifier == super::Qualifier::Exact
    }
}

/// Days that belong to one story are no further apart.
const NEAR_DAYS: i64 = 21;

impl Scan<'_> {
    pub(super) fn tokens(&self) -> &Tokens<'_> {
        &self.tokens
    }

    /// The mentions in order.
    pub fn mentions(&self) -> &[Mention] {
        &self.mentions
    }

    /// Settles days whose order of numbers is open (`03/10/2021`) by days that are known: the reading near one of
    /// them, where the other is near none. `known` is in order.
    pub fn settle_days(&mut self, known: &[NaiveDate]) {
        let near = |day: NaiveDate| {
            let at = known.partition_point(|k| *k < day);
            let beside = &known[at.saturating_sub(1)..known.len().min(at + 1)];
            beside
                .iter()
                .any(|k| (*k - day).num_days().abs() <= NEAR_DAYS)
        };
        let settle = |day: &mut Day| {
            if let Day::Either(a, b) = *day {
                match (near(a), near(b)) {
                    (true, false) => *day = Day::Full(a),
                    (false, true) => *day = Day::Full(b),
                    _ => {}
                }
            }
        };
        for mention in &mut self.mentions {
            if let Expression::Day(range) = &mut mention.expression {
                settle(&mut range.from);
                range.to.iter_mut().for_each(settle);
            }
        }
    }

    /// Every number of the text, in digits or in words, with its bytes, and the seconds of the unit of time behind it,
    /// where one is.
    pub fn numbers(&self) -> Vec<(Range<usize>, f64, Option<f64>)> {
        let (mut out, mut at) = (Vec::new(), 0);
        while at < self.tokens.all.len() {
            match number(&self.tokens, at) {
                Some(found) if found.end > at => {
                    let unit = self.tokens.find(found.end, |meaning| match meaning {
                        Meaning::Unit(unit) => Some(unit.seconds()),
                        _ => None,
                    });
                    out.push((self.tokens.bytes(at, found.end), found.value, unit));
                    at = found.end;
                }
                _ => at += 1,
            }
        }
        out
    }

    /// The durations in order.
    pub fn durations(&self) -> impl Iterator<Item = (Range<usize>, Elapsed)> {
        self.mentions.iter().filter_map(|m| match m.expression {
            Expression::Elapsed(elapsed) => Some((m.bytes.clone(), elapsed)),
            _ => None,
        })
    }

    /// The days in order; of a range its first.
    pub fn days(&self) -> impl Iterator<Item = (Range<usize>, Day)> {
        self.mentions.iter().filter_map(|m| match m.expression {
            Expression::Day(range) => Some((m.bytes.clone(), range.from)),
            _ => None,
        })
    }

    /// The clock times with their days and zones.
    pub fn moments(&self, context: &Context) -> Vec<Moment> {
        moments(&self.tokens, &self.mentions, context)
    }

    /// For each moment of this text the cue words of its clause.
    pub fn cues_of(&self, moments: &[Moment], reader: &TimeReader, language: &str) -> Vec<Cues> {
        super::span::clauses(self, moments, reader, language)
    }

    /// The first day of the text, as far as it is known on the day of writing. `None` where the
    /// text tells none, or one that does not exist.
    pub fn first_day(&self, written: Option<NaiveDate>) -> Option<DayAnswer> {
        let range = self.mentions.iter().find_map(|m| match m.expression {
            Expression::Day(range) => Some(range),
            _ => None,
        })?;
        answer_day(range, written)
    }

    /// The first time or range of times.
    pub fn first_time(&self, context: &Context) -> Option<TimeAnswer> {
        let all = self.moments(context);
        let Some(first) = all.first() else {
            let part = self
                .mentions
                .iter()
                .any(|m| m.expression == Expression::PartOfDay);
            return part.then_some(TimeAnswer::Ambiguous(Vec::new(), Doubt::PartOfDay));
        };
        let pair = (all.len() == 2 || first.to_next)
            .then(|| all.get(1))
            .flatten();
        Some(match (&first.instant, pair.map(|m| &m.instant)) {
            (Instant::At(a), None) => TimeAnswer::At(*a),
            (Instant::At(a), Some(Instant::At(b))) => TimeAnswer::Range(*a, *b),
            (Instant::Ambiguous(all, doubt), _) | (_, Some(Instant::Ambiguous(all, doubt))) => {
                TimeAnswer::Ambiguous(all.clone(), *doubt)
            }
        })
    }
}

fn answer_day(range: DayRange, written: Option<NaiveDate>) -> Option<DayAnswer> {
    if let Some(to) = range.to {
        let (from, to) = (resolve_day(range.from, written)?, resolve_day(to, written)?);
        return Some(DayAnswer::Range(from, to));
    }
    let month = |offset: i32| {
        let by = Months::new(offset.unsigned_abs());
        let written = written?;
        if offset < 0 {
            written.checked_sub_months(by)
        } else {
            written.checked_add_months(by)
        }
    };
    match range.from {
        Day::Either(a, b) => Some(DayAnswer::Ambiguous(a, b)),
        Day::Month(year, month) => Some(DayAnswer::Month(year, month)),
        Day::Year(year) => Some(DayAnswer::Year(year)),
        Day::RelativeMonth(n) => month(n).map(|m| DayAnswer::Month(m.year(), m.month())),
        Day::RelativeYear(n) => written.map(|w| DayAnswer::Year(w.year() + n)),
        Day::NoYear(month, day) if written.is_none() => Some(DayAnswer::NoYear(month, day)),
        day => resolve_day(day, written).map(DayAnswer::Day),
    }
}

/// A zone of the IANA database by name.
pub fn iana_zone(name: &str) -> Option<Tz> {
    name.parse().ok()
}
