//! Elements around blocks, and what their names say of the text inside.

use rustc_hash::FxHashMap;
use scraper::node::Element;

/// A block-level element that blocks stand in, by index in [`super::Page::containers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Container {
    /// The element around it; a parent comes before its children.
    pub parent: Option<usize>,
    /// What element it is.
    pub tag: Tag,
    /// What its class, id and role say it holds.
    pub role: Role,
}

/// The elements that matter for finding the main text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// `main` and `article`.
    Article,
    /// `ul`, `ol`, `menu`, `dl`.
    List,
    /// `table`.
    Table,
    /// `figure`.
    Figure,
    /// `figcaption` and `caption`.
    Caption,
    /// `form`, `fieldset`.
    Form,
    /// `header`, `hgroup`.
    Header,
    /// `footer`.
    Footer,
    /// `aside`.
    Aside,
    /// `nav`, `search`.
    Nav,
    /// `blockquote`.
    Quote,
    /// Any other block.
    Other,
}

/// What an element is for, as its class, id, role and item property name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing said.
    Plain,
    /// The text of an article: `articleBody`, `entry-content`, `markdown-body`.
    Body,
    /// Who wrote it and when.
    Byline,
    /// Under a picture.
    Caption,
    /// Beside the article: shares, related posts, comments, newsletters, cookies, advertisements.
    Beside,
}

impl Tag {
    fn of(name: &str) -> Self {
        match name {
            "main" | "article" => Self::Article,
            "ul" | "ol" | "menu" | "dl" => Self::List,
            "table" => Self::Table,
            "figure" => Self::Figure,
            "figcaption" | "caption" => Self::Caption,
            "form" | "fieldset" => Self::Form,
            "header" | "hgroup" => Self::Header,
            "footer" => Self::Footer,
            "aside" => Self::Aside,
            "nav" | "search" => Self::Nav,
            "blockquote" => Self::Quote,
            _ => Self::Other,
        }
    }
}

impl Container {
    pub(super) fn of(element: &Element, parent: Option<usize>, roles: &mut Roles) -> Self {
        Self {
            parent,
            tag: Tag::of(element.name()),
            role: roles.of(element),
        }
    }
}

/// The roles of names met before: the elements of a page share their classes.
#[derive(Debug, Default)]
pub(super) struct Roles {
    known: FxHashMap<String, Role>,
}

/// Glued names of elements that hold the text of an article.
const BODIES: &[&str] = &[
    "articlebody",
    "articlecontent",
    "articletext",
    "articlecopy",
    "bodycontent",
    "contentbody",
    "entrycontent",
    "entrybody",
    "entrytext",
    "fieldnamebody",
    "markdownbody",
    "mwparseroutput",
    "pagecontent",
    "postbody",
    "postcontent",
    "postentry",
    "posttext",
    "storybody",
    "storycontent",
    "storytext",
    "tdpostcontent",
    "blogcontent",
    "blogpost",
    "richtext",
    "newstext",
    "maincontent",
];

/// Words of a class or id that say the element stands beside the article.
const BESIDE: &[&str] = &[
    "ad",
    "ads",
    "advert",
    "adverts",
    "advertisement",
    "advertising",
    "adsbygoogle",
    "addthis",
    "author-bio",
    "authorbox",
    "banner",
    "bio",
    "breadcrumb",
    "breadcrumbs",
    "byline-bio",
    "catlinks",
    "comment",
    "borlabs",
    "cmp",
    "commentform",
    "commentlist",
    "comments",
    "consent",
    "cookie",
    "cookiebot",
    "cookies",
    "copyright",
    "cta",
    "disqus",
    "donate",
    "editsection",
    "email",
    "factbox",
    "facebook",
    "followus",
    "footer",
    "gdpr",
    "hidden",
    "infobox",
    "jp-relatedposts",
    "klaro",
    "lightbox",
    "linklist",
    "login",
    "masthead",
    "menu",
    "metanav",
    "mobile-nav",
    "modal",
    "nav",
    "navbar",
    "navbox",
    "navigation",
    "newsletter",
    "noprint",
    "offscreen",
    "onetrust",
    "outbrain",
    "overlay",
    "pager",
    "pagination",
    "partner",
    "permalink",
    "piano",
    "pingback",
    "player",
    "popular",
    "popup",
    "print",
    "printfooter",
    "promo",
    "promoted",
    "promotion",
    "pullquote",
    "rating",
    "ratings",
    "readmore",
    "recirc",
    "recirculation",
    "recommend",
    "recommendation",
    "recommendations",
    "recommended",
    "register",
    "related",
    "relatedposts",
    "reply",
    "respond",
    "robots-noindex",
    "share",
    "sharebar",
    "sharedaddy",
    "sharing",
    "shareaholic",
    "shortcut",
    "sidebar",
    "signin",
    "signup",
    "skip",
    "skiplink",
    "social",
    "socials",
    "sponsor",
    "sponsored",
    "sprite",
    "subscribe",
    "subscription",
    "tagcloud",
    "taboola",
    "tags",
    "taglist",
    "toolbar",
    "tooltip",
    "trackback",
    "trending",
    "upsell",
    "usercentrics",
    "whatsapp",
    "widget",
    "widgets",
    "yarpp",
];

/// Starts of glued words that say the same: `relatedArticles`, `commentsWrapper`.
const BESIDE_STARTS: &[&str] = &[
    "advert",
    "breadcrumb",
    "comment",
    "cookie",
    "newsletter",
    "outbrain",
    "recommend",
    "related",
    "sharebutton",
    "sharetool",
    "sidebar",
    "socialmedia",
    "socialshare",
    "subscribe",
    "taboola",
    "trending",
    "mostread",
    "mostpopular",
    "morestories",
    "readnext",
    "upnext",
    "wmipp",
    "sitefooter",
    "siteheader",
    "globalnav",
];

/// Words that say who wrote the page and when.
const BYLINES: &[&str] = &[
    "author",
    "authors",
    "byline",
    "bylines",
    "dateline",
    "datetime",
    "postmeta",
    "published",
    "pubdate",
    "timestamp",
    "postdate",
];

/// Pairs of words that say the same.
const BYLINE_PAIRS: &[(&str, &str)] = &[
    ("post", "meta"),
    ("entry", "meta"),
    ("article", "meta"),
    ("post", "info"),
    ("article", "info"),
    ("posted", "on"),
    ("post", "date"),
    ("publish", "date"),
    ("publication", "date"),
    ("entry", "date"),
    ("story", "meta"),
    ("meta", "info"),
];

const CAPTIONS: &[&str] = &["caption", "captions", "credit", "credits", "figcaption"];

impl Roles {
    /// What an element is for.
    pub(super) fn of(&mut self, element: &Element) -> Role {
        if element.name() == "blockquote" {
            // What is quoted belongs to the text, whoever said it: a post of a network, a reader's comment.
            return Role::Plain;
        }
        const ROLES: [&str; 7] = [
            "navigation",
            "banner",
            "contentinfo",
            "search",
            "dialog",
            "alertdialog",
            "complementary",
        ];
        if element
            .attr("role")
            .is_some_and(|role| ROLES.contains(&role))
        {
            return Role::Beside;
        }
        if element.attr("aria-hidden") == Some("true") || element.attr("aria-modal").is_some() {
            return Role::Beside;
        }
        let hidden = element.attr("style").is_some_and(|style| {
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
            style.to_ascii_lowercase().contains("display:none")
        });
        if hidden {
            return Role::Beside;
        }
        match element.attr("itemprop") {
            Some("articleBody" | "reviewBody") => return Role::Body,
            Some("author" | "datePublished" | "dateModified" | "publisher") => return Role::Byline,
            Some("breadcrumb") => return Role::Beside,
            Some("caption") => return Role::Caption,
            _ => {}
        }
        let mut found = Role::Plain;
        let names = ["id", "class", "data-testid", "data-component"];
        for value in names.iter().filter_map(|name| element.attr(name)) {
            for name in value.split_ascii_whitespace().take(24) {
                found = stronger(found, self.of_name(name));
            }
        }
        found
    }

    fn of_name(&mut self, name: &str) -> Role {
        if let Some(role) = self.known.get(name) {
            return *role;
        }
        let role = role_of_name(name);
        self.known.insert(name.to_owned(), role);
        role
    }
}

fn stronger(a: Role, b: Role) -> Role {
    let rank = |r: Role| match r {
        Role::Plain => 0,
        Role::Byline => 1,
        Role::Caption => 2,
        Role::Beside => 3,
        Role::Body => 4,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn role_of_name(name: &str) -> Role {
    if name.len() > 80 {
        return Role::Plain;
    }
    let words = words(name);
    let glued = words.concat();
    if BODIES.iter().any(|b| *b == glued) {
        return Role::Body;
    }
    // Classes that a publishing system derives from the subject of a post: `tag-newsletter`.
    let derived = [
        "category-",
        "tag-",
        "type-",
        "status-",
        "format-",
        "elementor-",
        "term-",
    ];
    if derived.iter().any(|start| name.starts_with(start)) {
        return Role::Plain;
    }
    // State of a page or a thing shown, not what it is: `has-sidebar`, `no-comments`, `share-enabled`.
    if matches!(
        words.first().map(String::as_str),
        Some("has" | "no" | "with" | "without" | "is" | "js")
    ) {
        return Role::Plain;
    }
    let any = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    if any(BESIDE) || BESIDE_STARTS.iter().any(|s| glued.starts_with(s)) {
        return Role::Beside;
    }
    if any(CAPTIONS) {
        return Role::Caption;
    }
    let pair = |(a, b): &(&str, &str)| words.windows(2).any(|w| w[0] == *a && w[1] == *b);
    if any(BYLINES) || BYLINE_PAIRS.iter().any(pair) {
        return Role::Byline;
    }
    Role::Plain
}

/// The words of a name, by punctuation, digits and capital letters: `relatedPosts-2`, `entry_meta`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphabetic() {
            open = false;
            was_lower = false;
            continue;
        }
        if c.is_uppercase() && was_lower {
            open = false;
        }
        was_lower = c.is_lowercase();
        let lower = c.to_lowercase();
        match words.last_mut().filter(|_| open) {
            Some(word) => word.extend(lower),
            None => words.push(lower.collect()),
        }
        open = true;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_an_element_holds() {
        for (name, role) in [
            ("entry-content", Role::Body),
            ("articleBody", Role::Body),
            ("relatedPosts-2", Role::Beside),
            ("cookie_banner", Role::Beside),
            ("wm-ipp-base", Role::Beside),
            ("has-sidebar", Role::Plain),
            ("gradient", Role::Plain),
            ("entry-meta", Role::Byline),
            ("wp-caption-text", Role::Caption),
            ("lb-txt", Role::Plain),
        ] {
            assert_eq!(role_of_name(name), role, "{name}");
        }
    }
}
