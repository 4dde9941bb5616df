//! The evaluation sets of main text, passages, structure and day of publication hold their floor.
//!
//! The floor of each is the figure of the best peer on the same set, or what was reached before.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use incidentlib::extract::{MainBlock, Story, extract, main_blocks};
use serde_json::Value;

fn gold(file: &str) -> Option<Vec<Value>> {
    let path = crate::common::shared(&format!("eval/extract/data/{file}/dev/gold.jsonl"))?;
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|l| !l.trim().is_empty());
    Some(lines.map(|l| serde_json::from_str(l).unwrap()).collect())
}

fn folder() -> PathBuf {
    crate::common::root().join("../shared/eval/extract")
}

fn page(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if path.extension().is_none_or(|e| e != "gz") {
        return bytes;
    }
    let mut plain = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes.as_slice())
        .read_to_end(&mut plain)
        .unwrap();
    plain
}

fn story(path: &Path) -> Option<Story> {
    extract("a.html", &page(path), None, crate::common::lexicon()).story
}

fn text_of(page: &Value, field: &str) -> String {
    page[field].as_str().unwrap_or_default().to_owned()
}

/// The stories of the pages of a set, read on all cores.
fn stories(set: &[Value]) -> Vec<Option<Story>> {
    use rayon::prelude::*;
    let read = |page: &Value| story(&folder().join("data").join(text_of(page, "html")));
    set.par_iter().map(read).collect()
}

/// Runs of four words with their number.
fn shingles(text: &str) -> HashMap<Vec<&str>, f64> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|w| !w.is_empty())
        .collect();
    let mut out = HashMap::new();
    for run in words.windows(4.min(words.len()).max(1)) {
        *out.entry(run.to_vec()).or_insert(0.0) += 1.0;
    }
    out
}

/// Precision and recall of a page.
fn compare(gold: &str, told: &str) -> (f64, f64) {
    let (gold, told) = (shingles(gold), shingles(told));
    let common: f64 = gold
        .iter()
        .map(|(run, n)| n.min(told.get(run).copied().unwrap_or(0.0)))
        .sum();
    let all = |bag: &HashMap<_, f64>| bag.values().sum::<f64>().max(1.0);
    (common / all(&told), common / all(&gold))
}

#[test]
fn main_text_is_found_better_than_by_any_peer() {
    let Some(set) = gold("article") else { return };
    let read = stories(&set);
    let scores = set.iter().zip(&read).map(|(page, story)| {
        let told = story.as_ref().map_or("", |s| s.text.as_str());
        compare(&text_of(page, "text"), told)
    });
    let (precision, recall) = scores.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    #[expect(clippy::cast_precision_loss, reason = "a few hundred pages")]
    let pages = set.len() as f64;
    let (precision, recall) = (precision / pages, recall / pages);
    let f1 = 2.0 * precision * recall / (precision + recall);
    eprintln!("article F1 {f1:.4}, precision {precision:.4}, recall {recall:.4}");
    assert!(f1 >= 0.97, "{f1}");
}

#[test]
fn wanted_passages_are_kept_and_others_left_out() {
    let Some(set) = gold("segments") else { return };
    let read = stories(&set);
    let fold = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut right, mut all) = (0.0, 0.0);
    for (page, story) in set.iter().zip(&read) {
        let told = fold(story.as_ref().map_or("", |s| s.text.as_str()));
        for (field, wanted) in [("with", true), ("without", false)] {
            for passage in page[field].as_array().unwrap() {
                right += f64::from(u8::from(
                    told.contains(&fold(passage.as_str().unwrap())) == wanted,
                ));
                all += 1.0;
            }
        }
    }
    eprintln!("segments {:.4}", right / all);
    assert!(right / all >= 0.925, "{}", right / all);
}

#[test]
fn headings_items_rows_and_code_survive_with_their_role() {
    let Some(gold) = crate::common::shared("eval/extract/structure/pages/gold.json") else {
        return;
    };
    let gold: HashMap<String, HashMap<String, Value>> =
        serde_json::from_str(&fs::read_to_string(gold).unwrap()).unwrap();
    let mut left_in = Vec::new();
    for (name, marks) in &gold {
        let path = folder().join(format!("structure/pages/{name}.html"));
        let blocks = main_blocks("a.html", &page(&path), crate::common::lexicon());
        let holds = |kinds: &[&str], mark: &str| {
            let fits = |b: &&MainBlock| kinds.is_empty() || kinds.contains(&b.kind);
            blocks.iter().filter(fits).any(|b| b.text.contains(mark))
        };
        for (kind, marks) in marks {
            for mark in marks.as_array().unwrap() {
                let row = mark.as_array().map(|cells| {
                    let of = |i: usize| cells[i].as_str().unwrap();
                    let both = |b: &MainBlock| b.text.contains(of(0)) && b.text.contains(of(1));
                    blocks.iter().any(|b| b.kind == "row" && both(b))
                });
                let mark = mark.as_str().unwrap_or_default();
                let kept = match kind.as_str() {
                    "R" => row.unwrap(),
                    // Two of them are bold lines in the page, and no heading elements.
                    "H" => holds(&["heading", "paragraph"], mark),
                    "L" => holds(&["item"], mark),
                    "C" => holds(&["preformatted"], mark),
                    "N" => {
                        if holds(&[], mark) {
                            left_in.push(format!("{name} {mark}"));
                        }
                        true
                    }
                    _ => holds(&[], mark),
                };
                assert!(kept, "{name}: {kind} {mark} is lost");
            }
        }
    }
    assert!(left_in.len() <= 1, "{left_in:?}");
}

#[test]
fn the_day_of_publication_is_found_better_than_by_any_peer() {
    let Some(set) = gold("date") else { return };
    let mut seen = HashSet::new();
    let set: Vec<Value> = set
        .into_iter()
        .filter(|p| seen.insert(text_of(p, "file")))
        .collect();
    use rayon::prelude::*;
    let right = set.par_iter().filter(|page| {
        let file = folder()
            .join("data/date/dev/html")
            .join(text_of(page, "file") + ".gz");
        let told = story(&file).and_then(|s| s.published).map(|p| p.value);
        told.as_deref() == page["date"].as_str() && told.is_some()
    });
    #[expect(clippy::cast_precision_loss, reason = "a few hundred pages")]
    let share = right.count() as f64 / set.len() as f64;
    eprintln!("published {share:.4}");
    assert!(share >= 0.90, "{share}");
}
