//! One page from the web, as a curator asks for it: HTTP GET with bounds on size, time and redirects, and no way into
//! private networks.
//!
//! What the server sends is not judged here; the bytes are those of the body after its content coding is undone
//! (RFC 9110, section 8.4).

mod public;

use std::fmt;
use std::io::Read;
use std::time::Duration;

use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use url::Url;

pub use public::is_public;

/// The bounds of a fetch.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Bytes of the body, after decompression.
    pub largest: u64,
    /// Redirects followed one after the other.
    pub redirects: u32,
    /// Time for all of it.
    pub timeout: Duration,
    /// Addresses of private networks and of this machine are allowed too.
    pub private: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            largest: 16 << 20,
            redirects: 5,
            timeout: Duration::from_secs(30),
            private: false,
        }
    }
}

/// What a server sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The address that answered, after redirects.
    pub url: String,
    /// The status code, 200 to 299.
    pub status: u16,
    /// Header fields in the order received, names in lower case. Cookies are not kept.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub bytes: Vec<u8>,
}

impl Fetched {
    /// A header field by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Why a page could not be fetched, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Its kind.
    pub kind: FaultKind,
}

/// What kind of fault it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The server answered, but with this status.
    Status(u16),
    /// The name of the host leads nowhere.
    UnknownHost,
    /// Anything else: the network, a bound, an address that is not fetched.
    Other,
}

impl Fault {
    fn new(message: impl Into<String>, help: &str) -> Self {
        Self {
            message: message.into(),
            help: help.to_owned(),
            kind: FaultKind::Other,
        }
    }

    fn of(self, kind: FaultKind) -> Self {
        Self { kind, ..self }
    }
}

const SAVE_IT: &str = "open the page in a browser, save it, and ingest the file with `--url`";

/// Fetches one page.
pub fn fetch(address: &str, bounds: &Bounds) -> Result<Fetched, Fault> {
    let mut url = checked(address)?;
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        // A proxy would look names up itself, behind the check of addresses.
        .proxy(None)
        .timeout_global(Some(bounds.timeout))
        .user_agent(concat!("incidentlib/", env!("CARGO_PKG_VERSION")))
        .accept("text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.1")
        .build();
    let resolver = PublicOnly {
        inner: DefaultResolver::default(),
        private: bounds.private,
    };
    let agent = ureq::Agent::with_parts(config, DefaultConnector::default(), resolver);
    for _ in 0..=bounds.redirects {
        let mut answer = agent
            .get(url.as_str())
            .call()
            .map_err(|e| fault(&url, &e))?;
        let status = answer.status().as_u16();
        let header = |name: &str| answer.headers().get(name)?.to_str().ok().map(str::to_owned);
        if let (301 | 302 | 303 | 307 | 308, Some(to)) = (status, header("location")) {
            let next = url.join(&to).map_err(|e| {
                Fault::new(
                    format!("{url} redirects to `{to}`, which is no address ({e})"),
                    SAVE_IT,
                )
            })?;
            url = checked(next.as_str())?;
            continue;
        }
        if !(200..300).contains(&status) {
            let message = format!("{url} answers with status {status}");
            return Err(Fault::new(message, refused_help(status)).of(FaultKind::Status(status)));
        }
        let headers = answer
            .headers()
            .iter()
            .filter(|(name, _)| !name.as_str().starts_with("set-cookie"))
            .map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
                (name.as_str().to_owned(), value)
            })
            .collect();
        let mut bytes = Vec::new();
        let body = answer.body_mut().as_reader();
        body.take(bounds.largest + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| {
                Fault::new(
                    format!("{url} broke off: {e}"),
                    "try again, or save the page in a browser",
                )
            })?;
        if bytes.len() as u64 > bounds.largest {
            let message = format!("{url} sends more than {} MB", bounds.largest >> 20);
            return Err(Fault::new(
                message,
                "see whether it is a page; a larger one can be saved and ingested as a file",
            ));
        }
        return Ok(Fetched {
            url: url.to_string(),
            status,
            headers,
            bytes,
        });
    }
    let message = format!("{address} redirects more than {} times", bounds.redirects);
    Err(Fault::new(message, SAVE_IT))
}

/// An address that may be asked: HTTP, with a host and without a password.
fn checked(address: &str) -> Result<Url, Fault> {
    let help = "write the address as the browser shows it, `https://example.org/outage`";
    let url = Url::parse(address)
        .map_err(|e| Fault::new(format!("`{address}` is no address ({e})"), help))?;
    if !matches!(url.scheme(), "http" | "https") {
        let message = format!("`{}:` is not fetched, only http and https", url.scheme());
        return Err(Fault::new(message, help));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let host = url.host_str().unwrap_or_default();
        let message = format!("the address on {host} holds a name or a password");
        return Err(Fault::new(message, "a source is public: leave them out"));
    }
    Ok(url)
}

fn refused_help(status: u16) -> &'static str {
    match status {
        401 | 403 | 429 | 503 => {
            "the site does not serve programs: open the page in a browser, save it, and ingest the file with `--url`"
        }
        404 | 410 => "look for a copy in a web archive and ingest that with its address",
        _ => SAVE_IT,
    }
}

fn fault(url: &Url, error: &ureq::Error) -> Fault {
    if let ureq::Error::Other(inner) = error
        && let Some(private) = inner.downcast_ref::<Private>()
    {
        return Fault::new(
            format!("{url} is not fetched: {private}"),
            "where that is meant, say `--allow-private`",
        );
    }
    match error {
        ureq::Error::Timeout(_) => Fault::new(
            format!("{url} did not answer in time"),
            "try again, give it longer with `--timeout`, or save the page in a browser",
        ),
        _ if unknown_host(error) => Fault::new(
            format!("the host of {url} is not known"),
            "check the address for a mistyped name, and the network",
        )
        .of(FaultKind::UnknownHost),
        other => Fault::new(format!("{url} could not be fetched: {other}"), SAVE_IT),
    }
}

/// Whether a name leads nowhere; the standard library says so in words only.
fn unknown_host(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::HostNotFound => true,
        ureq::Error::Io(e) => e.to_string().contains("failed to lookup address"),
        _ => false,
    }
}

/// Looks names up and refuses those that lead to private networks. The connection is made to the very
/// addresses that were checked, so a name that changes its meaning in between gains nothing.
struct PublicOnly {
    inner: DefaultResolver,
    private: bool,
}

impl fmt::Debug for PublicOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicOnly")
            .field("private", &self.private)
            .finish_non_exhaustive()
    }
}

/// A host that lies in a private network.
#[derive(Debug)]
struct Private {
    address: String,
}

impl fmt::Display for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "its host is {}, an address of this machine or of a private network",
            self.address
        )
    }
}

impl std::error::Error for Private {}

impl Resolver for PublicOnly {
    fn resolve(
        &self,
        uri: &ureq::http::Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        let private = found.iter().find(|address| !is_public(address.ip()));
        match private {
            Some(address) if !self.private => {
                let address = address.ip().to_string();
                Err(ureq::Error::Other(Box::new(Private { address })))
            }
            _ => Ok(found),
        }
    }
}
