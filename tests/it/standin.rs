//! A stand-in for a web archive on 127.0.0.1, over real sockets: the index, copies, requests for captures, and every
//! way in which a network fails.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use chrono::NaiveDateTime;
use serde_json::{Value, json};
use url::Url;

/// A capture that the stand-in holds.
#[derive(Debug, Clone)]
pub struct Held {
    pub original: String,
    pub stamp: String,
    pub status: u16,
    /// Where a captured redirect leads.
    pub redirect: String,
    pub body: String,
    /// Listed in the index but not shown.
    pub hidden: bool,
}

pub fn held(original: &str, stamp: &str) -> Held {
    Held {
        original: original.to_owned(),
        stamp: stamp.to_owned(),
        status: 200,
        redirect: String::new(),
        body: "<title>captured</title>".to_owned(),
        hidden: false,
    }
}

/// How a request goes wrong.
#[derive(Debug, Clone)]
pub enum Kind {
    /// This answer instead: status, header lines, body.
    Answer(u16, String, Vec<u8>),
    /// Silence.
    Hang(Duration),
    /// The connection is cut.
    Reset,
    /// Less than was announced.
    Truncate,
}

#[derive(Debug, Clone)]
struct Fault {
    prefix: String,
    contains: String,
    times: usize,
    kind: Kind,
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Logged {
    pub at: Duration,
    pub method: String,
    pub target: String,
    pub agent: String,
    pub authorized: bool,
    pub body: String,
}

#[derive(Debug, Default)]
pub struct State {
    pub captures: Vec<Held>,
    pub blocked: Vec<String>,
    pub log: Vec<Logged>,
    pub jobs: BTreeMap<String, (String, usize)>,
    /// How often a capture is pending before it is made.
    pub polls: usize,
    /// What the archive says to requests for captures.
    pub save_error: Option<String>,
    /// The address that a capture ends at.
    pub redirected_to: Option<String>,
    /// A capture is made but not shown yet.
    pub lag: bool,
    /// The keys are not accepted.
    pub locked: bool,
    /// The stamp of captures made now.
    pub now: String,
    faults: Vec<Fault>,
}

/// The stand-in; it answers as long as the test runs.
pub struct Standin {
    pub base: String,
    state: Arc<Mutex<State>>,
}

type Now = Arc<dyn Fn() -> Duration + Send + Sync>;

impl Standin {
    /// On the clock of this machine.
    pub fn start() -> Self {
        let start = Instant::now();
        Self::on(Arc::new(move || start.elapsed()))
    }

    /// On a clock of the test.
    pub fn on(now: Now) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            polls: 2,
            now: "20261129120000".to_owned(),
            ..State::default()
        }));
        let (shared, own) = (Arc::clone(&state), base.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (state, base, now) = (Arc::clone(&shared), own.clone(), Arc::clone(&now));
                thread::spawn(move || serve(stream, &state, &base, &now));
            }
        });
        Self { base, state }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn hold(&self, captures: impl IntoIterator<Item = Held>) {
        self.state().captures.extend(captures);
    }

    /// The next `times` requests whose path starts with `prefix` and holds `contains` go wrong.
    pub fn fail(&self, prefix: &str, contains: &str, times: usize, kind: Kind) {
        self.state().faults.push(Fault {
            prefix: prefix.to_owned(),
            contains: contains.to_owned(),
            times,
            kind,
        });
    }

    /// Requests whose path starts with a prefix.
    pub fn asked(&self, prefix: &str) -> Vec<Logged> {
        let state = self.state();
        let all = state.log.iter();
        all.filter(|l| l.target.starts_with(prefix))
            .cloned()
            .collect()
    }
}

fn serve(mut stream: TcpStream, state: &Mutex<State>, base: &str, now: &Now) {
    let Some((request, request_length)) = peek(&stream, now()) else {
        return;
    };
    let fault = {
        let mut state = state.lock().unwrap();
        state.log.push(request.clone());
        let target = &request.target;
        let next = state
            .faults
            .iter_mut()
            .find(|f| f.times > 0 && target.starts_with(&f.prefix) && target.contains(&f.contains));
        next.map(|fault| {
            fault.times -= 1;
            fault.kind.clone()
        })
    };
    if !matches!(fault, Some(Kind::Reset)) {
        let _ = stream.read_exact(&mut vec![0; request_length]);
    }
    match fault {
        Some(Kind::Hang(time)) => thread::sleep(time),
        // Bytes that nobody has read make the system send RST.
        Some(Kind::Reset) => {}
        Some(Kind::Truncate) => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n\r\n[[\"times";
            let _ = stream.write_all(head.as_bytes());
        }
        Some(Kind::Answer(status, headers, body)) => send(&mut stream, status, &headers, &body),
        None => {
            let (status, headers, body) = answer(&request, &mut state.lock().unwrap(), base);
            send(&mut stream, status, &headers, body.as_bytes());
        }
    }
}

/// A request with its length in bytes, which stay unread.
fn peek(stream: &TcpStream, at: Duration) -> Option<(Logged, usize)> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let n = stream.peek(&mut buffer).ok().filter(|n| *n > 0)?;
        let asked = &buffer[..n];
        let end = asked.windows(4).position(|w| w == b"\r\n\r\n");
        let Some(end) = end.map(|end| end + 4) else {
            thread::sleep(Duration::from_millis(1));
            continue;
        };
        let head = String::from_utf8_lossy(&asked[..end]).into_owned();
        let header = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(':'));
            let found = lines.find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.trim().to_owned())
        };
        let length: usize = header("content-length").map_or(0, |n| n.parse().unwrap());
        if asked.len() < end + length {
            thread::sleep(Duration::from_millis(1));
            continue;
        }
        let mut line = head.split_whitespace();
        let logged = Logged {
            at,
            method: line.next()?.to_owned(),
            target: line.next()?.to_owned(),
            agent: header("user-agent").unwrap_or_default(),
            authorized: header("authorization").is_some_and(|a| a.starts_with("LOW ")),
            body: String::from_utf8_lossy(&asked[end..end + length]).into_owned(),
        };
        return Some((logged, end + length));
    }
}

fn send(stream: &mut TcpStream, status: u16, headers: &str, body: &[u8]) {
    let lines: String = headers
        .lines()
        .map(|line| format!("{}\r\n", line.trim()))
        .collect();
    let head = format!(
        "HTTP/1.1 {status} Status\r\nconnection: close\r\ncontent-length: {}\r\n{lines}\r\n",
        body.len()
    );
    // Who asked may have gone.
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(body));
}

type Answered = (u16, String, String);

fn answer(request: &Logged, state: &mut State, base: &str) -> Answered {
    let url = Url::parse(&format!("{base}{}", request.target)).unwrap();
    let query: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    let json = |value: Value| {
        (
            200,
            "content-type: application/json".to_owned(),
            value.to_string(),
        )
    };
    match url.path() {
        "/wayback/available" => json(available(&query, state, base)),
        "/cdx/search/cdx" => cdx(&query, state),
        "/save" if request.method == "POST" => {
            if state.locked || !request.authorized {
                return (401, String::new(), json!({"message": "log in"}).to_string());
            }
            json(save(&request.body, state))
        }
        path if path.starts_with("/save/status/") => json(job(&path[13..], state)),
        _ => match request.target.strip_prefix("/web/") {
            Some(rest) => web(rest, state, base),
            None => (404, String::new(), "not here".to_owned()),
        },
    }
}

/// What an index takes for the same address.
fn key(address: &str) -> String {
    let Ok(url) = Url::parse(address) else {
        return address.to_lowercase();
    };
    let host = url
        .host_str()
        .unwrap_or_default()
        .trim_start_matches("www.");
    let query = url.query().map(|q| format!("?{q}")).unwrap_or_default();
    format!("{host}{}{query}", url.path().trim_end_matches('/')).to_lowercase()
}

fn number(stamp: &str) -> i64 {
    format!("{stamp:0<14}")[..14].parse().unwrap()
}

fn rows(address: &str, state: &State) -> Vec<Held> {
    let same = |h: &&Held| key(&h.original) == key(address);
    let mut rows: Vec<Held> = state.captures.iter().filter(same).cloned().collect();
    rows.sort_by(|a, b| a.stamp.cmp(&b.stamp));
    rows
}

fn available(query: &BTreeMap<String, String>, state: &State, base: &str) -> Value {
    let rows = rows(&query["url"], state);
    let closest = rows.iter().find(|h| h.status == 200).map(|h| {
        json!({"closest": {"status": "200", "available": true, "timestamp": h.stamp,
            "url": format!("{base}/web/{}/{}", h.stamp, h.original)}})
    });
    json!({"url": query["url"], "archived_snapshots": closest.unwrap_or(json!({}))})
}

fn cdx(query: &BTreeMap<String, String>, state: &State) -> Answered {
    let url = &query["url"];
    if state.blocked.contains(url) {
        let error = "org.archive.AdministrativeAccessControlException: Blocked Site Error";
        return (
            403,
            format!("x-archive-wayback-runtime-error: {error}"),
            error.to_owned(),
        );
    }
    let mut rows = rows(url, state);
    if query.get("filter").is_some_and(|f| f == "statuscode:200") {
        rows.retain(|h| h.status == 200);
    }
    if let Some(closest) = query.get("closest") {
        rows.sort_by_key(|h| (number(&h.stamp) - number(closest)).abs());
    }
    let limit = query.get("limit").map_or(1000, |n| n.parse().unwrap());
    rows.truncate(limit);
    let mut table = Vec::new();
    if !rows.is_empty() {
        table.push(json!(["timestamp", "original", "statuscode"]));
        table.extend(
            rows.iter()
                .map(|h| json!([h.stamp, h.original, h.status.to_string()])),
        );
    }
    (
        200,
        "content-type: application/json".to_owned(),
        Value::Array(table).to_string(),
    )
}

fn save(body: &str, state: &mut State) -> Value {
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(body.as_bytes())
        .into_owned()
        .collect();
    if let Some(error) = &state.save_error {
        return json!({"status": "error", "status_ext": error, "message": "not this one"});
    }
    let url = form["url"].clone();
    let job = format!("spn2-{:040x}", state.jobs.len() + 1);
    state.jobs.insert(job.clone(), (url.clone(), 0));
    json!({"url": url, "job_id": job})
}

fn job(job: &str, state: &mut State) -> Value {
    let Some((url, polls)) = state.jobs.get_mut(job) else {
        return json!({"status": "error", "status_ext": "error:no-job", "message": "no such job"});
    };
    *polls += 1;
    if *polls <= state.polls {
        return json!({"status": "pending", "job_id": job, "resources": []});
    }
    let original = state.redirected_to.clone().unwrap_or_else(|| url.clone());
    let made = Held {
        hidden: state.lag,
        ..held(&original, &state.now)
    };
    let (now, original) = (state.now.clone(), made.original.clone());
    state.captures.push(made);
    json!({"status": "success", "job_id": job, "original_url": original, "timestamp": now, "http_status": 200})
}

fn web(rest: &str, state: &State, base: &str) -> Answered {
    let (stamp, url) = rest.split_once('/').unwrap();
    let stamp = stamp.trim_end_matches("id_");
    if state.blocked.iter().any(|b| b == url) {
        let page = "<p>This URL has been excluded from the Wayback Machine.</p>";
        return (200, "content-type: text/html".to_owned(), page.to_owned());
    }
    let mut rows = rows(url, state);
    rows.retain(|h| !h.hidden);
    let Some(nearest) = rows
        .iter()
        .min_by_key(|h| (number(&h.stamp) - number(stamp)).abs())
    else {
        return (
            404,
            "content-type: text/html".to_owned(),
            "never archived".to_owned(),
        );
    };
    let Some(found) = rows.iter().find(|h| h.stamp == stamp) else {
        let headers = format!(
            "location: {base}/web/{}id_/{}\nx-archive-redirect-reason: found capture at {}",
            nearest.stamp, nearest.original, nearest.stamp
        );
        return (302, headers, String::new());
    };
    let made = NaiveDateTime::parse_from_str(stamp, "%Y%m%d%H%M%S").unwrap();
    let mut headers = format!(
        "content-type: text/html\nmemento-datetime: {}\nlink: <{}>; rel=\"original\", <{base}/web/timemap/link/x>; rel=\"timemap\"",
        made.format("%a, %d %b %Y %H:%M:%S GMT"),
        found.original
    );
    if (300..400).contains(&found.status) {
        headers.push_str(&format!(
            "\nlocation: {base}/web/{stamp}id_/{}",
            found.redirect
        ));
    }
    (found.status, headers, found.body.clone())
}
