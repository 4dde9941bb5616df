//! Bytes to values: a raw page becomes a [`Page`] of blocks, a record file becomes a [`RecordFile`].
//!
//! Every block knows which bytes of the raw file each part of its text came from. Nothing here
//! decides what a text means.

mod container;
mod damage;
mod elements;
mod encoding;
mod front_matter;
mod html;
mod json;
mod markdown;
mod metadata;
mod page;
#[cfg(feature = "pdf")]
mod pdf;
mod positioned;
mod record;
mod text;

pub use container::{Container, Role, Tag};
pub use damage::words_lost;
pub use encoding::{Decoded, decode, decode_as};
pub use front_matter::Meta;
pub use json::{JsonFault, parse_json};
pub use page::{Block, BlockKind, Link, Page, Segment};
pub(crate) use record::kind_of;
pub use record::{LARGEST_RECORD, RecordFile, read_record};

use crate::finding::{Finding, Level};

/// Raw pages larger than this are not read: the largest of the pages this was built on has 1.4 MB.
pub const LARGEST_PAGE: u64 = 64 << 20;

/// The media types a raw page can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// `application/json`
    Json,
    /// `text/html`
    Html,
    /// `application/pdf`
    Pdf,
    /// `text/markdown`
    Markdown,
    /// `text/plain`
    Text,
}

impl Media {
    /// From the ending of the file name, and from the first bytes where the name says nothing.
    pub fn guess(file: &str, bytes: &[u8]) -> Self {
        if is_pdf(bytes) {
            return Self::Pdf;
        }
        let ending = file.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_lowercase();
        let head = head.trim_start_matches('\u{feff}').trim_start();
        let json_like = head.starts_with('{') || head.starts_with('[');
        match ending.as_deref() {
            Some("json") => Self::Json,
            Some("html" | "htm" | "xhtml") => Self::Html,
            Some("md" | "markdown" | "mdx" | "mdown") => Self::Markdown,
            _ if json_like => Self::Json,
            _ if head.starts_with('<')
                && (head.contains("<html") || head.contains("<!doctype")) =>
            {
                Self::Html
            }
            _ => Self::Text,
        }
    }

    /// The media type as manifests name it (RFC 6838).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Html => "text/html",
            Self::Pdf => "application/pdf",
            Self::Markdown => "text/markdown",
            Self::Text => "text/plain",
        }
    }
}

/// Reads a raw page that is HTML or text. `file` is its path as findings name it.
///
/// The page is `None` only when there is nothing to read; everything that was wrong is a finding.
pub fn read_page(file: &str, media: Media, bytes: &[u8]) -> (Option<Page>, Vec<Finding>) {
    read_page_as(file, media, bytes, None)
}

/// The same, where the server said which character set it sends.
pub fn read_page_as(
    file: &str,
    media: Media,
    bytes: &[u8],
    charset: Option<&str>,
) -> (Option<Page>, Vec<Finding>) {
    let mut findings = Vec::new();
    if let Some(finding) = unreadable(file, bytes) {
        return (None, vec![finding]);
    }
    if media == Media::Pdf {
        return read_document(file, bytes);
    }
    let decoded = decode_as(bytes, media == Media::Html, charset);
    if decoded.lossy {
        findings.push(
            Finding::new(
                "not-decodable",
                Level::Warning,
                file,
                format!(
                    "some bytes are not {}; they are shown as `\u{fffd}`",
                    decoded.encoding
                ),
            )
            .help("save the page again, or convert it to UTF-8"),
        );
    }
    let read = match media {
        Media::Html => html::read_html(&decoded.text),
        Media::Markdown => {
            let (blocks, meta) = markdown::read_markdown(&decoded.text);
            html::ReadHtml {
                blocks,
                meta,
                ..html::ReadHtml::default()
            }
        }
        _ => {
            let (blocks, meta) = text::read_text(&decoded.text);
            html::ReadHtml {
                blocks,
                meta,
                ..html::ReadHtml::default()
            }
        }
    };
    if let Some(depth) = read.cut {
        findings.push(Finding::new(
            "nested-too-deep",
            Level::Warning,
            file,
            format!("elements are nested more than {depth} deep; the page is read up to there"),
        ));
    }
    let page = Page {
        file: file.to_owned(),
        title: read.title,
        language: read.language,
        meta: read.meta,
        blocks: read.blocks,
        containers: read.containers,
        decoded,
    };
    (Some(page), findings)
}

/// A PDF starts with `%PDF-`, within the first 1,024 bytes (ISO 32000, implementation note).
fn is_pdf(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1024)];
    head.windows(5).any(|w| w == b"%PDF-") && !head.starts_with(b"<")
}

/// Reads a PDF document.
#[cfg(feature = "pdf")]
fn read_document(file: &str, bytes: &[u8]) -> (Option<Page>, Vec<Finding>) {
    let fault = |rule, message: &str, help: &str| {
        let finding = Finding::new(rule, Level::Error, file, message);
        (None, vec![finding.help(help)])
    };
    let read = match pdf::read_pdf(bytes) {
        Ok(read) => read,
        Err(pdf::PdfFault::Locked) => {
            let help = "save a copy without a password and ingest that";
            return fault(
                "pdf-locked",
                "the PDF document is locked with a password",
                help,
            );
        }
        Err(pdf::PdfFault::Damaged) => {
            let help = "fetch it again; where it opens in a reader, print it to a new PDF";
            return fault(
                "pdf-damaged",
                "the PDF document is damaged and cannot be read",
                help,
            );
        }
    };
    let mut findings = Vec::new();
    let (scanned, pages) = read.pictures;
    if read.blocks.is_empty() {
        let message = match scanned {
            0 => format!("the PDF document of {pages} pages holds no text"),
            _ => format!(
                "the PDF document is a scan: {scanned} of its {pages} pages are pictures, and none has text"
            ),
        };
        let help = "read it with a program for text recognition (OCR) and ingest what that saves";
        return fault("scan-without-text", &message, help);
    }
    if scanned > 0 {
        let message =
            format!("{scanned} of the {pages} pages of the PDF document are pictures without text");
        findings.push(
            Finding::new("scan-without-text", Level::Warning, file, message)
                .help("see whether they tell something; read them with text recognition (OCR)"),
        );
    }
    if read.cut {
        let message = "the PDF document is very long; only its first pages are read";
        findings.push(Finding::new("pdf-cut", Level::Warning, file, message));
    }
    let page = Page {
        file: file.to_owned(),
        title: None,
        language: None,
        meta: Vec::new(),
        blocks: read.blocks,
        containers: Vec::new(),
        decoded: read.decoded,
    };
    (Some(page), findings)
}

/// This build cannot read PDF documents.
#[cfg(not(feature = "pdf"))]
fn read_document(file: &str, _: &[u8]) -> (Option<Page>, Vec<Finding>) {
    let message = "the file is a PDF document, and this program was built without `pdf`";
    let finding = Finding::new("not-text", Level::Error, file, message);
    let help =
        "build it with `cargo build --release --features pdf`, or save the page as HTML or text";
    (None, vec![finding.help(help)])
}

/// What cannot be a page at all: nothing, or bytes that are no text.
fn unreadable(file: &str, bytes: &[u8]) -> Option<Finding> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        let finding = Finding::new("empty-file", Level::Error, file, "the file is empty");
        return Some(finding.help("save the page again"));
    }
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let head = &bytes[..bytes.len().min(4096)];
    let kind = match head {
        [b'P', b'K', 3, 4, ..] => "a ZIP archive or an office document",
        [0x1f, 0x8b, ..] => "gzip-compressed",
        [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, 0xff, ..] => "a picture",
        _ if !utf16 && head.contains(&0) && !is_pdf(bytes) => "a binary file",
        _ => return None,
    };
    let message = format!("the file is {kind}, not HTML, text or JSON");
    let finding = Finding::new("not-text", Level::Error, file, message);
    Some(finding.help("save the page as HTML or text and ingest that file"))
}
