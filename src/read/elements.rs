//! Which elements start a block, hold content, or are never shown.

use scraper::Node;
use scraper::node::Element;

pub(super) fn is_hidden(element: &Element) -> bool {
    matches!(
        element.name(),
        "script"
            | "style"
            | "template"
            | "noscript"
            | "svg"
            | "iframe"
            | "object"
            | "select"
            | "textarea"
            | "button"
            // How a word is read aloud, set above it.
            | "rt"
            | "rp"
    ) || element.attr("hidden").is_some()
}

pub(super) fn is_content(element: &Element) -> bool {
    matches!(element.name(), "main" | "article" | "section")
}

pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "li"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
    )
}

/// A row whose cells hold headings, lists or further tables lays out the page and is no row of data.
pub(super) fn is_layout(row: ego_tree::NodeRef<'_, Node>) -> bool {
    row.descendants().skip(1).any(|node| {
        node.value().as_element().is_some_and(|e| {
            matches!(
                e.name(),
                "h1" | "h2"
                    | "h3"
                    | "h4"
                    | "h5"
                    | "h6"
                    | "table"
                    | "ul"
                    | "ol"
                    | "dl"
                    | "article"
                    | "main"
                    | "section"
                    | "pre"
            )
        })
    })
}
