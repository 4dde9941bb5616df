//! The words of time of one language, compiled for finding the longest phrase at a place in a text.

use std::collections::HashMap;

use crate::vocabulary::{ClockMark, DateMark, DayOrder, DayPart, TimeWords, Unit, WordClass};

use super::fold::fold_phrase;
use super::zone::Zone;

/// What a phrase means where it stands for something in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    Number(f64),
    Scale(f64),
    Unit(Unit),
    Fixed(f64),
    Month(u32),
    Weekday(u32),
    RelativeDay(i32),
    RelativeMonth(i32),
    RelativeYear(i32),
    Era(i32),
    Clock(ClockMark),
    ClockQuarter(u32),
    Date(DateMark),
    Part(DayPart),
    Zone(Zone),
    Class(WordClass),
    Trap,
}

#[derive(Debug, Clone, Default)]
struct Node {
    children: Vec<(char, u32)>,
    meanings: Vec<Meaning>,
}

/// A language's phrases as a tree of characters.
#[derive(Debug, Clone)]
pub(super) struct Lexicon {
    nodes: Vec<Node>,
    first: HashMap<char, u32>,
    pub(super) order: DayOrder,
    /// A comma stands before the decimals.
    pub(super) decimal_comma: bool,
    /// `1h20` is a clock time unless a word says otherwise.
    pub(super) h_is_clock: bool,
    /// Its running text has no spaces between words.
    pub(super) han: bool,
}

impl Lexicon {
    /// Compiles the words of `own`, and beside them what pages in any language borrow from English:
    /// month and day names, units, halves of the day and zones.
    pub(super) fn new(tag: &str, own: &TimeWords, english: Option<&TimeWords>) -> Self {
        let mut lexicon = Self {
            nodes: vec![Node::default()],
            first: HashMap::new(),
            order: own.order,
            decimal_comma: own.order == DayOrder::DayFirst,
            h_is_clock: matches!(tag, "fr" | "pt" | "es"),
            han: matches!(tag, "ja" | "zh"),
        };
        lexicon.add_names(own);
        lexicon.add_own(own);
        if let Some(english) = english {
            let borrowed = TimeWords {
                units: english.units.clone(),
                months: english.months.clone(),
                weekdays: Vec::new(),
                zones: english.zones.clone(),
                day_parts: english
                    .day_parts
                    .iter()
                    .filter(|(part, _)| !matches!(part, DayPart::Night | DayPart::Dawn))
                    .map(|(part, words)| (*part, words.clone()))
                    .collect(),
                ..TimeWords::default()
            };
            lexicon.add_borrowed(&borrowed);
        }
        for trap in ["version", "v", "release", "rfc", "port", "issue", "build"] {
            lexicon.add_new(trap, Meaning::Trap);
        }
        lexicon
    }

    fn add_names(&mut self, words: &TimeWords) {
        for (number, forms) in (1..).zip(&words.months) {
            self.add_all(forms, Meaning::Month(number));
        }
        for (number, forms) in (0..).zip(&words.weekdays) {
            self.add_all(forms, Meaning::Weekday(number));
        }
        for (unit, forms) in &words.units {
            self.add_all(forms, Meaning::Unit(*unit));
        }
        for (part, forms) in &words.day_parts {
            self.add_all(forms, Meaning::Part(*part));
        }
        for (name, zone) in &words.zones {
            if let Some(zone) = Zone::from_data(zone) {
                self.add(name, Meaning::Zone(zone));
            }
        }
    }

    fn add_own(&mut self, words: &TimeWords) {
        let values = words.numbers.iter().map(|(w, v)| (w, Meaning::Number(*v)));
        let scales = words.scales.iter().map(|(w, v)| (w, Meaning::Scale(*v)));
        let fixed = words.fixed.iter().map(|(w, v)| (w, Meaning::Fixed(*v)));
        for (word, meaning) in values.chain(scales).chain(fixed) {
            self.add(word, meaning);
        }
        let days = words.relative_days.iter();
        let days = days.map(|(w, n)| (w, Meaning::RelativeDay(*n)));
        let months = words.relative_months.iter();
        let months = months.map(|(w, n)| (w, Meaning::RelativeMonth(*n)));
        let years = words.relative_years.iter();
        let years = years.map(|(w, n)| (w, Meaning::RelativeYear(*n)));
        let eras = words.eras.iter().map(|(w, n)| (w, Meaning::Era(*n)));
        for (word, meaning) in days.chain(months).chain(years).chain(eras) {
            self.add(word, meaning);
        }
        for (word, minutes) in &words.clock_quarters {
            self.add(word, Meaning::ClockQuarter(*minutes));
        }
        for (mark, forms) in &words.clock {
            self.add_all(forms, Meaning::Clock(*mark));
        }
        for (mark, forms) in &words.dates {
            self.add_all(forms, Meaning::Date(*mark));
        }
        for (class, forms) in &words.words {
            self.add_all(forms, Meaning::Class(*class));
        }
        self.add_all(&words.traps, Meaning::Trap);
    }

    /// Adds names and units, but gives no word that the language has a second meaning.
    fn add_borrowed(&mut self, words: &TimeWords) {
        let mut fresh = Self {
            nodes: vec![Node::default()],
            first: HashMap::new(),
            ..self.clone()
        };
        fresh.add_names(words);
        for (phrase, meanings) in fresh.phrases() {
            for meaning in meanings {
                self.add_new(&phrase, meaning);
            }
        }
    }

    fn phrases(&self) -> Vec<(String, Vec<Meaning>)> {
        let mut out = Vec::new();
        let mut open: Vec<(u32, String)> = Vec::new();
        for (c, node) in &self.first {
            open.push((*node, c.to_string()));
        }
        while let Some((node, phrase)) = open.pop() {
            let node = &self.nodes[node as usize];
            if !node.meanings.is_empty() {
                out.push((phrase.clone(), node.meanings.clone()));
            }
            for (c, child) in &node.children {
                open.push((*child, format!("{phrase}{c}")));
            }
        }
        out.sort_by(|a, b| a.0.cmp(&b.0));
        out
    }

    fn add_all(&mut self, phrases: &[String], meaning: Meaning) {
        for phrase in phrases {
            self.add(phrase, meaning);
        }
    }

    fn add(&mut self, phrase: &str, meaning: Meaning) {
        if let Some(node) = self.node_of(phrase)
            && !self.nodes[node].meanings.contains(&meaning)
        {
            self.nodes[node].meanings.push(meaning);
        }
    }

    fn add_new(&mut self, phrase: &str, meaning: Meaning) {
        if let Some(node) = self.node_of(phrase)
            && self.nodes[node].meanings.is_empty()
        {
            self.nodes[node].meanings.push(meaning);
        }
    }

    /// The node of a phrase, made where it is not there yet; `None` for an empty phrase.
    fn node_of(&mut self, phrase: &str) -> Option<usize> {
        let phrase = fold_phrase(phrase);
        let mut chars = phrase.chars();
        let start = chars.next()?;
        let mut node = match self.first.get(&start) {
            Some(node) => *node,
            None => {
                let node = self.new_node();
                self.first.insert(start, node);
                node
            }
        };
        for c in chars {
            node = match self.child(node, c) {
                Some(child) => child,
                None => {
                    let child = self.new_node();
                    self.nodes[node as usize].children.push((c, child));
                    child
                }
            };
        }
        Some(node as usize)
    }

    fn new_node(&mut self) -> u32 {
        self.nodes.push(Node::default());
        u32::try_from(self.nodes.len() - 1).unwrap_or(0)
    }

    fn child(&self, node: u32, c: char) -> Option<u32> {
        let children = &self.nodes[node as usize].children;
        children.iter().find(|(k, _)| *k == c).map(|(_, n)| *n)
    }

    /// The longest phrase at the start of `chars` that `ends_well` accepts: how many characters it
    /// takes, and its meanings. One space in a phrase stands for any run of them.
    pub(super) fn longest(
        &self,
        chars: &[char],
        ends_well: impl Fn(usize) -> bool,
    ) -> Option<(usize, &[Meaning])> {
        let mut node = *self.first.get(chars.first()?)?;
        let mut at = 1;
        let mut best = None;
        loop {
            let meanings = &self.nodes[node as usize].meanings;
            if !meanings.is_empty() && ends_well(at) {
                best = Some((at, meanings.as_slice()));
            }
            let Some(c) = chars.get(at) else { break };
            let Some(next) = self.child(node, *c) else {
                break;
            };
            node = next;
            at += 1;
            if *c == ' ' {
                while chars.get(at) == Some(&' ') {
                    at += 1;
                }
            }
        }
        best
    }
}
