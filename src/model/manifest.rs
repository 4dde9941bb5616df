//! The manifest of a raw folder, `raw/<ID>/sources.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What lies in one raw folder and where it came from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Manifest {
    /// One entry for each raw page, in the order they are read.
    pub pages: Vec<RawPage>,
    /// Members that the contract does not have; written back unchanged.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One saved page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawPage {
    /// File name inside the folder, without any path.
    pub file: String,
    /// The address it was saved from, as published; null where it was not saved from the web.
    #[serde(default)]
    pub url: Option<String>,
    /// Which extractor reads it.
    pub kind: PageKind,
    /// The language of its text.
    #[serde(default)]
    pub language: Option<String>,
    /// Media type (RFC 6838), such as `text/html`.
    pub media_type: String,
    /// The day it was saved, `2026-11-14`.
    #[serde(default)]
    pub fetched_at: Option<String>,
    /// SHA-256 of its bytes, 64 hex digits.
    pub sha256: String,
    /// The heading of the part that tells of this case, where the page tells of several incidents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// What the server said of it; absent where it was not fetched by this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Response>,
    /// Members that the contract does not have; written back unchanged.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// What a server said of a page (RFC 9110).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The address that answered, after redirects.
    pub url: String,
    /// The status code.
    pub status: u16,
    /// The header fields, names in lower case; of a field sent twice the values joined by a comma. Cookies are not kept.
    pub headers: BTreeMap<String, String>,
}

impl RawPage {
    /// The character set that the server named.
    pub fn charset(&self) -> Option<&str> {
        self.response.as_ref()?.charset()
    }
}

impl Response {
    /// The character set of the `content-type` field.
    pub fn charset(&self) -> Option<&str> {
        let parameters = self.headers.get("content-type")?.split(';').skip(1);
        parameters
            .filter_map(|p| p.split_once('='))
            .find_map(|(name, value)| {
                let is_charset = name.trim().eq_ignore_ascii_case("charset");
                is_charset.then(|| value.trim().trim_matches('"'))
            })
    }
}

/// What a raw page is, and so which extractor reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageKind {
    /// A record as a JSON API gives it.
    ApiRecord,
    /// A page of a case library, with labelled fields.
    CasePage,
    /// A postmortem as its author published it.
    Postmortem,
}

impl PageKind {
    /// The word for this kind in manifests and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ApiRecord => "api-record",
            Self::CasePage => "case-page",
            Self::Postmortem => "postmortem",
        }
    }
}
