//! PDF documents: glyphs in their places become lines, and lines blocks.
//!
//! The bytes of a PDF hold no running text, so the place of a value is not a span of bytes but a page and a line
//! on it; see [`Decoded::position`].

use std::collections::HashMap;

use hayro_interpret::font::GlyphRun;
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::hayro_syntax::{LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
    InterpreterCache, InterpreterSettings, SoftMask, interpret_page,
};

use super::encoding::Decoded;
use super::page::{Block, BlockKind};

/// Pages that are read; a postmortem has a few dozen at most.
const MOST_PAGES: usize = 500;

/// Characters that are read.
const MOST_CHARACTERS: usize = 8 << 20;

/// What a PDF document holds.
pub(super) struct ReadPdf {
    pub(super) blocks: Vec<Block>,
    pub(super) decoded: Decoded,
    /// Pages that hold pictures and no text, of all pages: a scan.
    pub(super) pictures: (usize, usize),
    /// Not all of it was read.
    pub(super) cut: bool,
}

/// Why a document could not be read.
pub(super) enum PdfFault {
    /// It is encrypted with a password.
    Locked,
    /// It is damaged.
    Damaged,
}

/// Reads a document.
pub(super) fn read_pdf(bytes: &[u8]) -> Result<ReadPdf, PdfFault> {
    let owned = bytes.to_vec();
    // The library is written not to panic; should it do so, a page is lost and not a run.
    let pages =
        std::panic::catch_unwind(move || glyphs_of(owned)).unwrap_or(Err(PdfFault::Damaged))?;
    let total = pages.glyphs.len();
    let lines: Vec<Vec<Line>> = pages.glyphs.iter().map(|page| lines(page)).collect();
    let text_less = |(lines, pictured): (&Vec<Line>, &bool)| lines.is_empty() && *pictured;
    let scanned = lines
        .iter()
        .zip(&pages.pictured)
        .filter(|p| text_less(*p))
        .count();
    let (blocks, decoded) = blocks(&lines, bytes.len());
    Ok(ReadPdf {
        blocks,
        decoded,
        pictures: (scanned, total),
        cut: pages.cut,
    })
}

/// A character in its place; the origin is the upper left corner, in points.
struct Glyph {
    text: String,
    x: f64,
    end: f64,
    y: f64,
    size: f64,
}

struct Pages {
    glyphs: Vec<Vec<Glyph>>,
    pictured: Vec<bool>,
    cut: bool,
}

fn glyphs_of(bytes: Vec<u8>) -> Result<Pages, PdfFault> {
    let pdf = Pdf::new(bytes).map_err(|e| match e {
        LoadPdfError::Decryption(_) => PdfFault::Locked,
        LoadPdfError::Invalid => PdfFault::Damaged,
    })?;
    let cache = InterpreterCache::new();
    let mut out = Pages {
        glyphs: Vec::new(),
        pictured: Vec::new(),
        cut: false,
    };
    let mut left = MOST_CHARACTERS;
    for (n, page) in pdf.pages().iter().enumerate() {
        if n >= MOST_PAGES || left == 0 {
            out.cut = true;
            break;
        }
        let (_, height) = page.render_dimensions();
        let mut reader = Reader {
            flip: Affine::translate((0.0, f64::from(height)))
                * Affine::scale_non_uniform(1.0, -1.0),
            glyphs: Vec::new(),
            pictured: false,
            left,
        };
        let settings = InterpreterSettings::default();
        let bounds = Rect::new(0.0, 0.0, 1.0, 1.0);
        let mut context = Context::new(Affine::IDENTITY, bounds, &cache, pdf.xref(), settings);
        interpret_page(page, &mut context, &mut reader);
        left = reader.left;
        out.glyphs.push(reader.glyphs);
        out.pictured.push(reader.pictured);
    }
    Ok(out)
}

/// Collects the characters of a page and draws nothing. Hidden text counts: it is the text of a scan.
struct Reader {
    flip: Affine,
    glyphs: Vec<Glyph>,
    pictured: bool,
    left: usize,
}

impl Device<'_> for Reader {
    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {}

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {}

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, _: &DrawMode) {
        for glyph in run.glyphs() {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let text = match glyph.as_unicode() {
                Some(BfString::Char(c)) => c.to_string(),
                Some(BfString::String(text)) => text,
                None => '\u{fffd}'.to_string(),
            };
            let text: String = text.chars().filter(|c| !c.is_control()).collect();
            let place = self.flip * props.transform * glyph.transform();
            let at = place * Point::ZERO;
            let up = place * Point::new(0.0, 1000.0) - at;
            let size = up.hypot();
            let advance = match &**glyph {
                hayro_interpret::font::Glyph::Outline(g) => g.advance_width(),
                hayro_interpret::font::Glyph::Type3(g) => g.advance_width(),
            };
            let end = place * Point::new(f64::from(advance.unwrap_or(500.0)), 0.0);
            let finite = at.x.is_finite() && at.y.is_finite() && size.is_finite();
            if finite && size > 0.0 && !text.is_empty() {
                self.glyphs.push(Glyph {
                    text,
                    x: at.x,
                    end: if end.x.is_finite() {
                        end.x.max(at.x)
                    } else {
                        at.x
                    },
                    y: at.y,
                    size,
                });
            }
        }
    }

    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {
        self.pictured = true;
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}

/// Characters on one base line.
struct Line {
    /// Parts of the line with wide gaps between them: the cells of a row.
    cells: Vec<String>,
    x: f64,
    end: f64,
    y: f64,
    size: f64,
}

impl Line {
    fn text(&self) -> String {
        self.cells.join(" ")
    }
}

/// The lines of a page, in the order that the document draws them; lines drawn in pieces are joined.
fn lines(glyphs: &[Glyph]) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    for glyph in glyphs {
        let joins = out.last().is_some_and(|line| {
            let level = (line.y - glyph.y).abs() <= line.size.max(glyph.size) * 0.35;
            level && glyph.x >= line.end - glyph.size
        });
        if !joins {
            out.push(Line {
                cells: vec![String::new()],
                x: glyph.x,
                end: glyph.x,
                y: glyph.y,
                size: glyph.size,
            });
        }
        let Some(line) = out.last_mut() else { continue };
        let gap = glyph.x - line.end;
        let blank = glyph.text.trim().is_empty();
        if let Some(cell) = line.cells.last_mut() {
            if gap > glyph.size * 1.2 && !cell.trim().is_empty() && !blank {
                line.cells.push(glyph.text.clone());
            } else {
                if gap > glyph.size * 0.2 && !cell.is_empty() && !cell.ends_with(' ') && !blank {
                    cell.push(' ');
                }
                cell.push_str(&glyph.text);
            }
        }
        if !blank {
            line.size = line.size.max(glyph.size);
        }
        line.end = line.end.max(glyph.end);
    }
    for line in &mut out {
        for cell in &mut line.cells {
            *cell = cell.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        line.cells.retain(|cell| !cell.is_empty());
    }
    out.retain(|line| !line.cells.is_empty());
    out
}

/// Lines to blocks: what is larger than the running text is a heading, a mark opens an item, wide gaps
/// make cells, and what repeats at the edges of the pages is left out.
fn blocks(pages: &[Vec<Line>], length: usize) -> (Vec<Block>, Decoded) {
    let body = body_size(pages);
    let repeated = edges(pages);
    let (mut text, mut starts) = (String::new(), Vec::new());
    let mut out: Vec<Block> = Vec::new();
    for page in pages {
        starts.push(text.len());
        let right = page.iter().map(|l| l.end).fold(0.0, f64::max);
        let mut before: Option<&Line> = None;
        for line in page {
            let source = text.len();
            if repeated.contains_key(&edge_key(&line.text())) {
                // It still counts as a line of its page.
                text.push('\n');
                continue;
            }
            let (kind, marked) = kind_of(line, body);
            let told = line.cells.join("\t");
            let told = told
                .strip_prefix(marked)
                .unwrap_or(&told)
                .trim_start()
                .to_owned();
            let goes_on = before.zip(out.last()).is_some_and(|(before, block)| {
                continues(before, line, block.kind, kind, marked, right)
            });
            let start = source + line.cells.join("\t").len() - told.len();
            text.push_str(&line.cells.join("\t"));
            text.push('\n');
            if !goes_on {
                out.push(Block::new(kind));
            }
            let Some(block) = out.last_mut() else {
                continue;
            };
            if goes_on {
                join(block, &told, start);
            }
            let offset = block.text.len();
            for (i, c) in told.char_indices() {
                block.push(c, start + i..start + i + c.len_utf8());
            }
            if kind == BlockKind::Row {
                let mut at = offset;
                for cell in told.split('\t') {
                    block.cells.push(at..at + cell.len());
                    at += cell.len() + 1;
                }
            }
            before = Some(line);
        }
    }
    out.retain(|block| !block.text.trim().is_empty());
    (out, Decoded::of_pages(text, starts, length))
}

/// The size that most characters have.
fn body_size(pages: &[Vec<Line>]) -> f64 {
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for line in pages.iter().flatten() {
        let count = line.cells.iter().map(String::len).sum::<usize>();
        *sizes.entry((line.size * 2.0).round() as u32).or_default() += count;
    }
    let most = sizes
        .into_iter()
        .max_by_key(|(size, count)| (*count, *size));
    most.map_or(12.0, |(size, _)| f64::from(size) / 2.0)
}

/// The first and last lines that most pages share, numbers aside.
fn edges(pages: &[Vec<Line>]) -> HashMap<String, usize> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for page in pages {
        let mut of_page: Vec<String> = Vec::new();
        for line in page.iter().take(2).chain(page.iter().rev().take(2)) {
            let key = edge_key(&line.text());
            if !of_page.contains(&key) {
                of_page.push(key);
            }
        }
        for key in of_page {
            *seen.entry(key).or_default() += 1;
        }
    }
    seen.retain(|_, count| *count >= 3 && *count * 2 > pages.len());
    seen
}

fn edge_key(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// What a line is by itself, and the mark that opens it.
fn kind_of(line: &Line, body: f64) -> (BlockKind, &'static str) {
    const MARKS: [&str; 10] = ["•", "●", "◦", "○", "▪", "■", "‣", "–", "*", "-"];
    let text = &line.cells[0];
    let opens = |mark: &&&str| {
        let rest = text.strip_prefix(**mark);
        rest.is_some_and(|rest| (rest.is_empty() && line.cells.len() > 1) || rest.starts_with(' '))
    };
    if let Some(mark) = MARKS.iter().find(opens) {
        return (BlockKind::Item(1), mark);
    }
    let larger = line.size / body;
    let short = line.text().chars().count() <= 120;
    if larger >= 1.12 && short {
        let level = match larger {
            1.7.. => 1,
            1.3.. => 2,
            _ => 3,
        };
        return (BlockKind::Heading(level), "");
    }
    if line.cells.len() > 1 {
        return (BlockKind::Row, "");
    }
    (BlockKind::Paragraph, "")
}

/// Whether a line goes on with the block of the line before it.
fn continues(
    before: &Line,
    line: &Line,
    open: BlockKind,
    kind: BlockKind,
    mark: &str,
    right: f64,
) -> bool {
    let step = line.y - before.y;
    let near = step > 0.0 && step <= before.size.max(line.size) * 1.6;
    let same_size = (before.size - line.size).abs() <= before.size * 0.05;
    // A line that ends well before the margin ends its paragraph.
    let full = before.end >= right - (right - before.x) * 0.25;
    match (open, kind) {
        (BlockKind::Paragraph, BlockKind::Paragraph) => near && same_size && full,
        (BlockKind::Item(_), BlockKind::Paragraph) => {
            near && same_size && full && line.x >= before.x - line.size * 0.5 && mark.is_empty()
        }
        (BlockKind::Heading(a), BlockKind::Heading(b)) => a == b && near && same_size && full,
        _ => false,
    }
}

fn is_hangul(c: char) -> bool {
    ('가'..='힣').contains(&c)
}

/// Whether a line opens with a syllable that only ends a Korean word: the line was broken inside of it.
fn opens_with_particle(line: &str) -> bool {
    let word: String = line.chars().take_while(|c| is_hangul(*c)).collect();
    matches!(
        word.as_str(),
        "이" | "가"
            | "을"
            | "를"
            | "은"
            | "는"
            | "의"
            | "에"
            | "도"
            | "로"
            | "다"
            | "과"
            | "와"
            | "요"
    )
}

/// Prepares a block for its next line: a blank, nothing between letters of scripts without blanks, and a
/// hyphen at the end of a line goes where a small letter follows.
fn join(block: &mut Block, next: &str, at: usize) {
    let wide = |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}');
    let last = block.text.chars().next_back();
    let first = next.chars().next();
    let (Some(last), Some(first)) = (last, first) else {
        return;
    };
    let hyphen = last == '-' && first.is_lowercase();
    let before = block
        .text
        .chars()
        .rev()
        .nth(1)
        .is_some_and(char::is_lowercase);
    if hyphen && before {
        block.text.pop();
        block.trim_end();
    } else if !(wide(last) && wide(first) || (is_hangul(last) && opens_with_particle(next))) {
        block.push(' ', at..at);
    }
}
