//! Bytes to text: by byte order mark, by the page's own `<meta>`, by being valid UTF-8, else by detection.

use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

use crate::finding::Position;

/// The text of a raw page, and the way back to its bytes.
#[derive(Debug, Clone)]
pub struct Decoded {
    /// The whole text.
    pub text: String,
    /// The name of the character set (WHATWG Encoding Standard).
    pub encoding: &'static str,
    /// Whether some bytes did not fit the character set.
    pub lossy: bool,
    // Raw offset of each text offset at which they drift apart; empty when they only differ by `skipped`.
    map: Vec<(usize, usize)>,
    skipped: usize,
    places: Places,
    // Of a PDF: where its pages begin in the text, and how many bytes the file has.
    paged: Option<(Vec<usize>, usize)>,
}

impl Decoded {
    /// The text of a document whose bytes hold none: every part of it stands somewhere in the whole file.
    #[cfg(feature = "pdf")]
    pub(super) fn of_pages(text: String, pages: Vec<usize>, length: usize) -> Self {
        Self {
            places: Places::of(&text),
            text,
            encoding: "PDF",
            lossy: false,
            map: Vec::new(),
            skipped: 0,
            paged: Some((pages, length)),
        }
    }

    /// The raw bytes that a range of the text came from; of a PDF the whole file.
    pub fn raw_range(&self, range: &Range<usize>) -> Range<usize> {
        if let Some((_, length)) = &self.paged {
            return 0..*length;
        }
        self.raw_offset(range.start)..self.raw_offset(range.end)
    }

    /// Whether the file is a document of pages, whose bytes hold no running text.
    pub fn is_paged(&self) -> bool {
        self.paged.is_some()
    }

    /// Line and column of an offset in the text; of a PDF the page, and the line on it.
    pub fn position(&self, offset: usize) -> Position {
        if let Some((pages, _)) = &self.paged {
            let page = pages.partition_point(|start| *start <= offset).max(1);
            let start = pages.get(page - 1).copied().unwrap_or(0);
            let lines = |at: usize| self.places.lines.partition_point(|line| *line <= at);
            return Position {
                line: page,
                column: lines(offset).saturating_sub(lines(start)) + 1,
            };
        }
        let line = self.places.lines.partition_point(|start| *start <= offset);
        let start = self
            .places
            .lines
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(0);
        let characters = |at: usize| self.places.characters_before(&self.text, at);
        Position {
            line: line.max(1),
            column: characters(offset.min(self.text.len())).saturating_sub(characters(start)) + 1,
        }
    }

    fn raw_offset(&self, offset: usize) -> usize {
        match self.map.partition_point(|(text, _)| *text <= offset) {
            0 => offset + self.skipped,
            i => self.map[i - 1].1,
        }
    }
}

/// Decodes bytes. `html` says that a `<meta charset>` in the first 1,024 bytes counts.
pub fn decode(bytes: &[u8], html: bool) -> Decoded {
    decode_as(bytes, html, None)
}

/// The same, where the server said which character set it sends (RFC 9110, section 8.3.2). A byte order mark and valid
/// UTF-8 say more than the server.
pub fn decode_as(bytes: &[u8], html: bool, charset: Option<&str>) -> Decoded {
    let told = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let (encoding, skipped) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, length),
        None => (without_mark(bytes, html, told), 0),
    };
    let body = &bytes[skipped..];
    if encoding == UTF_8
        && let Ok(text) = std::str::from_utf8(body)
    {
        return Decoded {
            text: text.to_owned(),
            encoding: encoding.name(),
            lossy: false,
            map: Vec::new(),
            skipped,
            places: Places::of(text),
            paged: None,
        };
    }
    decode_with_map(encoding, body, skipped)
}

/// Every so many bytes of a text the characters before it are counted.
const STRIDE: usize = 4096;

/// Where the lines of a text start, and how many characters stand before each stride of its bytes:
/// so that a place in a line of megabytes is found as fast as one in a short line.
#[derive(Debug, Clone)]
struct Places {
    lines: Vec<usize>,
    characters: Vec<usize>,
}

impl Places {
    fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let mut before = 0;
        let count = |stride: &[u8]| {
            let so_far = before;
            before += starts(stride);
            so_far
        };
        Self {
            lines: std::iter::once(0)
                .chain(breaks.map(|(i, _)| i + 1))
                .collect(),
            characters: text.as_bytes().chunks(STRIDE).map(count).collect(),
        }
    }

    /// How many characters of the text start before an offset.
    fn characters_before(&self, text: &str, offset: usize) -> usize {
        let stride = (offset / STRIDE).min(self.characters.len().saturating_sub(1));
        let counted = self.characters.get(stride).copied().unwrap_or(0);
        counted
            + text
                .as_bytes()
                .get(stride * STRIDE..offset)
                .map_or(0, starts)
    }
}

/// How many characters start in a piece of UTF-8.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| (**b & 0xc0) != 0x80).count()
}

fn without_mark(bytes: &[u8], html: bool, told: Option<&'static Encoding>) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    if let Some(encoding) = told.filter(|e| *e != UTF_8) {
        return encoding;
    }
    if html && let Some(encoding) = declared(bytes) {
        return encoding;
    }
    if is_damaged_utf8(bytes) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// Whether nearly every non-ASCII sequence is UTF-8: then the rest is damage, such as a cut at the
/// end, and another character set would explain less.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > 1 && good >= bad * 2
}

/// The `charset` of a `<meta>` near the start (HTML Standard, prescan a byte stream).
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_lowercase();
    let meta = head.match_indices("<meta").find_map(|(at, _)| {
        let tag = head[at..].split('>').next()?;
        let value = tag
            .split("charset")
            .nth(1)?
            .trim_start()
            .strip_prefix('=')?;
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        let end = value
            .find(['"', '\'', ' ', '/', ';'])
            .unwrap_or(value.len());
        Encoding::for_label(&value.as_bytes()[..end])
    })?;
    // A meta element cannot announce UTF-16: it could not have been read (HTML Standard, 13.2.3.3).
    Some(if meta.name().starts_with("UTF-16") {
        UTF_8
    } else {
        meta
    })
}

/// Feeds the decoder one byte at a time, so that the raw offset of every character is known and no
/// character is ever cut.
fn decode_with_map(encoding: &'static Encoding, body: &[u8], skipped: usize) -> Decoded {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut text, mut map, mut lossy) = (String::with_capacity(body.len() * 2), Vec::new(), false);
    let mut character_start = 0;
    for i in 0..=body.len() {
        let last = i == body.len();
        let input = if last { &[] } else { &body[i..=i] };
        let before = text.len();
        // One byte of input never yields more than a few characters; the room below is never short.
        text.reserve(32);
        let (_, _, replaced) = decoder.decode_to_string(input, &mut text, last);
        lossy |= replaced;
        if text.len() > before {
            map.push((before, skipped + character_start));
            character_start = if last { i } else { i + 1 };
        }
    }
    map.push((text.len(), skipped + body.len()));
    map.dedup_by(|next, kept| next.0 == kept.0);
    let places = Places::of(&text);
    Decoded {
        text,
        encoding: encoding.name(),
        lossy,
        map,
        skipped,
        places,
        paged: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_lines_of_any_length() {
        let text = format!("가나\n{}끝", "a가".repeat(STRIDE));
        let decoded = decode(text.as_bytes(), false);
        for (offset, _) in text.char_indices().step_by(997) {
            let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
            let column = text[line_start..offset].chars().count() + 1;
            assert_eq!(decoded.position(offset).column, column, "{offset}");
        }
        assert_eq!(decoded.position(text.len()).line, 2);
    }

    fn check(bytes: &[u8], html: bool, encoding: &str, text: &str, quote: &str, raw: &[u8]) {
        let decoded = decode(bytes, html);
        assert_eq!(decoded.encoding, encoding);
        assert_eq!(decoded.text, text);
        let start = decoded.text.find(quote).unwrap();
        let range = decoded.raw_range(&(start..start + quote.len()));
        assert_eq!(&bytes[range], raw, "{quote}");
    }

    #[test]
    fn utf8_with_and_without_mark() {
        check(
            "가나".as_bytes(),
            false,
            "UTF-8",
            "가나",
            "나",
            "나".as_bytes(),
        );
        check(b"\xef\xbb\xbfabc", false, "UTF-8", "abc", "bc", b"bc");
    }

    #[test]
    fn korean_by_meta_and_by_detection() {
        let (body, _, _) =
            encoding_rs::EUC_KR.encode("<meta charset=euc-kr><p>복구까지 17시간</p>");
        let (quote, _, _) = encoding_rs::EUC_KR.encode("17시간");
        check(
            &body,
            true,
            "EUC-KR",
            "<meta charset=euc-kr><p>복구까지 17시간</p>",
            "17시간",
            &quote,
        );
        let plain =
            "장애는 오전 5시 15분에 시작됐고 오후 10시 23분에 끝났다. 원인은 용량 한계였다.";
        let (body, _, _) = encoding_rs::EUC_KR.encode(plain);
        let (quote, _, _) = encoding_rs::EUC_KR.encode("원인");
        check(&body, false, "EUC-KR", plain, "원인", &quote);
    }

    #[test]
    fn japanese_by_detection() {
        let plain =
            "障害は午前5時15分に始まり、午後10時23分に復旧しました。原因は容量の上限でした。";
        let (body, _, _) = encoding_rs::SHIFT_JIS.encode(plain);
        let (quote, _, _) = encoding_rs::SHIFT_JIS.encode("原因");
        check(&body, false, "Shift_JIS", plain, "原因", &quote);
    }

    #[test]
    fn utf16_by_mark() {
        let bytes: Vec<u8> = "\u{feff}한 a"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        check(&bytes, false, "UTF-16LE", "한 a", "a", b"a\0");
    }

    #[test]
    fn a_damaged_file_is_said_to_be_lossy() {
        let decoded = decode("가나다".as_bytes()[..8].as_ref(), false);
        assert!(decoded.lossy);
        assert!(decoded.text.starts_with("가나"));
    }
}
