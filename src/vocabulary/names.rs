//! Many names looked for in one pass over a text.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

/// Names to look for. What finds them is built when first asked for: most commands read no text.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    names: Vec<String>,
    ignore_case: bool,
    automaton: OnceLock<AhoCorasick>,
}

impl Names {
    /// `ignore_case` counts for ASCII letters.
    pub(crate) fn new(names: Vec<String>, ignore_case: bool) -> Self {
        Self {
            names,
            ignore_case,
            automaton: OnceLock::new(),
        }
    }

    /// Every place at which a name stands, overlapping ones too: which name, and its bytes.
    pub(crate) fn places(&self, text: &str) -> impl Iterator<Item = (usize, Range<usize>)> {
        let automaton = self.automaton.get_or_init(|| {
            let mut builder = AhoCorasick::builder();
            builder.ascii_case_insensitive(self.ignore_case);
            // Only lists of gigabytes would not fit an automaton; then no text names anything.
            let all = builder.build(&self.names);
            let all = all.or_else(|_| builder.build([""; 0]));
            all.expect("an automaton of no names")
        });
        let found = automaton.find_overlapping_iter(text);
        found.map(|found| (found.pattern().as_usize(), found.range()))
    }
}
