//! Pages as commands are given them: files, folders, addresses.

use std::fs;
use std::path::{Path, PathBuf};

use crate::library::{Error, Library};
use crate::model::{CaseDate, Response};
use crate::read::LARGEST_PAGE;

/// How addresses are fetched.
#[derive(clap::Args)]
pub(super) struct Fetching {
    /// Fetch from private networks and from this machine too
    #[cfg(feature = "fetch")]
    #[arg(long)]
    allow_private: bool,
    /// Seconds that fetching a page may take
    #[cfg(feature = "fetch")]
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// What a command is pointed at.
pub(super) enum Input {
    /// A file, or a folder of the library.
    Path(PathBuf),
    /// A page of the web.
    Address(String),
}

/// A page from outside the library.
pub(super) struct Received {
    /// The path or address as it was given.
    pub(super) shown: String,
    /// File name.
    pub(super) name: String,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// The address that it was fetched from.
    pub(super) url: Option<String>,
    /// The day a file was last changed: for a page that a browser saved, the day it was saved.
    pub(super) saved_on: Option<CaseDate>,
    /// What the server said of it.
    pub(super) response: Option<Response>,
}

/// The day a file was last changed, in UTC: for a page that a browser saved, the day it was saved.
fn changed_on(path: &Path) -> Option<CaseDate> {
    let time = fs::metadata(path).ok()?.modified().ok()?;
    Some(
        chrono::DateTime::<chrono::Utc>::from(time)
            .date_naive()
            .into(),
    )
}

/// Whether an argument is an address of the web.
fn is_address(text: &str) -> bool {
    let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

/// Folders from outside the library stand for the files in them, sorted.
pub(super) fn expand(paths: &[PathBuf], library: &Library) -> Result<Vec<Input>, Error> {
    let mut out = Vec::new();
    for path in paths {
        if let Some(address) = path.to_str().filter(|text| is_address(text)) {
            out.push(Input::Address(address.to_owned()));
            continue;
        }
        // A path of the library, as findings name it, works from any folder.
        let in_library = library.root.join(path);
        let path = if !path.exists() && in_library.exists() {
            &in_library
        } else {
            path
        };
        let text = path.to_string_lossy();
        let is_raw_folder = path.join("sources.json").is_file()
            || path.parent().is_some_and(|p| p.ends_with("raw"));
        if path.is_dir() && !is_raw_folder {
            let entries = fs::read_dir(path).map_err(|e| {
                Error::usage(
                    format!("cannot read {text}: {e}"),
                    "check the folder's rights",
                )
            })?;
            let mut files: Vec<PathBuf> = entries
                .filter_map(|e| e.ok().map(|e| e.path()))
                .filter(|p| p.is_file())
                .collect();
            files.sort();
            out.extend(files.into_iter().map(Input::Path));
        } else {
            out.push(Input::Path(path.clone()));
        }
    }
    Ok(out)
}

/// The bytes of a page that is not in the library.
pub(super) fn read_outside(path: &Path) -> Result<Vec<u8>, Error> {
    let fault = |e: &dyn std::fmt::Display| {
        Error::usage(
            format!("cannot read {}: {e}", path.display()),
            "check the path for a mistyped name",
        )
    };
    let about = fs::metadata(path).map_err(|e| fault(&e))?;
    if about.is_dir() {
        return Err(Error::usage(
            format!("{} is a folder", path.display()),
            "name the pages in it",
        ));
    }
    if about.len() > LARGEST_PAGE {
        let message = format!(
            "{} is larger than {} MB",
            path.display(),
            LARGEST_PAGE >> 20
        );
        return Err(Error::usage(message, "see whether it is the right file"));
    }
    fs::read(path).map_err(|e| fault(&e))
}

/// Takes in a file.
pub(super) fn receive_file(path: &Path) -> Result<Received, Error> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
    Ok(Received {
        shown: path.display().to_string(),
        name: name.unwrap_or_default(),
        bytes: read_outside(path)?,
        url: None,
        saved_on: changed_on(path),
        response: None,
    })
}

/// Fetches a page.
#[cfg(feature = "fetch")]
pub(super) fn receive_address(
    address: &str,
    fetching: &Fetching,
    today: CaseDate,
) -> Result<Received, Error> {
    use crate::fetch::{Bounds, fetch};

    let bounds = Bounds {
        private: fetching.allow_private,
        timeout: std::time::Duration::from_secs(fetching.timeout),
        ..Bounds::default()
    };
    let fetched = fetch(address, &bounds).map_err(|f| Error::usage(f.message, f.help))?;
    let media = fetched.header("content-type").unwrap_or_default();
    let media = media
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let ending = ending_for(&media).ok_or_else(|| {
        let message = format!("{} is {media}, no page that can be read", fetched.url);
        Error::usage(
            message,
            "give the address of the page that tells of the incident",
        )
    })?;
    if fetched.url != address {
        super::console::say(&format!("{address} leads to {}", fetched.url));
    }
    let mut headers = std::collections::BTreeMap::new();
    for (name, value) in &fetched.headers {
        let all: &mut String = headers.entry(name.clone()).or_default();
        if !all.is_empty() {
            all.push_str(", ");
        }
        all.push_str(value);
    }
    Ok(Received {
        shown: address.to_owned(),
        name: name_of(&fetched.url, ending),
        bytes: fetched.bytes,
        url: Some(address.to_owned()),
        saved_on: Some(today),
        response: Some(Response {
            url: fetched.url,
            status: fetched.status,
            headers,
        }),
    })
}

/// This build opens no socket.
#[cfg(not(feature = "fetch"))]
pub(super) fn receive_address(address: &str, _: &Fetching, _: CaseDate) -> Result<Received, Error> {
    Err(Error::usage(
        format!("{address} is an address, and this program was built without `fetch`"),
        format!("save the page in a browser, then `incidentlib ingest --url {address} FILE`"),
    ))
}

/// The ending of a file with a media type; `None` for what is no page.
#[cfg(feature = "fetch")]
fn ending_for(media: &str) -> Option<&'static str> {
    match media {
        "" | "text/html" | "application/xhtml+xml" => Some("html"),
        "text/markdown" | "text/x-markdown" => Some("md"),
        "application/json" => Some("json"),
        "application/pdf" => Some("pdf"),
        _ if media.ends_with("+json") => Some("json"),
        _ if media.starts_with("text/") => Some("txt"),
        _ => None,
    }
}

/// A file name for a page: the last part of its path, else its host.
#[cfg(feature = "fetch")]
fn name_of(address: &str, ending: &str) -> String {
    let Ok(url) = url::Url::parse(address) else {
        return format!("page.{ending}");
    };
    let mut parts = url.path_segments().into_iter().flatten();
    let last = parts.rfind(|part| !part.is_empty());
    let name = last.or(url.host_str()).unwrap_or("page");
    let known = [
        "html", "htm", "xhtml", "md", "markdown", "json", "txt", "pdf",
    ];
    match name.rsplit_once('.') {
        Some((_, end)) if known.contains(&end) && last.is_some() => name.to_owned(),
        _ => format!("{name}.{ending}"),
    }
}
