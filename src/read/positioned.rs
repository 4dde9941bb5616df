//! HTML parsing that remembers where each piece of text stood in the source.
//!
//! html5ever tells a sink nothing about positions. The source is therefore fed to it in pieces, a tag,
//! a character reference or the text between at a time: what the sink is handed while a piece is being
//! read came from that piece.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Range;

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, ParseOpts, QualName};
use rustc_hash::FxHashMap;
use scraper::{Html, HtmlTreeSink};

/// A node of the tree.
pub(super) type NodeId = <HtmlTreeSink as TreeSink>::Handle;

/// Elements nested deeper than this make tree construction quadratic, and no page needs them.
/// Browsers stop at 512.
pub(super) const DEEPEST: usize = 1024;

/// How far back text that the tree builder held back is looked for.
const HELD_BACK: usize = 4096;

/// A run of a text node and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    /// Range in the text of the node.
    pub(super) text: Range<usize>,
    /// Range in the source; of the same length, or a whole character reference.
    pub(super) source: Range<usize>,
}

/// A parsed document with the places of its text.
pub(super) struct PositionedHtml {
    pub(super) html: Html,
    pub(super) runs: FxHashMap<NodeId, Vec<Run>>,
    /// Whether the rest of the source was left out because of [`DEEPEST`].
    pub(super) cut: bool,
}

/// Parses a whole document.
pub(super) fn parse(source: &str) -> PositionedHtml {
    let sink = PositionedSink::new(source);
    let mut parser = html5ever::parse_document(sink, ParseOpts::default());
    let mut cut = false;
    for piece in pieces(source) {
        let sink = &parser.tokenizer.sink.sink;
        sink.start_piece(piece.clone());
        if sink.too_deep.get() {
            cut = true;
            break;
        }
        parser.process(StrTendril::from_slice(&source[piece]));
    }
    let (html, runs) = parser.finish();
    PositionedHtml { html, runs, cut }
}

/// A tag, a character reference, or text up to the next of them.
fn pieces(source: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = source.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let find = |from: usize, wanted: fn(u8) -> bool| {
            rest[from..]
                .iter()
                .position(|b| wanted(*b))
                .map(|found| from + found)
        };
        let second = rest.get(1).copied().unwrap_or_default();
        let tag = second.is_ascii_alphabetic() || matches!(second, b'/' | b'!' | b'?');
        let length = match rest[0] {
            b'<' if tag => find(1, |b| b == b'>').map(|end| end + 1),
            b'&' => match find(1, |b| !b.is_ascii_alphanumeric() && b != b'#') {
                Some(end) if rest[end] == b';' => Some(end + 1),
                end => end,
            },
            _ => find(1, |b| matches!(b, b'<' | b'&')),
        };
        at = start + length.unwrap_or(rest.len());
        Some(start..at)
    })
}

/// Whether a piece is `&name;` or `&#number;`.
fn is_reference(piece: &str) -> bool {
    piece
        .strip_prefix('&')
        .and_then(|rest| rest.strip_suffix(';'))
        .is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#')
        })
}

/// Builds the tree through `scraper` and notes the piece that each text came from.
struct PositionedSink<'s> {
    source: &'s str,
    tree: HtmlTreeSink,
    // What is left of the piece being read.
    start: Cell<usize>,
    end: Cell<usize>,
    // A character reference that was fed; the tokenizer may hand over its text one piece later.
    reference: RefCell<Option<Range<usize>>>,
    runs: RefCell<FxHashMap<NodeId, Vec<Run>>>,
    depths: RefCell<FxHashMap<NodeId, usize>>,
    too_deep: Cell<bool>,
}

impl<'s> PositionedSink<'s> {
    fn new(source: &'s str) -> Self {
        Self {
            source,
            tree: HtmlTreeSink::new(Html::new_document()),
            start: Cell::default(),
            end: Cell::default(),
            reference: RefCell::default(),
            runs: RefCell::default(),
            depths: RefCell::default(),
            too_deep: Cell::default(),
        }
    }

    fn start_piece(&self, piece: Range<usize>) {
        self.start.set(piece.start);
        self.end.set(piece.end);
        if is_reference(&self.source[piece.clone()]) {
            self.reference.replace(Some(piece));
        }
    }

    /// Where `text` stands in the current piece, after what was already taken from it.
    fn place(&self, text: &str) -> Range<usize> {
        if let Some(reference) = self.reference.take() {
            return reference;
        }
        let (start, end) = (self.start.get(), self.end.get());
        let piece = &self.source[start..end];
        let found = if piece.starts_with(text) {
            Some(0)
        } else {
            piece.find(text)
        };
        if let Some(found) = found {
            let at = start + found;
            self.start.set(at + text.len());
            return at..at + text.len();
        }
        // The tree builder held it back: stray text of a table comes once the next tag is known.
        let mut from = start.saturating_sub(HELD_BACK);
        while !self.source.is_char_boundary(from) {
            from -= 1;
        }
        match self.source[from..end].rfind(text) {
            Some(found) => from + found..from + found + text.len(),
            None => start..end,
        }
    }

    fn note_text(&self, node: Option<NodeId>, text: &str) {
        let Some(node) = node else { return };
        let source = self.place(text);
        let mut runs = self.runs.borrow_mut();
        let runs = runs.entry(node).or_default();
        let start = runs.last().map_or(0, |run| run.text.end);
        runs.push(Run {
            text: start..start + text.len(),
            source,
        });
    }

    fn note_depth(&self, parent: &NodeId, child: NodeId) {
        let mut depths = self.depths.borrow_mut();
        let depth = depths.get(parent).copied().unwrap_or(0) + 1;
        depths.insert(child, depth);
        if depth > DEEPEST {
            self.too_deep.set(true);
        }
    }
}

impl TreeSink for PositionedSink<'_> {
    type Handle = NodeId;
    type Output = (Html, FxHashMap<NodeId, Vec<Run>>);
    type ElemName<'a>
        = <HtmlTreeSink as TreeSink>::ElemName<'a>
    where
        Self: 'a;

    fn finish(self) -> Self::Output {
        (self.tree.finish(), self.runs.into_inner())
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        self.tree.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Self::ElemName<'a> {
        self.tree.elem_name(target)
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> NodeId {
        self.tree.create_element(name, attrs, flags)
    }

    fn create_comment(&self, text: StrTendril) -> NodeId {
        self.tree.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> NodeId {
        self.tree.create_pi(target, data)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        match child {
            NodeOrText::AppendNode(node) => {
                self.note_depth(parent, node);
                self.tree.append(parent, NodeOrText::AppendNode(node));
            }
            NodeOrText::AppendText(text) => {
                self.tree
                    .append(parent, NodeOrText::AppendText(text.clone()));
                let html = self.tree.0.borrow();
                let last = html.tree.get(*parent).and_then(|n| n.last_child());
                self.note_text(last.map(|n| n.id()), &text);
            }
        }
    }

    fn append_before_sibling(&self, sibling: &NodeId, new_node: NodeOrText<NodeId>) {
        let text = match &new_node {
            NodeOrText::AppendText(text) => Some(text.clone()),
            NodeOrText::AppendNode(_) => None,
        };
        self.tree.append_before_sibling(sibling, new_node);
        if let Some(text) = text {
            let html = self.tree.0.borrow();
            let before = html.tree.get(*sibling).and_then(|n| n.prev_sibling());
            self.note_text(before.map(|n| n.id()), &text);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        prev_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let html = self.tree.0.borrow();
        let has_parent = html
            .tree
            .get(*element)
            .is_some_and(|n| n.parent().is_some());
        drop(html);
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        self.tree.append_doctype_to_document(name, public, system);
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        self.tree.get_template_contents(target)
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        self.tree.same_node(x, y)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.tree.set_quirks_mode(mode);
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attrs: Vec<Attribute>) {
        self.tree.add_attrs_if_missing(target, attrs);
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.tree.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        self.tree.reparent_children(node, new_parent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_of_plain_text_stands_where_it_says() {
        let source = "<!doctype html><title>A &amp; B</title><p>one <b>two</b>\r\n&lt;3 \
            한글; x</p><table>stray<tr><td>cell</table>";
        let parsed = parse(source);
        let mut seen = Vec::new();
        for (node, runs) in &parsed.runs {
            let text = match parsed.html.tree.get(*node).unwrap().value() {
                scraper::Node::Text(text) => text.text.to_string(),
                _ => unreachable!("runs belong to text nodes"),
            };
            assert_eq!(runs.last().unwrap().text.end, text.len());
            for run in runs {
                let quote = &source[run.source.clone()];
                let exact = text[run.text.clone()] == *quote;
                seen.push((text[run.text.clone()].to_owned(), quote.to_owned(), exact));
            }
        }
        seen.sort();
        for (text, quote, exact) in &seen {
            assert!(*exact || quote.starts_with('&'), "{text:?} from {quote:?}");
        }
        assert!(seen.iter().any(|(t, q, _)| t == "<" && q == "&lt;"));
        assert!(seen.iter().any(|(t, _, e)| t == "cell" && *e));
    }

    #[test]
    fn deep_nesting_is_cut_and_said() {
        let parsed = parse(&"<div>".repeat(100_000));
        assert!(parsed.cut);
    }
}
