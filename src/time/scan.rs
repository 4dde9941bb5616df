//! Every day, clock time and duration of a text, in order.

use std::ops::Range;

use crate::vocabulary::WordClass as W;

use super::clock::{self, Clock};
use super::date::{self, DayRange};
use super::duration::{self, Elapsed, preceded_by};
use super::fold::is_hangul;
use super::lexicon::{Lexicon, Meaning};
use super::token::{Kind, Tokens};
use super::zone::Zone;
use super::zone_name;

/// What a mention tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expression {
    /// A day, or days from one to another.
    Day(DayRange),
    /// A time of day.
    Clock(Clock),
    /// An elapsed time.
    Elapsed(Elapsed),
    /// A zone that stands by itself: "all times Eastern".
    Zone(Zone),
    /// A part of the day without an hour.
    PartOfDay,
}

/// An expression of time with the bytes it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    /// Bytes of the text.
    pub bytes: Range<usize>,
    /// What it tells.
    pub expression: Expression,
    pub(super) first: usize,
    pub(super) end: usize,
}

/// Finds the mentions of a text.
pub(super) fn scan<'l>(text: &str, lexicon: &'l Lexicon) -> (Tokens<'l>, Vec<Mention>) {
    let tokens = Tokens::new(text, lexicon);
    let mut mentions = Vec::new();
    let mut at = 0;
    while at < tokens.all.len() {
        match longest(&tokens, at) {
            Some((expression, end)) if end > at => {
                let bytes = tokens.bytes(at, end);
                mentions.push(Mention {
                    bytes,
                    expression,
                    first: at,
                    end,
                });
                at = end;
            }
            _ => at += 1,
        }
    }
    (tokens, mentions)
}

fn longest(t: &Tokens, i: usize) -> Option<(Expression, usize)> {
    match t.get(i)?.kind {
        Kind::Word if !may_open(t, i) => return None,
        Kind::Mark(c) if !matches!(c, '+' | '~' | '½' | '¼' | '¾') => return None,
        _ => {}
    }
    if t.lexicon.han
        && Tokens::before(i).is_some_and(|b| t.is_trap(b) && t.attached(i) && t.text(b) == ['第'])
    {
        return None;
    }
    if t.is_trap(i) {
        return None;
    }
    let clock = clock::clock(t, i);
    let day = date::date(t, i);
    let mut duration = duration::duration(t, i);
    if let Some(found) = duration
        && found.maybe_clock
        && !preceded_by(t, i, W::Lasting)
        && (t.lexicon.h_is_clock || clock.is_some_and(|c| c.certain))
    {
        duration = None;
    }
    let mut best: Option<(u8, usize, Expression)> = None;
    let mut offer = |rank: u8, end: usize, expression| {
        if best.is_none_or(|(r, e, _)| end > e || (end == e && rank > r)) {
            best = Some((rank, end, expression));
        }
    };
    if let Some(found) = clock {
        offer(
            if found.certain { 3 } else { 0 },
            found.end,
            Expression::Clock(found.value),
        );
    }
    if let Some(found) = day {
        offer(2, found.end, Expression::Day(found.value));
    }
    if let Some(found) = duration {
        offer(1, found.end, Expression::Elapsed(found.value));
    }
    if let Some((_, end, expression)) = best {
        return Some((expression, end));
    }
    if let Some((zone, end)) = zone_alone(t, i) {
        return Some((Expression::Zone(zone), end));
    }
    let part = t.meanings(i).iter().any(|m| matches!(m, Meaning::Part(p) if !matches!(p, crate::vocabulary::DayPart::Am | crate::vocabulary::DayPart::Pm)));
    part.then_some((Expression::PartOfDay, i + 1))
}

/// Whether a word that means nothing may open an expression: the `T` of `T+5m`, the `PT` of `PT4H`, a zone in
/// capitals, the first part of `US/Pacific`.
fn may_open(t: &Tokens, i: usize) -> bool {
    let word = t.text(i);
    word.len() <= 5 && (t.is_upper(i) || word.len() <= 2 && !is_hangul(word[0]))
        || t.mark(i + 1) == Some('/') && word.len() <= 20
}

/// A zone that no clock time stands beside.
fn zone_alone(t: &Tokens, i: usize) -> Option<(Zone, usize)> {
    let (zone, end) = zone_name::zone_at(t, i)?;
    let named = t.meanings(i).iter().any(|m| matches!(m, Meaning::Zone(_)));
    let utc = zone == Zone::UTC || matches!(zone, Zone::Offset(_));
    let told = Tokens::before(i).is_some_and(|b| {
        t.mark(b) == Some('(')
            || matches!(
                t.text(b),
                ['t', 'i', 'm', 'e', ..] | ['i', 'n'] | ['a', 'r', 'e']
            )
    });
    (named || utc || told).then_some((zone, end))
}
