//! Clock times with their day and zone: what stands beside them, what is carried on from before,
//! and what is missing to make an instant of them.

use std::ops::Range;

use chrono::{DateTime, Datelike, Days, FixedOffset, Months, NaiveDate, NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use crate::vocabulary::{DayPart, WordClass as W};

use super::clock::Clock;
use super::date::Day;
use super::resolve::{resolve_day, shift};
use super::scan::{Expression, Mention};
use super::token::Tokens;
use super::zone::{Doubt, Instant, Zone};

/// What is known before a text is read.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Context {
    /// The day of writing: publication, or the day the page was saved.
    pub written: Option<NaiveDate>,
    /// The day that times without one belong to.
    pub day: Option<NaiveDate>,
    /// The zone of times that name none.
    pub zone: Option<Zone>,
    /// Where the page is from, for abbreviations that several zones share.
    pub hint: Option<Tz>,
}

/// A clock time of a text with its day and zone.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Bytes of the text.
    pub bytes: Range<usize>,
    /// Its day, where one is known.
    pub day: Option<NaiveDate>,
    /// The day stands beside it, or was carried on from one that does.
    pub day_told: bool,
    /// Its time on that day.
    pub time: NaiveTime,
    /// Its zone, where one is known.
    pub zone: Option<Zone>,
    /// The instant, or why there is none.
    pub instant: Instant,
    /// The next moment is the end of a range that this one starts.
    pub to_next: bool,
    /// It ends something whose start is not told: "until 10:45".
    pub until: bool,
    pub(super) first: usize,
    pub(super) end: usize,
}

impl Moment {
    /// The instant, when there is one.
    pub fn at(&self) -> Option<DateTime<FixedOffset>> {
        match self.instant {
            Instant::At(at) => Some(at),
            Instant::Ambiguous(..) => None,
        }
    }

    /// The local time, when the day is known.
    pub fn local(&self) -> Option<NaiveDateTime> {
        self.day.map(|day| day.and_time(self.time))
    }
}

/// Whether "until" stands before a time: a word that does not also say where something goes.
fn ends_something(t: &Tokens, first: usize) -> bool {
    let until = |i: usize| {
        let short = t.text(i).len() <= 2 && t.text(i).iter().all(char::is_ascii);
        (t.is(i, W::Until) || t.is(i, W::To)) && !short && t.mark(i).is_none()
    };
    let mut before = (first.saturating_sub(3)..first).rev();
    before
        .find(|i| !(t.is(*i, W::Approx) || t.is(*i, W::At) || t.is(*i, W::Article)))
        .is_some_and(until)
}

/// The moments of a scanned text.
pub(super) fn moments(t: &Tokens, mentions: &[Mention], context: &Context) -> Vec<Moment> {
    let mut reader = Reader {
        t,
        mentions,
        context,
        carried: context.day,
        told: false,
        anchor: context.day,
        previous: None,
    };
    let mut out: Vec<Moment> = Vec::new();
    let clocks: Vec<(usize, Clock)> = mentions
        .iter()
        .enumerate()
        .filter_map(|(at, m)| match m.expression {
            Expression::Clock(clock) => Some((at, clock)),
            _ => None,
        })
        .collect();
    let mut values: Vec<Clock> = clocks.iter().map(|(_, c)| *c).collect();
    let joined: Vec<bool> = clocks
        .windows(2)
        .map(|pair| reader.joins(&mentions[pair[0].0], &mentions[pair[1].0]))
        .chain([false])
        .collect();
    for k in 0..values.len().saturating_sub(1) {
        if joined[k] {
            let (a, b) = share_half(values[k], values[k + 1]);
            (values[k], values[k + 1]) = (a, b);
        }
    }
    let zones = reader.zones(&values, &joined);
    for (k, (at, _)) in clocks.iter().enumerate() {
        let mention = &mentions[*at];
        let range_end = k > 0 && joined[k - 1];
        let clock = values[k];
        let day = reader.day_of(*at, &clock, range_end);
        let time = NaiveTime::from_hms_nano_opt(clock.hour, clock.minute, clock.second, clock.nano)
            .unwrap_or(NaiveTime::MIN);
        let zone = zones[k];
        let instant = match (clock.half_open, day, zone) {
            (true, day, zone) => {
                Instant::Ambiguous(halves(day, time, zone, context), Doubt::HalfOfDay)
            }
            (_, None, _) => Instant::Ambiguous(Vec::new(), Doubt::NoDate),
            (_, _, None) => Instant::Ambiguous(Vec::new(), Doubt::NoZone),
            (_, Some(day), Some(zone)) => zone.with_hint(context.hint).resolve(day.and_time(time)),
        };
        out.push(Moment {
            bytes: mention.bytes.clone(),
            day,
            day_told: reader.told,
            time,
            zone,
            instant,
            to_next: joined[k],
            until: !range_end && ends_something(t, mention.first),
            first: mention.first,
            end: mention.end,
        });
    }
    out
}

fn halves(
    day: Option<NaiveDate>,
    time: NaiveTime,
    zone: Option<Zone>,
    context: &Context,
) -> Vec<DateTime<FixedOffset>> {
    let (Some(day), Some(zone)) = (day, zone) else {
        return Vec::new();
    };
    let at = |time: NaiveTime| match zone.with_hint(context.hint).resolve(day.and_time(time)) {
        Instant::At(at) => Some(at),
        Instant::Ambiguous(..) => None,
    };
    let other = time.overflowing_add_signed(chrono::TimeDelta::hours(12)).0;
    [time, other].into_iter().filter_map(at).collect()
}

/// The half of the day that one end of a range says holds for the other where the order allows:
/// `9:16–11:16 PM`, `오후 2:45 부터 7:21 까지`; `11:30 to 1:15 PM` starts before noon.
fn share_half(mut a: Clock, mut b: Clock) -> (Clock, Clock) {
    let minutes = |hour: u32, c: &Clock| hour * 60 + c.minute;
    let twelve = |c: &Clock| c.part.is_none() && c.hour_written <= 12 && c.hour_written >= 1;
    if b.part.is_some() && twelve(&a) && b.hour_written <= 12 {
        let late = (a.hour % 12) + 12;
        let early = a.hour % 12;
        let afternoon = b.hour >= 12;
        a.hour = if afternoon && minutes(late, &a) < minutes(b.hour, &b) {
            late
        } else {
            early
        };
        a.half_open = false;
        a.part = Some(if a.hour >= 12 {
            DayPart::Pm
        } else {
            DayPart::Am
        });
    } else if a.part.is_some() && twelve(&b) && a.hour_written <= 12 {
        let late = (b.hour % 12) + 12;
        let early = b.hour % 12;
        if a.hour >= 12 {
            b.hour = if minutes(late, &b) > minutes(a.hour, &a) {
                late
            } else {
                early
            };
        } else {
            b.hour = if minutes(early, &b) > minutes(a.hour, &a) {
                early
            } else {
                late
            };
        }
        b.half_open = false;
    }
    (a, b)
}

struct Reader<'a> {
    t: &'a Tokens<'a>,
    mentions: &'a [Mention],
    context: &'a Context,
    carried: Option<NaiveDate>,
    told: bool,
    anchor: Option<NaiveDate>,
    previous: Option<(NaiveDate, NaiveTime)>,
}

impl Reader<'_> {
    /// Whether the words between two clock times join them to a range.
    fn joins(&self, a: &Mention, b: &Mention) -> bool {
        let t = self.t;
        let mut joined = false;
        let opened = self.opens_range(a);
        let mut aside = 0;
        for i in a.end..b.first {
            if t.sentence_ends(i, i + 1) {
                return false;
            }
            // An aside between the two: "from 12:00 (maybe before) to 17:55".
            if i < aside {
                continue;
            }
            if t.mark(i) == Some('(') {
                aside = self.end_of_aside(i, b.first).unwrap_or(0);
            }
            let at = self.mentions.partition_point(|m| m.end <= i);
            let inside_day = self.mentions.get(at).is_some_and(|m| m.first <= i);
            if matches!(t.mark(i), Some('-' | '–' | '—' | '~' | '/'))
                || t.is(i, W::To)
                || t.is(i, W::Until)
                || (opened && t.is(i, W::And))
            {
                joined = true;
            } else if inside_day
                || t.is(i, W::At)
                || t.is(i, W::Join)
                || t.is(i, W::Article)
                || t.is(i, W::From)
                || t.is(i, W::And)
                || t.is(i, W::This)
                || t.is(i, W::Approx)
            {
            } else if !matches!(t.mark(i), Some('(' | ')' | ',' | '*' | '~')) {
                return false;
            }
        }
        joined && b.first - a.end <= 12
    }

    /// The token after a short aside in parentheses that tells no number.
    fn end_of_aside(&self, open: usize, stop: usize) -> Option<usize> {
        let inside = open + 1..stop.min(open + 8);
        let close = inside.clone().find(|i| self.t.mark(*i) == Some(')'))?;
        let wordy = (open + 1..close).all(|i| self.t.digits(i).is_none());
        (wordy && close > open + 1).then_some(close)
    }

    /// Whether "between" or "from" stands before a time, with nothing but its day and small words in between.
    fn opens_range(&self, a: &Mention) -> bool {
        let t = self.t;
        if (a.first.saturating_sub(3)..a.first).any(|i| t.is(i, W::From)) {
            return true;
        }
        for i in (a.first.saturating_sub(9)..a.first).rev() {
            if t.is(i, W::From) {
                return true;
            }
            let at = self.mentions.partition_point(|m| m.end <= i);
            let day = self
                .mentions
                .get(at)
                .is_some_and(|m| m.first <= i && matches!(m.expression, Expression::Day(_)));
            let small =
                t.is(i, W::At) || t.is(i, W::Article) || t.is(i, W::Approx) || t.is(i, W::Join);
            let of_hours = matches!(
                t.text(i),
                ['h', 'o', 'u', 'r', 's'] | ['o', 'f'] | ['t', 'h', 'e']
            );
            if !(day || small || of_hours || matches!(t.mark(i), Some(',' | '('))) {
                return false;
            }
        }
        false
    }

    /// The zone of each clock time: its own, its range's, the one before, the one after, the text's.
    fn zones(&self, clocks: &[Clock], joined: &[bool]) -> Vec<Option<Zone>> {
        let mut zones: Vec<Option<Zone>> = clocks.iter().map(|c| c.zone).collect();
        for k in 0..zones.len() {
            if zones[k].is_none() && joined[k] && k + 1 < zones.len() {
                zones[k] = zones[k + 1];
            }
        }
        for k in 1..zones.len() {
            if zones[k].is_none() {
                zones[k] = zones[k - 1];
            }
        }
        let alone = self.mentions.iter().find_map(|m| match m.expression {
            Expression::Zone(zone) if zone != Zone::Local => Some(zone),
            _ => None,
        });
        let fallback = alone
            .or_else(|| zones.iter().flatten().next().copied())
            .or(self.context.zone);
        for zone in &mut zones {
            if zone.is_none() || *zone == Some(Zone::Local) {
                *zone = fallback;
            }
        }
        zones
    }

    /// The day of the clock time at mention `at`.
    fn day_of(&mut self, at: usize, clock: &Clock, range_end: bool) -> Option<NaiveDate> {
        let told = self.day_after(at).or_else(|| self.day_before(at));
        let mut day = match told {
            Some(day) => {
                self.told = true;
                if self.anchor.is_none() || !self.beside_relative(at) {
                    self.anchor = Some(day);
                }
                Some(day)
            }
            None => self
                .carried
                .or_else(|| self.first_day_later(at))
                .or(self.context.written),
        };
        let time = NaiveTime::from_hms_opt(clock.hour, clock.minute, clock.second)
            .unwrap_or(NaiveTime::MIN);
        if (told.is_none() || range_end)
            && let (Some(current), Some((before_day, before))) = (day, self.previous)
            && current == before_day
            && time < before
        {
            let back = before.signed_duration_since(time).num_minutes();
            if range_end || back >= 600 || clock.hour_written == 24 {
                day = shift(current, 1);
            }
        }
        self.carried = day;
        if clock.next_day {
            day = day.and_then(|d| shift(d, 1));
        }
        self.previous = day.map(|d| (d, time));
        day
    }

    fn value_of(&self, mention: &Mention) -> Option<NaiveDate> {
        let Expression::Day(range) = mention.expression else {
            return None;
        };
        match range.from {
            Day::Relative(n) if n > 0 || self.is_same_day_word(mention) => {
                // "The next day" counts from the day that was told, however often it is said.
                let from_told = self.anchor.and_then(|d| shift(d, n));
                let not_past = |d: &NaiveDate| self.carried.is_none_or(|c| *d >= c);
                from_told
                    .filter(not_past)
                    .or_else(|| shift(self.carried.or(self.context.written)?, n))
            }
            Day::OfMonth(n) if self.carried.is_some() => {
                let carried = self.carried?;
                let here = carried.with_day(n);
                here.filter(|d| *d >= carried)
                    .or_else(|| {
                        carried
                            .checked_add_months(Months::new(1))?
                            .with_day(n)
                            .filter(|_| n < 4)
                    })
                    .or(here)
            }
            Day::Weekday(weekday) if self.carried.is_some() => {
                // A story goes forward: the weekday of the day told, or the next one.
                let carried = self.carried?;
                let ahead = (weekday + 7 - carried.weekday().num_days_from_monday()) % 7;
                shift(carried, i32::try_from(ahead).ok()?)
                    .filter(|_| ahead < 4)
                    .or_else(|| resolve_day(range.from, Some(carried)))
            }
            Day::NoYear(month, of_month) if self.carried.is_some() => {
                let carried = self.carried?;
                let near = [-1, 0, 1]
                    .into_iter()
                    .filter_map(|by| NaiveDate::from_ymd_opt(carried.year() + by, month, of_month));
                near.min_by_key(|d| (*d - carried).num_days().abs())
            }
            day => {
                let written = self.context.written.or(self
                    .carried
                    .map(|d| d.checked_add_days(Days::new(7)).unwrap_or(d)));
                let written = written.or_else(|| {
                    self.any_full()
                        .map(|d| NaiveDate::from_ymd_opt(d.year(), 12, 31).unwrap_or(d))
                });
                resolve_day(day, written)
            }
        }
    }

    fn any_full(&self) -> Option<NaiveDate> {
        self.mentions.iter().find_map(|m| match m.expression {
            Expression::Day(range) => match range.from {
                Day::Full(date) => Some(date),
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether the day beside the clock time is counted from another.
    fn beside_relative(&self, at: usize) -> bool {
        let relative = |m: &Mention| matches!(m.expression, Expression::Day(range) if matches!(range.from, Day::Relative(_)));
        let before = at
            .checked_sub(1)
            .and_then(|k| self.mentions.get(k))
            .is_some_and(relative);
        before || self.mentions.get(at + 1).is_some_and(relative)
    }

    fn is_same_day_word(&self, mention: &Mention) -> bool {
        matches!(mention.expression, Expression::Day(range) if range.from == Day::Relative(0))
            && self.carried.is_some()
    }

    /// A day before the clock time, with no other clock time between.
    fn day_before(&self, at: usize) -> Option<NaiveDate> {
        for k in (0..at).rev() {
            match self.mentions[k].expression {
                Expression::Day(range) => {
                    if matches!(range.from, Day::Month(..) | Day::Year(_) | Day::Impossible) {
                        continue;
                    }
                    // A day bound to an earlier clock time is carried, not told again.
                    let bound = k > 0
                        && matches!(self.mentions[k - 1].expression, Expression::Clock(_))
                        && self.follows(k - 1, k)
                        && !self.adjoins(k, at);
                    return if bound {
                        None
                    } else {
                        self.value_of(&self.mentions[k])
                    };
                }
                Expression::Clock(_) => return None,
                _ => {}
            }
        }
        None
    }

    /// A day right after the clock time: `9:09 AM PDT on July 30th`.
    fn day_after(&self, at: usize) -> Option<NaiveDate> {
        let next = self.mentions.get(at + 1)?;
        if !matches!(next.expression, Expression::Day(_)) || !self.follows(at, at + 1) {
            return None;
        }
        self.value_of(next)
    }

    /// Whether only "on", "of" and the like stand between a clock time and the day after it.
    fn follows(&self, clock: usize, day: usize) -> bool {
        let t = self.t;
        let (from, to) = (self.mentions[clock].end, self.mentions[day].first);
        let words = (from..to).all(|i| {
            !t.is(i, W::To)
                && (t.is(i, W::Join)
                    || t.is(i, W::This)
                    || t.is(i, W::Article)
                    || t.is(i, W::At)
                    || t.is(i, W::From)
                    || matches!(t.mark(i), Some(',' | '(' | ')'))
                    || matches!(t.text(i), ['o', 'n']))
        });
        let binding =
            (from..to).any(|i| t.mark(i).is_none()) || to == from || t.mark(from) == Some('(');
        let comma_then_clock = !binding
            && matches!(
                self.mentions.get(day + 1).map(|m| m.expression),
                Some(Expression::Clock(_))
            );
        words
            && to - from <= 4
            && !comma_then_clock
            && !(to == from && t.lexicon.order == crate::vocabulary::DayOrder::YearFirst)
    }

    fn adjoins(&self, day: usize, clock: usize) -> bool {
        self.mentions[clock].first == self.mentions[day].end
            && !self
                .t
                .sentence_ends(self.mentions[day].end, self.mentions[clock].first)
    }

    /// The first day told later, for times that stand before it.
    fn first_day_later(&self, at: usize) -> Option<NaiveDate> {
        self.mentions[at..].iter().find_map(|m| match m.expression {
            Expression::Day(range) if matches!(range.from, Day::Full(_) | Day::NoYear(..)) => {
                self.value_of(m)
            }
            _ => None,
        })
    }
}
