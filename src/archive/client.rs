//! Requests to an archive: paced, tried again, bounded in time and size, and never sent anywhere else.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::time::{Duration, UNIX_EPOCH};

use backon::{BackoffBuilder, ExponentialBuilder};
use chrono::{DateTime, Utc};
use ureq::http;
use url::Url;

use super::clock::Clock;
use super::limits::Limits;
use super::pacer::{FAILURES, Host, Pace, THROTTLED};

/// What a request is for; each has its own pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lane {
    /// The index of captures.
    Index,
    /// A copy, its headers above all.
    Replay,
    /// A request for a capture.
    Save,
    /// The state of a capture.
    State,
    /// Whether any copy is at hand.
    Available,
}

/// A whole answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    headers: http::HeaderMap,
    /// The body, as far as it is read.
    pub(super) body: Vec<u8>,
    /// There was more than is read.
    pub(super) cut: bool,
}

impl Reply {
    /// A header field.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let value = self.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// None came, or errors only.
    Unreachable(String),
    /// The host is not asked any more in this run.
    Closed(String),
    /// The time of the run is over.
    OutOfBudget,
}

/// Keys of an account at the archive. Never printed.
#[derive(Clone)]
pub struct Keys {
    /// The access key.
    pub access: String,
    /// The secret.
    pub secret: String,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys(…)")
    }
}

/// The largest JSON that is read, in bytes.
pub(super) const LARGEST_JSON: u64 = 1 << 20;

/// How much of a copy is read: its title stands at the start.
pub(super) const LARGEST_LOOK: u64 = 64 << 10;

/// Asks one archive.
pub(super) struct Client<'a> {
    agent: ureq::Agent,
    clock: &'a dyn Clock,
    limits: &'a Limits,
    keys: Option<&'a Keys>,
    paces: BTreeMap<Lane, Pace>,
    hosts: BTreeMap<String, Host>,
    started: Duration,
    /// Requests sent.
    pub(super) requests: u64,
}

impl fmt::Debug for Client<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

/// What is sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request<'r> {
    pub(super) lane: Lane,
    /// Path and query, percent-encoded.
    pub(super) target: &'r str,
    /// The body of a form; the request is a POST then.
    pub(super) form: Option<&'r str>,
    /// Bytes of the answer that are read.
    pub(super) read: u64,
}

impl<'a> Client<'a> {
    pub(super) fn new(limits: &'a Limits, keys: Option<&'a Keys>, clock: &'a dyn Clock) -> Self {
        let name = concat!("incidentlib/", env!("CARGO_PKG_VERSION"));
        let user_agent = match limits.contact.as_str() {
            "" => name.to_owned(),
            contact => format!("{name} ({contact})"),
        };
        let mut config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(limits.timeout))
            .user_agent(user_agent)
            .accept("application/json, text/html;q=0.9, */*;q=0.5");
        if limits.base.is_some() {
            config = config.proxy(None);
        }
        let pace = |lane, pause| (lane, Pace::new(pause));
        Self {
            agent: config.build().into(),
            clock,
            limits,
            keys,
            paces: BTreeMap::from([
                pace(Lane::Index, limits.index_pause),
                pace(Lane::Replay, limits.replay_pause),
                pace(Lane::Save, limits.save_pause),
                pace(Lane::State, limits.replay_pause),
                pace(Lane::Available, limits.index_pause),
            ]),
            hosts: BTreeMap::new(),
            started: clock.elapsed(),
            requests: 0,
        }
    }

    /// Scheme, host and port that a request goes to.
    pub(super) fn base(&self, lane: Lane) -> &str {
        match (&self.limits.base, lane) {
            (Some(base), _) => base.trim_end_matches('/'),
            (None, Lane::Available) => "https://archive.org",
            (None, _) => "https://web.archive.org",
        }
    }

    /// Whether an address lies at the archive that is asked, and its path and query where it does.
    pub(super) fn own_target(&self, lane: Lane, from: &str, location: &str) -> Option<String> {
        let base = Url::parse(self.base(lane)).ok()?;
        let to = base.join(from).ok()?.join(location).ok()?;
        let same_port = to.port_or_known_default() == base.port_or_known_default()
            // The archive itself answers with `http:` now and then.
            || self.limits.base.is_none() && to.port().is_none();
        let own = to.host_str() == base.host_str() && same_port;
        own.then(|| to[url::Position::BeforePath..url::Position::AfterQuery].to_owned())
    }

    pub(super) fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// The time of the calendar.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.wall()
    }

    /// Waits within the time of the run.
    pub(super) fn wait(&self, time: Duration, why: &str) -> Result<(), Trouble> {
        if time > self.left() {
            return Err(Trouble::OutOfBudget);
        }
        if !time.is_zero() {
            self.clock.wait(time, why);
        }
        Ok(())
    }

    /// The time that the run still has.
    pub(super) fn left(&self) -> Duration {
        let spent = self.clock.elapsed().saturating_sub(self.started);
        self.limits.budget.saturating_sub(spent)
    }

    /// Sends a request until there is an answer, and makes sure that the host is not asked too often.
    pub(super) fn send(&mut self, request: &Request<'_>) -> Result<Reply, Trouble> {
        let host = self.base(request.lane).to_owned();
        let backoff = ExponentialBuilder::default()
            .with_min_delay(Duration::from_secs(1))
            .with_factor(2.0)
            .with_max_times(self.limits.tries.saturating_sub(1))
            .with_jitter();
        let mut delays = backoff.build();
        loop {
            self.take_turn(request.lane, &host)?;
            let failure = match self.once(request) {
                Ok(reply) if reply.header("memento-datetime").is_some() => {
                    return Ok(self.answered(&host, reply));
                }
                Ok(reply) if reply.status == 429 => {
                    self.throttled(&host, &reply)?;
                    continue;
                }
                Ok(reply) if is_passing(reply.status) => {
                    let pause = self.asked_pause(&reply);
                    if let Some(pause) = pause {
                        self.pause(&host, pause)?;
                    }
                    format!("answers with status {}", reply.status)
                }
                Ok(reply) => return Ok(self.answered(&host, reply)),
                Err(why) => why,
            };
            let Some(delay) = delays.next() else {
                return Err(self.failed(&host, failure));
            };
            self.wait(delay, "before the next try")?;
        }
    }

    fn answered(&mut self, host: &str, reply: Reply) -> Reply {
        let host = self.hosts.entry(host.to_owned()).or_default();
        (host.failures, host.throttled) = (0, 0);
        reply
    }

    fn failed(&mut self, name: &str, why: String) -> Trouble {
        let host = self.hosts.entry(name.to_owned()).or_default();
        host.failures += 1;
        if host.failures >= FAILURES {
            host.closed = Some(format!(
                "{name} {why}; after {FAILURES} requests in a row it is not asked any more in this run"
            ));
        }
        Trouble::Unreachable(format!("{name} {why}"))
    }

    fn throttled(&mut self, name: &str, reply: &Reply) -> Result<(), Trouble> {
        let pause = self.asked_pause(reply).unwrap_or(self.limits.default_pause);
        let host = self.hosts.entry(name.to_owned()).or_default();
        host.throttled += 1;
        if host.throttled >= THROTTLED {
            let why = format!(
                "{name} answered {THROTTLED} times in a row that it is asked too often (429)"
            );
            host.closed = Some(why.clone());
            return Err(Trouble::Closed(why));
        }
        self.pause(name, pause)
    }

    /// Lets no request to a host pass for a while.
    fn pause(&mut self, name: &str, pause: Duration) -> Result<(), Trouble> {
        let until = self.clock.elapsed() + pause;
        let host = self.hosts.entry(name.to_owned()).or_default();
        if pause > self.limits.longest_pause {
            let why = format!(
                "{name} asks to wait {} seconds, longer than a run waits",
                pause.as_secs()
            );
            host.closed = Some(why.clone());
            return Err(Trouble::Closed(why));
        }
        host.paused_until = host.paused_until.max(until);
        Ok(())
    }

    fn take_turn(&mut self, lane: Lane, name: &str) -> Result<(), Trouble> {
        loop {
            let now = self.clock.elapsed();
            let host = self.hosts.entry(name.to_owned()).or_default();
            if let Some(why) = &host.closed {
                return Err(Trouble::Closed(why.clone()));
            }
            let pause = host.paused_until.saturating_sub(now);
            if !pause.is_zero() {
                self.wait(pause, "the archive asks to wait")?;
                continue;
            }
            match self.paces.get_mut(&lane).map(|pace| pace.turn(now)) {
                Some(Err(wait)) => self.wait(wait.max(Duration::from_millis(1)), "")?,
                _ if self.left().is_zero() => return Err(Trouble::OutOfBudget),
                _ => return Ok(()),
            }
        }
    }

    fn once(&mut self, request: &Request<'_>) -> Result<Reply, String> {
        self.requests += 1;
        let address = format!("{}{}", self.base(request.lane), request.target);
        let timeout = self.limits.timeout.min(self.left());
        let timeout = Some(timeout.max(Duration::from_millis(100)));
        let authorization = self
            .keys
            .filter(|_| matches!(request.lane, Lane::Save | Lane::State))
            .map(|keys| format!("LOW {}:{}", keys.access, keys.secret));
        let sent = match request.form {
            Some(form) => {
                let mut post = self
                    .agent
                    .post(&address)
                    .content_type("application/x-www-form-urlencoded")
                    .header("accept", "application/json");
                if let Some(value) = authorization {
                    post = post.header("authorization", value);
                }
                let post = post.config().timeout_global(timeout).build();
                post.send(form)
            }
            None => {
                let mut get = self.agent.get(&address);
                if let Some(value) = authorization {
                    get = get.header("authorization", value);
                }
                get.config().timeout_global(timeout).build().call()
            }
        };
        let mut reply = sent.map_err(|e| in_words(&e))?;
        let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
        let mut body = Vec::new();
        let reader = reply.body_mut().as_reader();
        reader
            .take(request.read + 1)
            .read_to_end(&mut body)
            .map_err(|e| format!("breaks off in the middle of an answer ({e})"))?;
        let cut = body.len() as u64 > request.read;
        body.truncate(usize::try_from(request.read).unwrap_or(usize::MAX));
        Ok(Reply {
            status,
            headers,
            body,
            cut,
        })
    }

    /// `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
    fn asked_pause(&self, reply: &Reply) -> Option<Duration> {
        let value = reply.header("retry-after")?;
        let value = value.trim();
        if let Ok(seconds) = value.parse::<u64>() {
            return Some(Duration::from_secs(seconds));
        }
        let until = httpdate::parse_http_date(value).ok()?;
        let until = until.duration_since(UNIX_EPOCH).ok()?;
        let now = u64::try_from(self.clock.wall().timestamp()).ok()?;
        Some(until.saturating_sub(Duration::from_secs(now)))
    }
}

/// Errors of a server that pass.
fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 421 | 425 | 500 | 502..=504 | 520..=530 | 599)
}

/// What went wrong, without the address: that may be long, and is told elsewhere.
fn in_words(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => "does not answer in time".to_owned(),
        ureq::Error::HostNotFound => "is a host that is not known here".to_owned(),
        ureq::Error::ConnectionFailed => "takes no connection".to_owned(),
        ureq::Error::Io(e) => format!("breaks off ({e})"),
        other => format!("gives no answer that can be read ({other})"),
    }
}
