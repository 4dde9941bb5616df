//! The texts of one field tell the same facts in every language.

use crate::check::context::Context;
use crate::check::evidence::{Around, ReadText, Stated, StatedFact, Telling, around, stated};
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::model::{LanguageTag, Localized};
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "languages-disagree",
    level: Level::Warning,
    why: "Readers of two languages would be told two stories; one of the texts is wrong.",
    bad: r##"[{"id":"IL-0001","date":"2021-03-04","trigger":{"en":"A deployment began at 2:45 PM.","ko":"오후 2시 54분에 배포가 시작됐다."}}]"##,
    good: r##"[{"id":"IL-0001","date":"2021-03-04","trigger":{"en":"A deployment began at 2:45 PM.","ko":"14시 45분에 배포가 시작됐다."}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let around = around(&record.case);
    let case = &record.case;
    for (field, text) in case.texts() {
        if let Some(text) = text {
            compare(&format!("/{field}"), text, &around, cx, hits);
        }
    }
    for (field, steps) in case.steps() {
        for (i, step) in steps.iter().enumerate() {
            compare(&format!("/{field}/{i}/text"), &step.text, &around, cx, hits);
        }
    }
}

/// A text of one language with what it states.
struct Side<'a> {
    language: &'a LanguageTag,
    read: ReadText<'a>,
    stated: Vec<Stated>,
}

/// Compares every text with the first. Where each tells something of one kind that the other does not, they
/// contradict each other; where only one does, it tells more, which is a note.
fn compare(pointer: &str, text: &Localized, around: &Around, cx: &Context<'_>, hits: &mut Hits) {
    let mut sides = text
        .iter()
        .map(|(language, text)| side(language, text, around, cx));
    let Some(first) = sides.next() else { return };
    for other in sides {
        let here = missing(&first, &other, around);
        let there = missing(&other, &first, around);
        if here.is_empty() && there.is_empty() {
            continue;
        }
        let contradict = here
            .iter()
            .any(|a| there.iter().any(|b| kind(&a.fact) == kind(&b.fact)));
        let mut parts = Vec::new();
        for (side, facts, against) in [(&first, &here, &other), (&other, &there, &first)] {
            if !facts.is_empty() {
                parts.push(format!(
                    "`{}` tells {}, which `{}` does not",
                    side.language,
                    quotes(facts),
                    against.language
                ));
            }
        }
        let (side, fact) = match (here.first(), there.first()) {
            (_, Some(fact)) => (&other, fact),
            (Some(fact), None) => (&first, fact),
            (None, None) => continue,
        };
        let quote = fact.quote.clone();
        let found = hits.push(format!("{pointer}/{}", side.language), parts.join("; "));
        found.quote = Some(quote);
        if !contradict {
            found.level = Level::Note;
        }
        found.help = Some(match contradict {
            true => "see which of the two the raw pages tell, and correct the other".to_owned(),
            false => "tell it in both languages, or in neither".to_owned(),
        });
    }
}

fn side<'a>(
    language: &'a LanguageTag,
    text: &'a str,
    around: &Around,
    cx: &Context<'a>,
) -> Side<'a> {
    let read = ReadText::new(text, language.as_str(), cx.lexicon);
    let stated = stated(&read, around);
    Side {
        language,
        read,
        stated,
    }
}

fn missing<'a>(of: &'a Side, from: &Side, around: &Around) -> Vec<&'a Stated> {
    // Most texts state nothing that can be looked up.
    if of.stated.is_empty() {
        return Vec::new();
    }
    let mut telling = Telling::default();
    telling.add(&from.read, around);
    let all = of.stated.iter();
    all.filter(|s| !telling.tells(&s.fact, around.day))
        .collect()
}

/// Facts that can stand in each other's place.
fn kind(fact: &StatedFact) -> u8 {
    match fact {
        StatedFact::Day(_) | StatedFact::DayOfYear(..) | StatedFact::Year(_) => 0,
        StatedFact::Clock(_) => 1,
        StatedFact::Elapsed(_) => 2,
        StatedFact::Percent(_) | StatedFact::Number(..) => 3,
    }
}

/// Facts that a message names; of more it says how many.
const SHOWN: usize = 4;

fn quotes(facts: &[&Stated]) -> String {
    let shown: Vec<String> = facts
        .iter()
        .take(SHOWN)
        .map(|f| format!("`{}`", f.quote))
        .collect();
    match facts.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
