//! Days in words: `2024-07-30`, `July 30th, 2024`, `30 July 2024`, `2020년 11월 25일`.
//!
//! A day without a year and a day whose order of numbers is open (`03/04/2021`) are not read here.

use std::ops::Range;

use regex::Regex;

use crate::model::CaseDate;
use crate::vocabulary::{Language, Languages};

/// Finds days in text. Built once from the languages, used for any number of texts.
#[derive(Debug, Clone)]
pub struct DateReader {
    patterns: Vec<Pattern>,
}

#[derive(Debug, Clone)]
struct Pattern {
    regex: Regex,
    // Which of the three groups holds the year, the month and the day.
    order: [usize; 3],
    // Lower-case month names with their numbers; empty where months are numbers.
    months: Vec<(String, u32)>,
}

impl DateReader {
    /// Compiles the patterns of every language.
    pub fn new(languages: &Languages) -> Self {
        let iso = r"\b(\d{4})-(\d{2})-(\d{2})\b";
        let mut patterns = vec![Pattern::new(iso, [0, 1, 2], Vec::new())];
        for language in languages.iter() {
            patterns.extend(marked(language));
            patterns.extend(named(language));
        }
        Self { patterns }
    }

    /// Reads a text that is one day and nothing else.
    pub fn parse(&self, text: &str) -> Option<CaseDate> {
        let text = text.trim();
        match self.find(text).as_slice() {
            [(range, date)] if *range == (0..text.len()) => Some(*date),
            _ => None,
        }
    }

    /// Every full day (year, month and day of the month) in running text, in order, with its bytes.
    pub fn find(&self, text: &str) -> Vec<(Range<usize>, CaseDate)> {
        let mut found: Vec<(Range<usize>, CaseDate)> =
            self.patterns.iter().flat_map(|p| p.find(text)).collect();
        found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        found.dedup_by(|next, kept| next.0.start < kept.0.end);
        found
    }
}

impl Pattern {
    fn new(regex: &str, order: [usize; 3], months: Vec<(String, u32)>) -> Self {
        let regex = Regex::new(regex).expect("built from escaped words and fixed syntax");
        Self {
            regex,
            order,
            months,
        }
    }

    fn find(&self, text: &str) -> Vec<(Range<usize>, CaseDate)> {
        let read = |parts: [&str; 3]| {
            let [year, month, day] = self.order.map(|i| parts[i]);
            CaseDate::from_ymd(year.parse().ok()?, self.month(month)?, day.parse().ok()?)
        };
        self.regex
            .captures_iter(text)
            .filter_map(|captures| {
                let range = captures.get(0)?.range();
                Some((range, read(captures.extract::<3>().1)?))
            })
            .collect()
    }

    fn month(&self, text: &str) -> Option<u32> {
        if self.months.is_empty() {
            return text.parse().ok();
        }
        let name = text.to_lowercase();
        let found = self.months.iter().find(|(word, _)| *word == name);
        found.map(|(_, number)| *number)
    }
}

fn marked(language: &Language) -> Option<Pattern> {
    let [year, month, day] = language
        .date
        .marks
        .as_ref()?
        .each_ref()
        .map(|m| regex::escape(m));
    let regex = format!(r"(\d{{4}})\s?{year}\s?(\d{{1,2}})\s?{month}\s?(\d{{1,2}})\s?{day}");
    Some(Pattern::new(&regex, [0, 1, 2], Vec::new()))
}

fn named(language: &Language) -> Vec<Pattern> {
    let months: Vec<(String, u32)> = (1..)
        .zip(&language.date.months)
        .flat_map(|(number, forms)| forms.iter().map(move |f| (f.to_lowercase(), number)))
        .collect();
    if months.is_empty() {
        return Vec::new();
    }
    let month = alternatives(months.iter().map(|(word, _)| word));
    let ending = alternatives(&language.date.day_endings);
    let month_first = format!(r"(?i)\b({month})\.?\s+(\d{{1,2}})(?:{ending})?,?\s+(\d{{4}})\b");
    let day_first = format!(r"(?i)\b(\d{{1,2}})(?:{ending})?\s+({month})\.?,?\s+(\d{{4}})\b");
    vec![
        Pattern::new(&month_first, [2, 0, 1], months.clone()),
        Pattern::new(&day_first, [2, 1, 0], months),
    ]
}

/// A regex alternation of literal words, longest first.
fn alternatives<'a>(words: impl IntoIterator<Item = &'a String>) -> String {
    let mut words: Vec<String> = words.into_iter().map(|w| regex::escape(w)).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::builtin_languages;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = DateReader::new(&builtin_languages())
            .find(text)
            .iter()
            .map(|(range, date)| format!("{date} <{}>", &text[range.clone()]))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn days_in_both_languages() {
        check("on July 30th, 2024 a", &["2024-07-30 <July 30th, 2024>"]);
        check(
            "Sunday 20 September 2015,",
            &["2015-09-20 <20 September 2015>"],
        );
        check(
            "2020년 11월 25일 2:44 AM",
            &["2020-11-25 <2020년 11월 25일>"],
        );
        check("2024-07-30 PDT 오전 9:09", &["2024-07-30 <2024-07-30>"]);
        check(
            "Nov. 3, 2021 to 2021-11-04",
            &["2021-11-03 <Nov. 3, 2021>", "2021-11-04 <2021-11-04>"],
        );
    }

    #[test]
    fn what_is_not_a_full_day_is_not_read() {
        check(
            "03/04/2021, July 30th, 7월 31일, 2024-13-01, 2023-02-30, 12024-01-01",
            &[],
        );
    }

    #[test]
    fn a_text_that_is_more_than_a_day_is_no_day() {
        let reader = DateReader::new(&builtin_languages());
        assert!(reader.parse(" 2020-11-25 ").is_some());
        assert!(reader.parse("2020-11-25 or so").is_none());
    }
}
