//! HTML to blocks: which element starts a block, and which only runs through one.

use rustc_hash::FxHashMap;
use scraper::Node;
use scraper::node::Element;

use super::container::{Container, Roles};
use super::elements::{is_block, is_content, is_hidden, is_layout};
use super::front_matter::Meta;
use super::metadata::metadata;
use super::page::{Block, BlockKind, Link};
use super::positioned::{DEEPEST, NodeId, PositionedHtml, Run, parse};

/// What was read from an HTML page.
#[derive(Debug, Default)]
pub(super) struct ReadHtml {
    pub blocks: Vec<Block>,
    pub containers: Vec<Container>,
    pub title: Option<String>,
    /// The declared language.
    pub language: Option<String>,
    pub meta: Vec<Meta>,
    /// The depth at which the page was cut, if it was.
    pub cut: Option<usize>,
}

/// Reads a page or a piece of one.
pub(super) fn read_html(source: &str) -> ReadHtml {
    let parsed = parse(source);
    let PositionedHtml { html, runs, cut } = &parsed;
    let language = html
        .root_element()
        .value()
        .attr("lang")
        .map(|lang| lang.trim().to_owned())
        .filter(|lang| !lang.is_empty());
    let mut walker = Walker::new(runs);
    for edge in html.tree.root().traverse() {
        match edge {
            ego_tree::iter::Edge::Open(node) => walker.open(node),
            ego_tree::iter::Edge::Close(node) => walker.close(node),
        }
    }
    walker.finish_block();
    let title = walker
        .title
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let title = Some(title).filter(|t| !t.is_empty());
    let meta = metadata(&parsed, source, &mut walker.roles);
    ReadHtml {
        blocks: walker.blocks,
        containers: walker.containers,
        title,
        language,
        meta,
        cut: cut.then_some(DEEPEST),
    }
}

struct Walker<'a> {
    runs: &'a FxHashMap<NodeId, Vec<Run>>,
    blocks: Vec<Block>,
    containers: Vec<Container>,
    current: Block,
    // The innermost block-level element that is open.
    container: Option<usize>,
    roles: Roles,
    // The block-level elements we are inside of, each with the kind it gives to its text.
    kinds: Vec<(NodeId, BlockKind)>,
    lists: u8,
    // Elements whose content is not shown; nothing inside is read until the element ends.
    hidden: Option<NodeId>,
    furniture: usize,
    content: usize,
    pre: usize,
    row: Option<NodeId>,
    cell_start: Option<usize>,
    link: Option<(NodeId, usize, String)>,
    strong: Vec<(NodeId, usize)>,
    pending_blank: Option<std::ops::Range<usize>>,
    // A line was broken since the last text.
    broken: bool,
    in_title: bool,
    title: String,
}

impl<'a> Walker<'a> {
    fn new(runs: &'a FxHashMap<NodeId, Vec<Run>>) -> Self {
        Self {
            runs,
            blocks: Vec::new(),
            containers: Vec::new(),
            container: None,
            roles: Roles::default(),
            current: Block::new(BlockKind::Paragraph),
            kinds: Vec::new(),
            lists: 0,
            hidden: None,
            furniture: 0,
            content: 0,
            pre: 0,
            row: None,
            cell_start: None,
            link: None,
            strong: Vec::new(),
            pending_blank: None,
            broken: false,
            in_title: false,
            title: String::new(),
        }
    }

    fn open(&mut self, node: ego_tree::NodeRef<'_, Node>) {
        if self.hidden.is_some() {
            return;
        }
        match node.value() {
            Node::Text(text) if self.in_title => self.title.push_str(text),
            Node::Text(text) => self.text(node.id(), text),
            Node::Element(element) => self.open_element(node, element),
            _ => {}
        }
    }

    fn open_element(&mut self, node: ego_tree::NodeRef<'_, Node>, element: &Element) {
        let name = element.name();
        match name {
            "title" => self.in_title = !self.inside_svg(node),
            _ if is_hidden(element) => self.hidden = Some(node.id()),
            "br" => self.line_break(),
            "a" => {
                if let Some(href) = element.attr("href") {
                    self.link = Some((node.id(), self.text_end(), href.trim().to_owned()));
                }
                self.joint();
            }
            "td" | "th" if self.row.is_some() => {
                self.pending_blank = None;
                self.cell_start = Some(self.current.text.len());
            }
            _ if self.row.is_some() && is_block(name) => self.line_break(),
            _ if is_block(name) => self.open_block(node, element),
            "strong" | "b" | "em" | "i" => {
                self.joint();
                let at = self.text_end();
                self.strong.push((node.id(), at));
            }
            _ => self.joint(),
        }
    }

    fn open_block(&mut self, node: ego_tree::NodeRef<'_, Node>, element: &Element) {
        self.finish_block();
        self.containers
            .push(Container::of(element, self.container, &mut self.roles));
        self.container = Some(self.containers.len() - 1);
        let name = element.name();
        if is_content(element) {
            self.content += 1;
        }
        if self.is_furniture(element) {
            self.furniture += 1;
        }
        let kind = match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                Some(BlockKind::Heading(name.as_bytes()[1] - b'0'))
            }
            "li" => Some(BlockKind::Item(self.lists.max(1))),
            "dt" => Some(BlockKind::Term),
            "dd" => Some(BlockKind::Description),
            "pre" => Some(BlockKind::Preformatted),
            _ => None,
        };
        match name {
            "ul" | "ol" | "menu" => self.lists = self.lists.saturating_add(1),
            "pre" => self.pre += 1,
            "tr" if !is_layout(node) => {
                self.row = Some(node.id());
                self.current.kind = BlockKind::Row;
            }
            _ => {}
        }
        if let Some(kind) = kind {
            self.kinds.push((node.id(), kind));
        }
        if self.row.is_none() {
            self.current.kind = self.kind();
        }
    }

    fn close(&mut self, node: ego_tree::NodeRef<'_, Node>) {
        if let Some(hidden) = self.hidden {
            if hidden == node.id() {
                self.hidden = None;
            }
            return;
        }
        let Node::Element(element) = node.value() else {
            return;
        };
        let name = element.name();
        match name {
            "title" => self.in_title = false,
            "a" => {
                if let Some((_, start, href)) = self.link.take_if(|(id, ..)| *id == node.id()) {
                    let range = start.min(self.current.text.len())..self.current.text.len();
                    self.current.links.push(Link { range, href });
                }
                self.joint();
            }
            "td" | "th" if self.row.is_some() => {
                if let Some(start) = self.cell_start.take() {
                    self.current.cells.push(start..self.current.text.len());
                    self.pending_blank = None;
                    self.push_blank_between_cells();
                }
            }
            "tr" if self.row == Some(node.id()) => {
                self.finish_block();
                self.leave_container();
                self.row = None;
                self.current.kind = self.kind();
            }
            _ if self.row.is_some() && is_block(name) => {}
            _ if is_block(name) => self.close_block(node.id(), element),
            "strong" | "b" | "em" | "i" => {
                if let Some((_, start)) = self.strong.pop_if(|(id, _)| *id == node.id()) {
                    let end = self.current.text.len();
                    self.current.strong.push(start.min(end)..end);
                }
                self.joint();
            }
            _ => self.joint(),
        }
    }

    fn close_block(&mut self, id: NodeId, element: &Element) {
        self.finish_block();
        self.leave_container();
        if self.kinds.last().is_some_and(|(open, _)| *open == id) {
            self.kinds.pop();
        }
        match element.name() {
            "ul" | "ol" | "menu" => self.lists = self.lists.saturating_sub(1),
            "pre" => self.pre = self.pre.saturating_sub(1),
            _ => {}
        }
        if is_content(element) {
            self.content -= 1;
        }
        if self.is_furniture(element) {
            self.furniture -= 1;
        }
        self.current.kind = self.kind();
    }

    fn leave_container(&mut self) {
        self.container = self.container.and_then(|open| self.containers[open].parent);
    }

    fn kind(&self) -> BlockKind {
        self.kinds
            .last()
            .map_or(BlockKind::Paragraph, |(_, kind)| *kind)
    }

    /// Navigation anywhere; headers, footers and asides only where they belong to the whole page.
    fn is_furniture(&self, element: &Element) -> bool {
        let role = element.attr("role").unwrap_or_default();
        let of_page = self.content == 0;
        matches!(element.name(), "nav")
            || matches!(role, "navigation" | "banner" | "contentinfo" | "search")
            || (of_page && matches!(element.name(), "header" | "footer" | "aside"))
    }

    fn inside_svg(&self, node: ego_tree::NodeRef<'_, Node>) -> bool {
        node.ancestors()
            .any(|a| a.value().as_element().is_some_and(|e| e.name() == "svg"))
    }

    fn text_end(&self) -> usize {
        let blank = self.pending_blank.is_some() && !self.current.text.is_empty();
        self.current.text.len() + usize::from(blank)
    }

    fn joint(&mut self) {
        let end = self.text_end();
        self.current.joints.push(end);
    }

    /// A line break; a second one in a row, with no text between, starts a new paragraph.
    fn line_break(&mut self) {
        let paragraph = self.current.kind == BlockKind::Paragraph && self.row.is_none();
        if std::mem::replace(&mut self.broken, true) && paragraph && self.pre == 0 {
            self.finish_block();
        }
        if !self.current.text.is_empty() {
            let at = self.current.segments.last().map_or(0, |s| s.source.end);
            self.pending_blank.get_or_insert(at..at);
        }
    }

    fn push_blank_between_cells(&mut self) {
        let at = self.current.segments.last().map_or(0, |s| s.source.end);
        self.current.push('\t', at..at);
    }

    fn text(&mut self, id: NodeId, text: &str) {
        let runs = self.runs.get(&id).map_or(&[][..], Vec::as_slice);
        for run in runs {
            let Some(part) = text.get(run.text.clone()) else {
                continue;
            };
            let exact = part.len() == run.source.len();
            for (i, c) in part.char_indices() {
                let source = if exact {
                    run.source.start + i..run.source.start + i + c.len_utf8()
                } else {
                    run.source.clone()
                };
                self.character(c, source);
            }
        }
    }

    fn character(&mut self, c: char, source: std::ops::Range<usize>) {
        if self.pre > 0 && self.row.is_none() {
            self.current.push(c, source);
        } else if matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}') {
            // A no-break space is text: only the white space of HTML folds.
            if !self.current.text.is_empty() && !self.current.text.ends_with('\t') {
                self.pending_blank.get_or_insert(source);
            }
        } else {
            self.broken = false;
            if let Some(blank) = self.pending_blank.take() {
                self.current.push(' ', blank);
            }
            self.current.push(c, source);
        }
    }

    fn finish_block(&mut self) {
        self.pending_blank = None;
        let next = Block::new(self.current.kind);
        let mut block = std::mem::replace(&mut self.current, next);
        if let Some((_, start, href)) = &mut self.link {
            // A link around several blocks belongs to each of them.
            let range = (*start).min(block.text.len())..block.text.len();
            block.links.push(Link {
                range,
                href: href.clone(),
            });
            *start = 0;
        }
        if let Some((_, start)) = self.strong.first() {
            // So does emphasis, once however deep it is.
            let range = (*start).min(block.text.len())..block.text.len();
            block.strong.push(range);
            self.strong.iter_mut().for_each(|(_, start)| *start = 0);
        }
        block.trim_end();
        block.furniture = self.furniture > 0;
        block.container = self.container;
        if !block.text.trim().is_empty() {
            self.blocks.push(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let blocks = read_html(source).blocks;
        let seen: Vec<String> = blocks
            .iter()
            .map(|b| {
                format!(
                    "{:?} {}{}",
                    b.kind,
                    if b.furniture { "~" } else { "" },
                    b.text
                )
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn block_kinds() {
        check(
            "<title>T</title><nav>menu</nav><main><h1>A  <b>b</b></h1>text<p>p<br>q</p>\
             <ul><li>one<ul><li><p>two</p></li></ul></li></ul><dl><dt>k</dt><dd><p>v</p></dd></dl>\
             <table><tr><th>x</th><td>1 <p>2</p></td></tr></table><pre> a\n  b</pre></main>\
             <footer>end</footer><script>no</script>",
            &[
                "Paragraph ~menu",
                "Heading(1) A b",
                "Paragraph text",
                "Paragraph p q",
                "Item(1) one",
                "Item(2) two",
                "Term k",
                "Description v",
                "Row x\t1 2",
                "Preformatted  a\n  b",
                "Paragraph ~end",
            ],
        );
    }

    #[test]
    fn layout_tables_flow_and_data_tables_stay_rows() {
        check(
            "<table><tr><td><h2>H</h2><p>p</p></td></tr></table>",
            &["Heading(2) H", "Paragraph p"],
        );
    }

    #[test]
    fn emphasis_around_several_blocks_belongs_to_each() {
        let blocks = read_html("a <b>b\0<ul><li>\u{fffd}\u{fffd} c</li></ul>d</b> e").blocks;
        let strong: Vec<&str> = blocks
            .iter()
            .flat_map(|b| b.strong.iter().map(|r| &b.text[r.clone()]))
            .collect();
        assert_eq!(strong, ["b", "\u{fffd}\u{fffd} c", "d"]);
    }

    #[test]
    fn quotes_come_back_from_the_source() {
        let source = "<p>a &amp;  <a href=' /x '>b\n c</a> 가</p>";
        let blocks = read_html(source).blocks;
        let block = &blocks[0];
        assert_eq!(block.text, "a & b c 가");
        assert_eq!(&source[block.source_range(0..3)], "a &amp;");
        let link = &block.links[0];
        assert_eq!(
            (&block.text[link.range.clone()], link.href.as_str()),
            ("b c", "/x")
        );
        let at = block.text.find('가').unwrap();
        assert_eq!(&source[block.source_range(at..at + 3)], "가");
    }
}
