//! What a text tells in dates, clock times, durations, shares and counts, and whether another text tells it
//! too, in whatever notation or language.

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use crate::extract::Lexicon;
use crate::facts::{Amount, ClockTime, is_clear};
use crate::time::{Context, Day, Elapsed, Expression, Mention, Qualifier, Scan};

/// A fact that a text states and that can be looked up elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::check) struct Stated {
    /// What it states.
    pub(in crate::check) fact: StatedFact,
    /// The words, as they stand.
    pub(in crate::check) quote: String,
}

/// What is stated.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::check) enum StatedFact {
    /// A day with its year.
    Day(NaiveDate),
    /// A month and a day of it.
    DayOfYear(u32, u32),
    /// A year by itself.
    Year(i32),
    /// A time of day.
    Clock(ClockTime),
    /// An elapsed time.
    Elapsed(Elapsed),
    /// A share of a hundred.
    Percent(String),
    /// A number, with its unit of data where it has one.
    Number(String, Option<&'static str>),
}

/// What is known of the texts that are compared.
#[derive(Debug, Clone, Copy)]
pub(in crate::check) struct Around {
    /// The day of writing and the zone of times that name none.
    pub(in crate::check) context: Context,
    /// The day that zones are resolved on.
    pub(in crate::check) day: NaiveDate,
}

/// A text with its times and amounts, read once for what it states and for what it tells.
#[derive(Debug)]
pub(in crate::check) struct ReadText<'a> {
    text: &'a str,
    scan: Scan<'a>,
    amounts: Vec<Amount>,
}

impl<'a> ReadText<'a> {
    /// Reads a text in its language.
    pub(in crate::check) fn new(text: &'a str, language: &str, cx: &'a Lexicon) -> Self {
        let scan = cx.times.scan(text, language);
        let amounts = cx.facts.amounts(text, language, &scan);
        Self {
            text,
            scan,
            amounts,
        }
    }

    /// The text.
    pub(in crate::check) fn text(&self) -> &'a str {
        self.text
    }

    /// Its times.
    pub(in crate::check) fn scan(&self) -> &Scan<'a> {
        &self.scan
    }
}

/// The facts that a text states, each once. A single hour or day, weeks and years in words (`a day later`, `some
/// years`) and numbers below ten state too little to be looked up.
pub(in crate::check) fn stated(read: &ReadText, around: &Around) -> Vec<Stated> {
    let (text, scan) = (read.text, &read.scan);
    let mut out: Vec<(Range<usize>, StatedFact)> = Vec::new();
    for moment in scan.moments(&around.context) {
        out.push((
            moment.bytes.clone(),
            StatedFact::Clock(ClockTime::of(&moment)),
        ));
    }
    for mention in scan.mentions() {
        let bytes = &mention.bytes;
        match mention.expression {
            Expression::Day(range) => {
                for day in [Some(range.from), range.to].into_iter().flatten() {
                    let fact = day_stated(day, &around.context);
                    out.extend(fact.map(|fact| (bytes.clone(), fact)));
                }
            }
            Expression::Elapsed(elapsed) if is_telling(&elapsed, &text[bytes.clone()]) => {
                out.push((bytes.clone(), StatedFact::Elapsed(elapsed)));
            }
            _ => {}
        }
    }
    for amount in &read.amounts {
        let value: f64 = amount.number.parse().unwrap_or_default();
        let whole = !amount.number.contains('.');
        let fact = match amount.unit {
            None if amount.percent => StatedFact::Percent(amount.number.clone()),
            None if whole && amount.number.len() == 4 && is_year(value) => {
                StatedFact::Year(value as i32)
            }
            None if whole && value < 10.0 => continue,
            unit => StatedFact::Number(amount.number.clone(), unit),
        };
        out.push((amount.bytes.clone(), fact));
    }
    out.sort_by_key(|(bytes, _)| bytes.start);
    let mut stated: Vec<Stated> = Vec::new();
    for (bytes, fact) in out {
        let quote = text[bytes].trim().to_owned();
        if !stated.iter().any(|s| s.fact == fact) {
            stated.push(Stated { fact, quote });
        }
    }
    stated
}

fn day_stated(day: Day, context: &Context) -> Option<StatedFact> {
    match day {
        Day::Full(day) => Some(StatedFact::Day(day)),
        Day::NoYear(month, of_month) => Some(match context.written {
            Some(_) => StatedFact::Day(crate::time::resolve_day(day, context.written)?),
            None => StatedFact::DayOfYear(month, of_month),
        }),
        Day::Month(year, _) | Day::Year(year) => Some(StatedFact::Year(year)),
        _ => None,
    }
}

/// Units that a text says in a word and means loosely: `a minute`, `within the hour`, `the day after`.
const SINGLE: [f64; 4] = [1.0, 60.0, 3600.0, 86_400.0];

/// From a week on, words mean as little: `some weeks`, `a couple of years`.
const WEEK: f64 = 604_800.0;

fn is_telling(elapsed: &Elapsed, words: &str) -> bool {
    let in_digits = words.bytes().any(|b| b.is_ascii_digit());
    elapsed.max > 0.0 && (in_digits || elapsed.min < WEEK && !SINGLE.contains(&elapsed.min))
}

fn is_year(value: f64) -> bool {
    (1970.0..2100.0).contains(&value)
}

/// Everything that texts tell, to look facts up in.
#[derive(Debug, Clone, Default)]
pub(in crate::check) struct Telling {
    days: BTreeSet<NaiveDate>,
    days_of_year: BTreeSet<(u32, u32)>,
    years: BTreeSet<i32>,
    clocks: Vec<ClockTime>,
    elapsed: Vec<Elapsed>,
    percents: BTreeSet<String>,
    numbers: BTreeSet<String>,
    united: BTreeSet<(String, &'static str)>,
}

impl Telling {
    /// Adds what a text tells.
    pub(in crate::check) fn add(&mut self, read: &ReadText, around: &Around) {
        let (text, scan) = (read.text, &read.scan);
        for moment in scan.moments(&around.context) {
            let clock = ClockTime::of(&moment);
            if !self.clocks.contains(&clock) {
                self.clocks.push(clock);
            }
        }
        for mention in scan.mentions() {
            match mention.expression {
                Expression::Day(range) => {
                    let days = [Some(range.from), range.to].into_iter().flatten();
                    days.for_each(|day| self.add_day(day, &around.context));
                }
                Expression::Elapsed(elapsed) if !self.elapsed.contains(&elapsed) => {
                    self.elapsed.push(elapsed);
                }
                _ => {}
            }
        }
        // What is a share or a size is no count.
        let mut taken: Vec<Range<usize>> = Vec::new();
        for amount in &read.amounts {
            let (number, bytes) = (amount.number.clone(), amount.bytes.clone());
            match amount.unit {
                Some(unit) => {
                    self.united.insert((number, unit));
                    taken.push(bytes);
                }
                None if amount.percent => {
                    self.percents.insert(number);
                    taken.push(bytes);
                }
                None => self.add_number(number),
            }
        }
        let is_free = |bytes: &Range<usize>| is_clear(bytes, &taken, |t| t);
        for (bytes, value, unit) in scan.numbers() {
            if is_free(&bytes) {
                self.add_number(format!("{value}"));
            }
            // `3년` is a year of a date or three years; here both are told. A part of `4h 51m` is not.
            let part = |m: &Mention| {
                matches!(m.expression, Expression::Elapsed(_))
                    && m.bytes.start < bytes.end
                    && bytes.start < m.bytes.end
            };
            if let Some(unit) = unit.filter(|_| !scan.mentions().iter().any(part)) {
                self.elapsed.push(exact(value * unit));
            }
        }
        // Digits in words, addresses and identifiers: no fact of theirs, but a text may name them.
        for (start, digits) in runs_of_digits(text) {
            if digits.len() <= 15 && is_free(&(start..start + digits.len())) {
                self.add_number(digits.trim_start_matches('0').to_owned());
            }
        }
    }

    /// Adds a day that is known from elsewhere: the record's own, that of publication.
    pub(in crate::check) fn add_known_day(&mut self, day: NaiveDate) {
        self.days.insert(day);
        self.years.insert(day.year());
    }

    /// Adds a year that the texts are about.
    fn add_year(&mut self, year: i32) {
        self.years.insert(year);
    }

    fn add_day(&mut self, day: Day, context: &Context) {
        match day {
            Day::Full(day) => self.add_known_day(day),
            Day::Either(a, b) => [a, b].into_iter().for_each(|day| self.add_known_day(day)),
            Day::Month(year, _) | Day::Year(year) => self.add_year(year),
            Day::NoYear(month, of_month) => {
                self.days_of_year.insert((month, of_month));
                if let Some(day) = crate::time::resolve_day(day, context.written) {
                    self.days.insert(day);
                }
            }
            _ => {}
        }
    }

    fn add_number(&mut self, number: String) {
        if number.len() == 4
            && let Ok(year) = number.parse::<i32>()
            && is_year(f64::from(year))
        {
            self.years.insert(year);
        }
        self.numbers.insert(number);
    }

    /// Whether the texts tell a fact. `day` is the day that zones are resolved on.
    pub(in crate::check) fn tells(&self, fact: &StatedFact, day: NaiveDate) -> bool {
        match fact {
            StatedFact::Day(day) => {
                let in_year = self.years.is_empty() || self.years.contains(&day.year());
                let of_year = (day.month(), day.day());
                self.days.contains(day) || in_year && self.days_of_year.contains(&of_year)
            }
            StatedFact::DayOfYear(month, of_month) => {
                self.days_of_year.contains(&(*month, *of_month))
                    || self
                        .days
                        .iter()
                        .any(|d| (d.month(), d.day()) == (*month, *of_month))
            }
            StatedFact::Year(year) => self.years.contains(year),
            StatedFact::Clock(clock) => self.tells_clock(clock, day),
            StatedFact::Elapsed(elapsed) => self.elapsed.iter().any(|e| same_length(e, elapsed)),
            StatedFact::Percent(number) => {
                self.percents.contains(number) || self.numbers.contains(number)
            }
            StatedFact::Number(number, None) => {
                self.numbers.contains(number) || self.united.iter().any(|(n, _)| n == number)
            }
            StatedFact::Number(number, Some(unit)) => {
                self.united.contains(&(number.clone(), unit)) || self.numbers.contains(number)
            }
        }
    }

    /// A time without a zone tells one with any, unless the texts give that time a zone elsewhere.
    fn tells_clock(&self, clock: &ClockTime, day: NaiveDate) -> bool {
        let same: Vec<&ClockTime> = self
            .clocks
            .iter()
            .filter(|c| c.same_time(clock, day))
            .collect();
        let zoned = |c: &&ClockTime| c.zone.is_some();
        let shown = ClockTime {
            zone: None,
            ..*clock
        };
        let elsewhere = || {
            self.clocks
                .iter()
                .any(|c| c.zone.is_some() && c.agrees(&shown, day))
        };
        match clock.zone {
            Some(_) => same.iter().any(zoned) || !same.is_empty() && !elsewhere(),
            None => !same.is_empty(),
        }
    }

    /// Whether the texts state a length of so many seconds.
    pub(in crate::check) fn states_length(&self, seconds: f64) -> bool {
        let same = |e: &Elapsed| e.min <= seconds + 1.0 && seconds <= e.max + 1.0;
        self.elapsed.iter().any(same)
    }

    /// The clock times that the texts tell.
    pub(in crate::check) fn clocks(&self) -> &[ClockTime] {
        &self.clocks
    }
}

fn exact(seconds: f64) -> Elapsed {
    Elapsed {
        min: seconds,
        max: seconds,
        qualifier: Qualifier::Exact,
    }
}

/// Runs of ASCII digits with the byte at which each starts.
fn runs_of_digits(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(|c: char| c.is_ascii_digit())?;
        let rest = &text[start..];
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        at = start + length;
        Some((start, &rest[..length]))
    })
}

/// Two exact lengths may differ by rounding, half of a hundredth; a length that is said to be about so much, by a
/// tenth.
fn same_length(a: &Elapsed, b: &Elapsed) -> bool {
    let exact = [a, b].iter().all(|e| e.qualifier == Qualifier::Exact);
    let room = if exact { 0.005 } else { 0.1 };
    a.min <= b.max * (1.0 + room) && b.min <= a.max * (1.0 + room)
}
