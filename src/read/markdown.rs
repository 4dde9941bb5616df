//! Markdown (CommonMark with tables, task lists and front matter) to blocks.
//!
//! HTML inside is read as HTML. What static site generators leave in their sources is no text: front
//! matter becomes metadata; MDX imports, ERB, Liquid and shortcode lines and Kramdown attribute lists go.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::front_matter::{self, Meta};
use super::html::read_html;
use super::page::{Block, BlockKind, Link};

/// Reads Markdown into blocks and the metadata of its head.
pub(super) fn read_markdown(source: &str) -> (Vec<Block>, Vec<Meta>) {
    let (meta, body) = front_matter::split(source);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let text = &source[body..];
    let mut reader = Reader {
        source,
        ..Reader::default()
    };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.event(event, range.start + body..range.end + body);
    }
    reader.finish();
    reader.read_html_run();
    let mut blocks = reader.blocks;
    blocks.retain(|b| !is_leftover(&b.text));
    (blocks, meta)
}

/// A line that a site generator would have consumed.
fn is_leftover(text: &str) -> bool {
    let text = text.trim();
    let wrapped = |open: &str, close: &str| text.starts_with(open) && text.ends_with(close);
    let import = text.starts_with("import ") && text.contains(" from ") && text.len() < 200;
    let exported = text.starts_with("export const ") || text.starts_with("export default ");
    text.is_empty()
        || wrapped("{:", "}")
        || wrapped("{%", "%}")
        || wrapped("{{<", ">}}")
        || wrapped("{{%", "%}}")
        || wrapped("<%", "%>")
        || wrapped("<!--", "-->")
        || text.chars().all(|c| matches!(c, '\\' | ' '))
        || import
        || exported
}

#[derive(Default)]
struct Reader<'s> {
    source: &'s str,
    blocks: Vec<Block>,
    current: Option<Block>,
    lists: u8,
    // An item whose first text has not been read yet.
    item: Option<u8>,
    links: Vec<(usize, String)>,
    strong: Vec<usize>,
    cell: Option<usize>,
    code: bool,
    image: usize,
    html: Option<Range<usize>>,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        let html = matches!(
            event,
            Event::Html(_) | Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock)
        );
        if !html {
            self.read_html_run();
        }
        match event {
            Event::Start(tag) => self.start(&tag, &range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, range),
            Event::Code(text) => self.inline_code(&text, range),
            Event::SoftBreak => self.soft_break(range),
            Event::HardBreak => self.line(range),
            Event::Html(_) => {
                let run = self.html.get_or_insert(range.clone());
                run.end = range.end;
            }
            Event::InlineHtml(text) => {
                let tag = text.to_ascii_lowercase();
                if tag.starts_with("<br") {
                    self.line(range);
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.finish();
                self.current = Some(Block::new(BlockKind::Heading(*level as u8)));
            }
            Tag::Paragraph => self.open_text(),
            Tag::List(_) => {
                self.finish();
                self.lists = self.lists.saturating_add(1);
            }
            Tag::Item => {
                self.finish();
                self.item = Some(self.lists.max(1));
            }
            Tag::CodeBlock(_) => {
                self.finish();
                self.code = true;
                self.current = Some(Block::new(BlockKind::Preformatted));
            }
            Tag::TableHead | Tag::TableRow => {
                self.finish();
                self.current = Some(Block::new(BlockKind::Row));
            }
            Tag::TableCell => {
                let block = self
                    .current
                    .get_or_insert_with(|| Block::new(BlockKind::Row));
                if !block.cells.is_empty() {
                    block.push('\t', range.start..range.start);
                }
                self.cell = Some(block.text.len());
            }
            Tag::Strong | Tag::Emphasis => {
                let at = self.text_length();
                self.strong.push(at);
                self.joint();
            }
            Tag::Link { dest_url, .. } => {
                let at = self.text_length();
                self.links.push((at, dest_url.to_string()));
                self.joint();
            }
            Tag::Image { .. } => self.image += 1,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::TableHead | TagEnd::TableRow => {
                self.finish()
            }
            TagEnd::CodeBlock => {
                self.finish();
                self.code = false;
            }
            TagEnd::Item => {
                self.finish();
                self.item = None;
            }
            TagEnd::List(_) => {
                self.finish();
                self.lists = self.lists.saturating_sub(1);
            }
            TagEnd::TableCell => {
                if let (Some(start), Some(block)) = (self.cell.take(), self.current.as_mut()) {
                    let end = block.text.len();
                    block.cells.push(start..end);
                }
            }
            TagEnd::Strong | TagEnd::Emphasis => {
                if let (Some(start), Some(block)) = (self.strong.pop(), self.current.as_mut()) {
                    block
                        .strong
                        .push(start.min(block.text.len())..block.text.len());
                }
                self.joint();
            }
            TagEnd::Link => {
                if let (Some((start, href)), Some(block)) =
                    (self.links.pop(), self.current.as_mut())
                {
                    let range = start.min(block.text.len())..block.text.len();
                    block.links.push(Link { range, href });
                }
                self.joint();
            }
            TagEnd::Image => self.image = self.image.saturating_sub(1),
            _ => {}
        }
    }

    /// The block that text goes to: that of the open item, or a paragraph.
    fn open_text(&mut self) {
        if self.current.is_none() {
            let kind = match self.item.take() {
                Some(depth) => BlockKind::Item(depth),
                None => BlockKind::Paragraph,
            };
            self.current = Some(Block::new(kind));
        }
    }

    fn text_length(&mut self) -> usize {
        self.open_text();
        self.current.as_ref().map_or(0, |b| b.text.len())
    }

    fn joint(&mut self) {
        if let Some(block) = &mut self.current {
            block.joints.push(block.text.len());
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        if self.image > 0 {
            return;
        }
        self.open_text();
        // Text is the source itself, or what one character reference stands for.
        let exact = self.source.get(range.clone()) == Some(text);
        let (offset, code) = (range.start, self.code);
        let Some(block) = &mut self.current else {
            return;
        };
        for (i, c) in text.char_indices() {
            let source = if exact {
                offset + i..offset + i + c.len_utf8()
            } else {
                range.clone()
            };
            let c = if c == '\n' && !code { ' ' } else { c };
            if c == ' ' && !code && (block.text.is_empty() || block.text.ends_with([' ', '\t'])) {
                continue;
            }
            block.push(c, source);
        }
    }

    fn inline_code(&mut self, text: &str, range: Range<usize>) {
        let inside = self.source.get(range.clone()).and_then(|s| s.find(text));
        match inside {
            Some(at) => self.text(text, range.start + at..range.start + at + text.len()),
            None => self.text(text, range),
        }
    }

    /// The end of a line in a paragraph. Lines that each start with a time are events of their own;
    /// other lines are one text.
    fn soft_break(&mut self, range: Range<usize>) {
        let next = self.source.get(range.end..).unwrap_or_default();
        if starts_with_time(next) {
            self.line(range);
        } else {
            self.text("\n", range);
        }
    }

    fn line(&mut self, range: Range<usize>) {
        let splits = self
            .current
            .as_ref()
            .is_some_and(|b| b.kind != BlockKind::Row);
        if splits {
            self.finish();
            self.open_text();
        } else {
            self.text("\n", range);
        }
    }

    fn finish(&mut self) {
        if let Some(mut block) = self.current.take() {
            block.trim_end();
            if !block.text.trim().is_empty() {
                self.blocks.push(block);
            }
        }
        self.strong.clear();
        self.links.clear();
    }

    /// Reads the HTML that came before as HTML.
    fn read_html_run(&mut self) {
        let Some(run) = self.html.take() else { return };
        self.finish();
        let Some(text) = self.source.get(run.clone()) else {
            return;
        };
        let read = read_html(text);
        for mut block in read.blocks {
            block.shift(run.start);
            block.container = None;
            if let Some(depth) = self.item.take() {
                block.kind = BlockKind::Item(depth);
            }
            self.blocks.push(block);
        }
    }
}

/// Whether a line begins with a day or a clock time, a list mark or emphasis before it or not.
pub(super) fn starts_with_time(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '*', '_', '\\', '~', '[', '(']);
    let head: String = line.chars().take(24).collect();
    let digits = head.chars().take_while(char::is_ascii_digit).count();
    if digits == 0 || digits > 4 {
        return false;
    }
    let rest = &head[digits..];
    let clock = rest.starts_with(':') && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    let dated = rest.starts_with(['-', '/', '.']) && head.matches(':').count() >= 1;
    clock || dated
}
