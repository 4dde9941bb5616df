//! What a page is: language, title, organisation, day of publication, severity.

use url::Url;

use crate::read::{BlockKind, Meta};
use crate::time::Expression;
use crate::vocabulary::{Kind, Lookup, fold};

use super::{Reader, Told, day_in_name};

/// The language of the main text.
pub(super) fn language_tag(reader: &Reader) -> String {
    let mut sample = String::new();
    for (_, block) in reader.blocks().filter(|(_, b)| b.kind != BlockKind::Preformatted) {
        if sample.len() > 12_000 {
            break;
        }
        sample.push_str(&block.text);
        sample.push('\n');
    }
    let declared = reader.page.language.as_deref().map(|l| l.split('-').next().unwrap_or(l).to_lowercase());
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
    let (i, block) = reader.blocks().max_by_key(|(_, b)| (b.kind == BlockKind::Paragraph, b.text.len().min(300)))?;
    let end = block.text.char_indices().nth(80).map_or(block.text.len(), |(at, _)| at);
    Some(reader.told(i, 0..end, reader.language.clone(), "derived"))
}

fn meta<'a>(reader: &'a Reader, keys: &[&str]) -> Option<&'a Meta> {
    keys.iter().find_map(|key| reader.page.meta.iter().find(|m| m.key == *key && !m.value.trim().is_empty()))
}

fn told_meta(reader: &Reader, meta: &Meta, value: String) -> Told {
    Told { value, evidence: reader.evidence_of_source(&meta.source, &meta.value), basis: "stated" }
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
        site.as_ref().is_some_and(|s| *s == folded) || matches!(folded.as_str(), "blog" | "news" | "home" | "status" | "incidents" | "incident report" | "") || folded.chars().count() < 3
    };
    let heads: Vec<_> = reader.blocks().filter(|(_, b)| matches!(b.kind, BlockKind::Heading(1)) && !generic(&b.text)).collect();
    let page_title = reader.page.title.as_deref().map(|t| without_site(t, site.as_deref()));
    if let Some((i, block)) = heads.first() {
        // Of several, the one that the page's own title names.
        let named = heads.iter().find(|(_, b)| page_title.as_ref().is_some_and(|t| same_title(&b.text, t)));
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
        return Some(Told { value: title, evidence, basis: "stated" });
    }
    let heading = reader.blocks().find(|(_, b)| matches!(b.kind, BlockKind::Heading(_)));
    let (i, block) = heading.or_else(|| reader.blocks().find(|(_, b)| b.text.chars().count() < 200))?;
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
            if head.chars().count() >= 4 && (named || short || (separator == " - " && tail.split_whitespace().count() <= 3 && head.chars().count() > tail.chars().count())) {
                return head.trim().to_owned();
            }
        }
    }
    title.to_owned()
}

/// The organisation: its host, its name as the site gives it, the one the text names most.
pub(super) fn organisation(reader: &Reader) -> Option<Told> {
    let known = &reader.cx.organisations;
    for key in ["canonical", "og:url", "source", "url", "ld:publisher", "og:site_name", "application-name"] {
        let Some(found) = meta(reader, &[key]) else { continue };
        let address = Url::parse(&found.value).is_ok_and(|u| u.has_host());
        let organisation = if address { known.by_address(&found.value) } else { known.by_name(&found.value) };
        if let Some(organisation) = organisation {
            return Some(told_meta(reader, found, organisation.name.clone()));
        }
    }
    // Names in the title and the first texts weigh most.
    let mut scores: Vec<(&str, f64, usize, std::ops::Range<usize>)> = Vec::new();
    for (n, (i, block)) in reader.blocks().filter(|(_, b)| b.kind != BlockKind::Preformatted).enumerate() {
        let weight = if n == 0 || matches!(block.kind, BlockKind::Heading(1)) {
            6.0
        } else if n < 6 {
            2.0
        } else {
            1.0
        };
        for (at, organisation) in known.mentions(&block.text) {
            let linked = block.links.iter().any(|l| l.range.contains(&at));
            let titled = n == 0 || matches!(block.kind, BlockKind::Heading(1));
            let weight = if linked { weight * 0.5 } else { weight };
            let weight = if organisation.platform && !titled { weight * 0.2 } else { weight };
            match scores.iter_mut().find(|(name, ..)| *name == organisation.name) {
                Some(score) => score.1 += weight,
                None => scores.push((&organisation.name, weight, i, at..block.text.len().min(at + organisation.name.len()))),
            }
        }
    }
    for found in ["title", "author", "description", "og:title", "author_github"].iter().filter_map(|k| meta(reader, &[k])) {
        for (_, organisation) in known.mentions(&found.value) {
            match scores.iter_mut().find(|(name, ..)| *name == organisation.name) {
                Some(score) => score.1 += 5.0,
                None => {}
            }
        }
    }
    // Links to the organisation's own pages, in menus and footers too.
    for (i, block) in reader.page.blocks.iter().enumerate() {
        for link in &block.links {
            let Some(organisation) = known.by_address(&link.href) else { continue };
            let weight = if organisation.platform { 0.1 } else { 1.5 };
            match scores.iter_mut().find(|(name, ..)| *name == organisation.name) {
                Some(score) => score.1 += weight,
                None => scores.push((&organisation.name, weight, i, link.range.clone())),
            }
        }
        if block.furniture || block.text.contains('©') {
            for (at, organisation) in known.mentions(&block.text).into_iter().filter(|(_, o)| !o.platform) {
                match scores.iter_mut().find(|(name, ..)| *name == organisation.name) {
                    Some(score) => score.1 += 2.0,
                    None => scores.push((&organisation.name, 2.0, i, at..block.text.len().min(at + organisation.name.len()))),
                }
            }
        }
    }
    let best = scores.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.2.cmp(&a.2)));
    if let Some((name, score, block, range)) = best
        && *score >= 2.9
    {
        let mut end = range.end;
        while !reader.block(*block).text.is_char_boundary(end) {
            end -= 1;
        }
        return Some(reader.told(*block, range.start..end, *name, "derived"));
    }
    if let Some(found) = meta(reader, &["og:site_name", "ld:publisher"]) {
        return Some(told_meta(reader, found, found.value.trim().to_owned()));
    }
    own_host(reader)
}

/// The owner of a host that names one: `schullogin.github.io`.
fn own_host(reader: &Reader) -> Option<Told> {
    let found = meta(reader, &["canonical", "og:url"])?;
    let host = Url::parse(&found.value).ok()?.host_str()?.trim_start_matches("www.").to_owned();
    let shared = ["github.io", "gitlab.io", "readthedocs.io", "netlify.app", "pages.dev", "medium.com", "statuspage.io", "wordpress.com", "blogspot.com"];
    let owner = match shared.iter().find_map(|s| host.strip_suffix(&format!(".{s}"))) {
        Some(owner) => owner.to_owned(),
        None => {
            let labels: Vec<&str> = host.split('.').collect();
            labels.get(labels.len().checked_sub(2)?)?.to_string()
        }
    };
    // As the address spells it.
    let at = found.value.to_lowercase().find(&owner)?;
    let spelled = found.value.get(at..at + owner.len())?.to_owned();
    Some(told_meta(reader, found, spelled))
}

/// The day of publication: metadata first, then the address, a byline, a lone day under the title.
/// When a page was changed is no day of publication.
pub(super) fn published(reader: &Reader) -> Option<Told> {
    const KEYS: [&str; 17] = [
        "ld:datepublished", "article:published_time", "og:published_time", "datepublished", "dc.date", "dcterms.created", "dc.date.issued",
        "date", "post", "timestamp", "pubdate", "publishdate", "publish_date", "parsely-pub-date", "sailthru.date", "time:published", "ld:datecreated",
    ];
    // The file of an incident on a status page is dated by the incident.
    let status = reader.page.meta.iter().any(|m| matches!(m.key.as_str(), "resolved" | "resolvedwhen" | "affected"));
    for key in KEYS {
        let Some(found) = meta(reader, &[key]) else { continue };
        if status && key == "date" {
            continue;
        }
        let scan = reader.cx.times.scan(&found.value, &reader.language);
        if let Some(crate::time::DayAnswer::Day(day)) = scan.first_day(None) {
            return Some(told_meta(reader, found, day.to_string()));
        }
    }
    for key in ["canonical", "og:url", "source", "url"] {
        let Some(found) = meta(reader, &[key]) else { continue };
        // The address of an incident on a status page is dated by the incident.
        let of_incident = found.value.contains("/issues/") || found.value.contains("/incidents/");
        if let Some(day) = day_in_name(&found.value).filter(|_| !of_incident) {
            return Some(told_meta(reader, found, day.to_string()));
        }
    }
    let page_says = byline(reader);
    if page_says.is_some() {
        return page_says;
    }
    let times: Vec<&Meta> = reader.page.meta.iter().filter(|m| m.key == "time").collect();
    if let [only] = times.as_slice() {
        let scan = reader.cx.times.scan(&only.value, "en");
        if let Some(crate::time::DayAnswer::Day(day)) = scan.first_day(None) {
            return Some(told_meta(reader, only, day.to_string()));
        }
    }
    None
}

/// Whether the block before is a heading below the title: the line belongs to it.
fn after_heading(reader: &Reader, block: usize) -> bool {
    let before = reader.blocks().take_while(|(i, _)| *i < block).last();
    before.is_some_and(|(_, b)| matches!(b.kind, BlockKind::Heading(level) if level > 1))
}

const PUBLISHED_WORDS: [&str; 23] = [
    "posted on", "posted", "published on", "published", "publication date", "date published", "written on", "last updated", "last modified", "作成日", "公開日", "投稿日", "発行日", "发布于", "发布时间", "发表于", "작성일", "게시일", "veröffentlicht", "publié le", "publicado", "diterbitkan", "опубликовано",
];

/// "Posted on: 2014-05-07"; a short line of day and author before the text.
fn byline(reader: &Reader) -> Option<Told> {
    let written = None;
    for (n, (i, block)) in reader.blocks().take(14).enumerate() {
        if block.text.chars().count() > 140 || matches!(block.kind, BlockKind::Row | BlockKind::Item(_) | BlockKind::Preformatted) {
            continue;
        }
        let lower = block.text.to_lowercase();
        let says = PUBLISHED_WORDS.iter().any(|w| lower.trim_start_matches(['*', '_', ' ']).starts_with(w));
        let scan = reader.cx.times.scan(&block.text, &reader.language);
        let days: Vec<_> = scan.mentions().iter().filter(|m| matches!(m.expression, Expression::Day(r) if matches!(r.from, crate::time::Day::Full(_)))).collect();
        let [day] = days.as_slice() else { continue };
        let rest = block.text.chars().count() - block.text[day.bytes.clone()].chars().count();
        let prose = block.text.trim_end().ends_with(['.', '。', '：', ':']);
        let dated = n < 4 && day.bytes.start < 4 && rest < 100 && !prose && !matches!(block.kind, BlockKind::Heading(_)) && scan.mentions().len() == 1 && reader.section_of(i).is_none() && !after_heading(reader, i);
        if says || dated {
            let answer = scan.first_day(written)?;
            if let crate::time::DayAnswer::Day(value) = answer {
                return Some(reader.told(i, day.bytes.clone(), value.to_string(), "stated"));
            }
        }
    }
    None
}

/// The severity that the page gives itself, in its own word.
pub(super) fn severity(reader: &Reader) -> Option<Told> {
    for key in ["severity"] {
        if let Some(found) = meta(reader, &[key]) {
            return Some(told_meta(reader, found, found.value.clone()));
        }
    }
    for (i, block) in reader.blocks() {
        let text = &block.text;
        let lower = text.to_lowercase();
        let label = ["severity", "심각도", "schweregrad", "gravité", "severidad", "severidade", "重大度", "严重程度", "tingkat keparahan", "серьёзность"]
            .iter()
            .find(|w| lower.trim_start_matches(['*', '-', ' ']).starts_with(*w));
        let Some(label) = label else { continue };
        let start = lower.find(label)? + label.len();
        let Some(rest) = text.get(start..) else { continue };
        let value = rest.trim_start_matches([':', '：', ' ', '*', '\t', '-', '–']);
        let at = start + (rest.len() - value.len());
        let end = value.find([',', '.', ';', '(', '\t']).unwrap_or(value.len());
        let value = value[..end].trim();
        if !value.is_empty() && value.chars().count() <= 24 && at > start {
            let slug = match reader.cx.vocabulary.lookup(Kind::Severity, value) {
                Lookup::Unknown => value.to_owned(),
                _ => value.to_owned(),
            };
            return Some(reader.told(i, at..at + value.len(), slug, "stated"));
        }
    }
    None
}
