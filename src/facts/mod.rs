//! Facts: what a text tells that every language writes alike or that can be read in each of them. Days, clock
//! times, durations, percentages, numbers and names, each with its bytes.
//!
//! Two texts in different languages about one incident share their facts and hardly a word.

mod clock;
mod names;
mod numbers;

use std::collections::BTreeMap;
use std::ops::Range;

use chrono::NaiveDate;

pub use clock::ClockTime;
pub use names::Name;
pub use numbers::Amount;

use crate::time::{Context, Day, Expression, Scan, resolve_day};
use crate::vocabulary::Languages;
use numbers::Words;

/// A language-neutral atom of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A day with its year.
    Day(NaiveDate),
    /// A month and a day of it, without a year.
    DayOfYear(u32, u32),
    /// A time of day with the zone that the text gives it.
    Clock(ClockTime),
    /// An elapsed time in whole seconds.
    Elapsed(u64),
    /// A share of a hundred, its number in canonical digits: `12.5`.
    Percent(String),
    /// A number of at least three digits or with decimals, in canonical digits: `7000`, `1.5`.
    Number(String),
    /// A product, a region, an identifier.
    Name(Name),
}

/// A fact with the bytes of the text it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct FactAt {
    /// What is told.
    pub fact: Fact,
    /// Bytes of the text.
    pub bytes: Range<usize>,
}

/// Reads the facts of texts by the words of each language.
#[derive(Debug, Clone)]
pub struct FactReader {
    by_tag: BTreeMap<String, Words>,
}

impl FactReader {
    /// Takes over the words of every language.
    pub fn new(languages: &Languages) -> Self {
        let english = languages.find("en").map(|l| &l.amounts);
        let words = |l| Words::new(l, english);
        Self {
            by_tag: languages
                .iter()
                .map(|l| (l.language.clone(), words(l)))
                .collect(),
        }
    }

    /// The facts of a text in order. `scan` are the times of the same text; `context` holds the day of
    /// writing, by which a day gets its year, and the zone of times that name none.
    pub fn facts(&self, text: &str, language: &str, scan: &Scan, context: &Context) -> Vec<FactAt> {
        let mut out = Vec::new();
        for moment in scan.moments(context) {
            out.push(FactAt {
                fact: Fact::Clock(ClockTime::of(&moment)),
                bytes: moment.bytes,
            });
        }
        for mention in scan.mentions() {
            let bytes = mention.bytes.clone();
            match mention.expression {
                Expression::Day(range) => {
                    for day in [Some(range.from), range.to].into_iter().flatten() {
                        let bytes = bytes.clone();
                        out.extend(
                            day_fact(day, context.written).map(|fact| FactAt { fact, bytes }),
                        );
                    }
                }
                Expression::Elapsed(elapsed)
                    if elapsed.min >= 1.0 && elapsed.min == elapsed.max =>
                {
                    let fact = Fact::Elapsed(elapsed.min.round() as u64);
                    out.push(FactAt { fact, bytes });
                }
                _ => {}
            }
        }
        let amounts = self.amounts(text, language, scan);
        out.extend(amounts.into_iter().filter_map(telling));
        let latin = self.words(language).is_none_or(|w| w.latin);
        out.extend(names::names(text, latin).filter(|f| is_free(&f.bytes, scan)));
        out.sort_by_key(|f| (f.bytes.start, f.bytes.end));
        out
    }

    /// Every number of a text that is written in digits and is no time.
    pub fn amounts(&self, text: &str, language: &str, scan: &Scan) -> Vec<Amount> {
        let words = self.words(language);
        let all = words
            .into_iter()
            .flat_map(|words| numbers::amounts(text, words));
        all.filter(|a| is_free(&a.bytes, scan)).collect()
    }

    /// The words of a language; English where it has none.
    fn words(&self, language: &str) -> Option<&Words> {
        let primary = language.split('-').next().unwrap_or(language);
        self.by_tag.get(primary).or_else(|| self.by_tag.get("en"))
    }
}

/// Whether no expression of time stands in a place.
fn is_free(bytes: &Range<usize>, scan: &Scan) -> bool {
    is_clear(bytes, scan.mentions(), |mention| &mention.bytes)
}

/// Whether a place overlaps none of those that are taken, which are in order.
pub(crate) fn is_clear<T>(
    bytes: &Range<usize>,
    taken: &[T],
    place: impl Fn(&T) -> &Range<usize>,
) -> bool {
    let after = taken.partition_point(|t| place(t).end <= bytes.start);
    taken.get(after).is_none_or(|t| place(t).start >= bytes.end)
}

/// The amount as a fact, where it tells enough to know a story by: a share, or a number of three digits or with
/// decimals that is no year.
fn telling(amount: Amount) -> Option<FactAt> {
    let Amount {
        number,
        percent,
        bytes,
        ..
    } = amount;
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let year = number.len() == 4 && (1970..2100).contains(&number.parse().unwrap_or(0));
    let fact = if percent {
        Fact::Percent(number)
    } else if !year && (digits >= 3 || number.contains('.')) {
        Fact::Number(number)
    } else {
        return None;
    };
    Some(FactAt { fact, bytes })
}

fn day_fact(day: Day, written: Option<NaiveDate>) -> Option<Fact> {
    match (day, written) {
        (Day::Full(day), _) => Some(Fact::Day(day)),
        (Day::NoYear(..), Some(_)) => resolve_day(day, written).map(Fact::Day),
        (Day::NoYear(month, day), None) => Some(Fact::DayOfYear(month, day)),
        _ => None,
    }
}

/// Letters of a sentence that are looked at on each side of a place.
const REACH: usize = 400;

/// The sentence of a text that a place stands in, without the white space around it; of a very long one
/// the part around the place.
pub fn sentence_around<'t>(text: &'t str, place: &Range<usize>) -> &'t str {
    let ends = |at: usize, c: char| {
        let next = text[at + c.len_utf8()..].chars().next();
        match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                next.is_none_or(char::is_whitespace) && !is_abbreviation(&text[..at])
            }
            _ => false,
        }
    };
    let mut start = place.start;
    for (at, c) in text[..place.start].char_indices().rev().take(REACH) {
        if ends(at, c) {
            break;
        }
        start = at;
    }
    let mut end = place.end;
    for (at, c) in text[place.end..].char_indices().take(REACH) {
        let at = place.end + at;
        if ends(at, c) {
            end = at + if c == '\n' { 0 } else { c.len_utf8() };
            break;
        }
        end = at + c.len_utf8();
    }
    text[start..end].trim()
}

/// Whether a text ends in a letter that stands alone, as in `a.m.` and `U.S.`: its full stop ends no sentence.
fn is_abbreviation(before: &str) -> bool {
    let mut last = before.chars().rev();
    let letter = last.next().is_some_and(char::is_alphabetic);
    letter && last.next().is_some_and(|c| c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::TimeReader;
    use crate::vocabulary::builtin_languages;

    fn told(text: &str, language: &str) -> Vec<String> {
        let times = TimeReader::new(&builtin_languages());
        let scan = times.scan(text, language);
        FactReader::new(&builtin_languages())
            .facts(text, language, &scan, &Context::default())
            .into_iter()
            .map(|f| match f.fact {
                Fact::Day(day) => day.to_string(),
                Fact::DayOfYear(month, day) => format!("--{month}-{day}"),
                Fact::Clock(clock) => {
                    format!("{:02}:{:02}", clock.minutes / 60, clock.minutes % 60)
                }
                Fact::Elapsed(seconds) => format!("{seconds}s"),
                Fact::Percent(number) => format!("{number}%"),
                Fact::Number(number) => number,
                Fact::Name(name) => name.folded,
            })
            .collect()
    }

    #[test]
    fn languages_tell_the_same_facts() {
        let english = "From 2:44 AM PST on November 25, 2020 the errors of PutMetricData in US-EAST-1 rose to 12.5% for 3 hours on 7,000 servers.";
        let korean = "2020년 11월 25일 오전 2시 44분 PST 부터 3시간 동안 US-EAST-1 의 PutMetricData 오류가 서버 7,000대에서 12.5% 로 늘었다.";
        let mut a = told(english, "en");
        let mut b = told(korean, "ko");
        a.sort();
        b.sort();
        assert_eq!(a, b);
        assert_eq!(
            a,
            [
                "02:44",
                "10800s",
                "12.5%",
                "2020-11-25",
                "7000",
                "putmetricdata",
                "us-east-1"
            ]
        );
    }

    #[test]
    fn words_and_versions_are_no_names_and_numbers() {
        assert_eq!(
            told("The API was down. Users saw 16GB and v1.2.3 of 42.", "en"),
            [""; 0]
        );
        assert_eq!(told("In 2021 we moved to Kafka.", "en"), ["kafka"]);
    }

    #[test]
    fn a_sentence_is_cut_at_its_ends() {
        let text = "One. At 9:39 a.m. PST it was sure. Three.";
        let at = text.find("9:39").unwrap();
        assert_eq!(
            sentence_around(text, &(at..at + 4)),
            "At 9:39 a.m. PST it was sure."
        );
    }
}
