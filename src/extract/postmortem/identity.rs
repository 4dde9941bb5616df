//! What a page is: language, title, organisation, day of publication, severity.

use crate::read::{BlockKind, Meta};
use crate::vocabulary::{PageLabel, fold};

use super::{Reader, Told};

/// The language of the main text.
pub(super) fn language_tag(reader: &Reader) -> String {
    let mut sample = String::new();
    for (_, block) in reader
        .blocks()
        .filter(|(_, b)| b.kind != BlockKind::Preformatted)
    {
        if sample.len() > 6_000 {
            break;
        }
        sample.push_str(&block.text);
        sample.push('\n');
    }
    let declared = reader
        .page
        .language
        .as_deref()
        .map(|l| l.split('-').next().unwrap_or(l).to_lowercase());
    if let Some(tag) = by_script(&sample) {
        return tag.to_owned();
    }
    let info = whatlang::detect(&sample);
    let detected = info.as_ref().and_then(|i| two_letters(i.lang()));
    let sure = info.is_some_and(|i| i.is_reliable()) || sample.len() > 400;
    match (detected, declared) {
        (Some(tag), _) if sure => tag.to_owned(),
        (_, Some(declared)) if !declared.is_empty() => declared,
        (Some(tag), _) => tag.to_owned(),
        _ => "en".to_owned(),
    }
}

/// Korean, Japanese and Chinese by their letters: a page in them is full of Latin names.
fn by_script(text: &str) -> Option<&'static str> {
    let (mut hangul, mut kana, mut han, mut latin) = (0, 0, 0, 0);
    for c in text.chars() {
        match c {
            '가'..='힣' => hangul += 1,
            'ぁ'..='ヿ' => kana += 1,
            '一'..='鿿' => han += 1,
            _ if c.is_alphabetic() => latin += 1,
            _ => {}
        }
    }
    let wide = hangul + kana + han;
    if wide * 6 < latin || wide < 20 {
        return None;
    }
    Some(match () {
        () if hangul >= kana && hangul * 2 >= han => "ko",
        () if kana * 8 > han => "ja",
        () => "zh",
    })
}

fn two_letters(lang: whatlang::Lang) -> Option<&'static str> {
    use whatlang::Lang;
    Some(match lang {
        Lang::Eng => "en",
        Lang::Kor => "ko",
        Lang::Jpn => "ja",
        Lang::Cmn => "zh",
        Lang::Ind => "id",
        Lang::Deu => "de",
        Lang::Fra => "fr",
        Lang::Spa => "es",
        Lang::Por => "pt",
        Lang::Rus => "ru",
        Lang::Pol => "pl",
        Lang::Ita => "it",
        Lang::Nld => "nl",
        Lang::Ukr => "uk",
        Lang::Vie => "vi",
        Lang::Tur => "tr",
        Lang::Ces => "cs",
        Lang::Swe => "sv",
        Lang::Cat => "ca",
        _ => return None,
    })
}

/// The language, with a line of text as its evidence.
pub(super) fn language(reader: &Reader) -> Option<Told> {
    let (i, block) = reader
        .blocks()
        .max_by_key(|(_, b)| (b.kind == BlockKind::Paragraph, b.text.len().min(300)))?;
    let end = block
        .text
        .char_indices()
        .nth(80)
        .map_or(block.text.len(), |(at, _)| at);
    Some(reader.told(i, 0..end, reader.language.clone(), "derived"))
}

pub(super) fn meta<'a>(reader: &'a Reader, keys: &[&str]) -> Option<&'a Meta> {
    keys.iter().find_map(|key| {
        reader
            .page
            .meta
            .iter()
            .find(|m| m.key == *key && !m.value.trim().is_empty())
    })
}

pub(super) fn told_meta(reader: &Reader, meta: &Meta, value: String) -> Told {
    Told {
        value,
        evidence: reader.evidence_of_source(&meta.source, &meta.value),
        basis: "stated",
    }
}

/// The title: of the front matter, the one first heading, the metadata, the first line.
pub(super) fn title(reader: &Reader) -> Option<Told> {
    let markdown = reader.page.title.is_none() && reader.page.meta.iter().any(|m| m.key == "title");
    if markdown && let Some(found) = meta(reader, &["title"]) {
        return Some(told_meta(reader, found, unescape(&found.value)));
    }
    let site = meta(reader, &["og:site_name"]).map(|m| fold(&m.value));
    let generic = |text: &str| {
        let folded = fold(text);
        site.as_ref().is_some_and(|s| *s == folded)
            || matches!(
                folded.as_str(),
                "blog" | "news" | "home" | "status" | "incidents" | "incident report" | ""
            )
            || folded.chars().count() < 3
    };
    let heads: Vec<_> = reader
        .blocks()
        .filter(|(_, b)| matches!(b.kind, BlockKind::Heading(1)) && !generic(&b.text))
        .collect();
    let page_title = reader
        .page
        .title
        .as_deref()
        .map(|t| without_site(t, site.as_deref()));
    if let Some((i, block)) = heads.first() {
        // Of several, the one that the page's own title names.
        let named = heads
            .iter()
            .find(|(_, b)| page_title.as_ref().is_some_and(|t| same_title(&b.text, t)));
        let (i, block) = named.map_or((*i, *block), |(i, block)| (*i, *block));
        let end = block.text.trim_end_matches(['#', '¶', ' ']).len();
        return Some(reader.told(i, 0..end, block.text[..end].to_owned(), "stated"));
    }
    if let Some(found) = meta(reader, &["og:title", "twitter:title", "ld:headline"]) {
        let value = without_site(&found.value, site.as_deref());
        if !generic(&value) {
            return Some(told_meta(reader, found, value));
        }
    }
    if let Some(title) = page_title.filter(|t| !generic(t)) {
        let at = reader.page.decoded.text.find(title.as_str());
        let source = at.map_or(0..0, |at| at..at + title.len());
        let evidence = reader.evidence_of_source(&source, &title);
        return Some(Told {
            value: title,
            evidence,
            basis: "stated",
        });
    }
    let heading = reader
        .blocks()
        .find(|(_, b)| matches!(b.kind, BlockKind::Heading(_)));
    let (i, block) =
        heading.or_else(|| reader.blocks().find(|(_, b)| b.text.chars().count() < 200))?;
    Some(reader.told(i, 0..block.text.len(), block.text.clone(), "derived"))
}

fn same_title(a: &str, b: &str) -> bool {
    let (a, b) = (fold(a), fold(b));
    a == b || (a.chars().count() > 8 && (b.contains(&a) || a.contains(&b) && b.chars().count() > 8))
}

fn unescape(value: &str) -> String {
    value.replace("\\\"", "\"").replace("''", "'")
}

/// A title without the site's name at its end: `Mail outage | Apache blog`.
fn without_site(title: &str, site: Option<&str>) -> String {
    let title = title.trim();
    for separator in [" | ", " – ", " — ", " · ", " :: ", " » ", " - "] {
        if let Some((head, tail)) = title.rsplit_once(separator) {
            let named = site.is_some_and(|s| fold(tail) == s);
            let short = tail.split_whitespace().count() <= 6 && separator != " - ";
            if head.chars().count() >= 4
                && (named
                    || short
                    || (separator == " - "
                        && tail.split_whitespace().count() <= 3
                        && head.chars().count() > tail.chars().count()))
            {
                return head.trim().to_owned();
            }
        }
    }
    title.to_owned()
}

/// The severity that the page gives itself, in its own word.
pub(super) fn severity(reader: &Reader) -> Option<Told> {
    if let Some(found) = meta(reader, &["severity"]) {
        return Some(told_meta(reader, found, found.value.clone()));
    }
    for (i, block) in reader.blocks() {
        let text = &block.text;
        let lower = text.to_lowercase();
        let head = lower.trim_start_matches(['*', '-', ' ']);
        let label = reader
            .words(PageLabel::Severity)
            .find(|w| head.starts_with(*w));
        let Some(label) = label else { continue };
        let start = lower.find(label.as_str())? + label.len();
        let Some(rest) = text.get(start..) else {
            continue;
        };
        let value = rest.trim_start_matches([':', '：', ' ', '*', '\t', '-', '–']);
        let at = start + (rest.len() - value.len());
        let end = value
            .find([',', '.', ';', '(', '\t'])
            .unwrap_or(value.len());
        let value = value[..end].trim();
        if !value.is_empty() && value.chars().count() <= 24 && at > start {
            return Some(reader.told(i, at..at + value.len(), value, "stated"));
        }
    }
    None
}
