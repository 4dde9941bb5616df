//! The archive client against a stand-in over real sockets: the cases that every client of a web archive has to pass,
//! and a long run over a bad network. Time is the test's own, so that nothing waits.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use incidentlib::archive::{Archive, Clock, Keys, Limits, Wanted};
use incidentlib::model::{Asked, Standing, Verdict};

use crate::standin::{Held, Kind, Standin, held};

const URL: &str = "https://status.example.com/incidents/1";
const STAMP: &str = "20240305101500";

/// A clock that jumps over what it waits for.
#[derive(Debug, Default)]
struct Jumping {
    time: Arc<Mutex<Duration>>,
    waits: Mutex<Vec<(Duration, String)>>,
}

impl Jumping {
    fn longest(&self) -> Duration {
        let waits = self.waits.lock().unwrap();
        waits
            .iter()
            .map(|(time, _)| *time)
            .max()
            .unwrap_or_default()
    }
}

impl Clock for Jumping {
    fn elapsed(&self) -> Duration {
        *self.time.lock().unwrap()
    }

    fn wall(&self) -> DateTime<Utc> {
        let start: DateTime<Utc> = "2026-11-29T12:00:00Z".parse().unwrap();
        start + self.elapsed()
    }

    fn wait(&self, time: Duration, why: &str) {
        *self.time.lock().unwrap() += time;
        self.waits.lock().unwrap().push((time, why.to_owned()));
    }
}

/// A stand-in, a clock that both see, and the manners of the client.
struct Setting {
    standin: Standin,
    clock: Jumping,
    limits: Limits,
}

impl Setting {
    fn new() -> Self {
        let clock = Jumping::default();
        let time = Arc::clone(&clock.time);
        let standin = Standin::on(Arc::new(move || *time.lock().unwrap()));
        let limits = Limits {
            base: Some(standin.base.clone()),
            contact: "library@example.org".to_owned(),
            timeout: Duration::from_secs(2),
            ..Limits::default()
        };
        Self {
            standin,
            clock,
            limits,
        }
    }

    fn holding(captures: impl IntoIterator<Item = Held>) -> Self {
        let setting = Self::new();
        setting.standin.hold(captures);
        setting
    }

    fn find(&self, url: &str) -> Asked {
        Archive::new(&self.limits, None, &self.clock).find(&wanted(url))
    }

    fn audit(&self, archived: &str) -> Asked {
        let wanted = Wanted {
            archived: Some(archived.to_owned()),
            ..wanted(URL)
        };
        Archive::new(&self.limits, None, &self.clock).audit(&wanted)
    }

    fn save(&self, url: &str) -> Result<Asked, String> {
        let keys = keys();
        let mut archive = Archive::new(&self.limits, Some(&keys), &self.clock);
        archive
            .save(&wanted(url))
            .map_err(|aborted| aborted.message)
    }

    fn fail(&self, prefix: &str, times: usize, kind: Kind) {
        self.standin.fail(prefix, "", times, kind);
    }
}

fn keys() -> Keys {
    Keys {
        access: "ACCESSKEY".to_owned(),
        secret: "TOPSECRET".to_owned(),
    }
}

fn wanted(url: &str) -> Wanted {
    Wanted {
        url: url.to_owned(),
        archived: None,
        near: NaiveDate::from_ymd_opt(2024, 3, 4),
        not_before: NaiveDate::from_ymd_opt(2024, 3, 3),
    }
}

fn link(stamp: &str) -> String {
    format!("https://web.archive.org/web/{stamp}/{URL}")
}

fn status(status: u16, headers: &str) -> Kind {
    Kind::Answer(status, headers.to_owned(), Vec::new())
}

fn body(body: &str) -> Kind {
    Kind::Answer(
        200,
        "content-type: application/json".to_owned(),
        body.as_bytes().to_vec(),
    )
}

#[test]
fn case_01_an_exact_capture_is_proven_and_stored_in_its_one_form() {
    let setting = Setting::holding([held(URL, STAMP)]);
    let found = setting.find(URL);
    assert_eq!(
        (found.verdict, found.copy),
        (Verdict::Found, Some(link(STAMP)))
    );
    let audited = setting.audit(&link(STAMP));
    assert_eq!(audited.verdict, Verdict::Verified);
    let flagged = format!("http://web.archive.org/web/{STAMP}id_/{URL}");
    assert_eq!(setting.audit(&flagged).copy, Some(link(STAMP)));
}

#[test]
fn case_02_none_is_missing() {
    let setting = Setting::new();
    let asked = setting.find(URL);
    assert_eq!((asked.verdict, asked.copy), (Verdict::Missing, None));
    assert!(setting.standin.asked("/save").is_empty());
    assert!(
        setting.standin.asked("/wayback").is_empty(),
        "absence is the index's word alone"
    );
}

#[test]
fn case_03_the_index_may_be_empty_or_list_several() {
    let setting = Setting::new();
    setting.fail(
        "/cdx",
        1,
        body(r#"[["timestamp","original","statuscode"]]"#),
    );
    assert_eq!(setting.find(URL).verdict, Verdict::Missing);

    let before = "20240302101500";
    let setting = Setting::holding([
        held(URL, "20251111000000"),
        held(URL, STAMP),
        held(URL, before),
    ]);
    // Nearest to the publication; one from before the incident cannot tell of it.
    assert_eq!(setting.find(URL).copy, Some(link(STAMP)));
}

#[test]
fn case_04_05_a_pause_that_is_asked_for_is_kept() {
    for retry_after in [
        "retry-after: 1",
        "retry-after: Sun, 29 Nov 2026 12:00:01 GMT",
    ] {
        let setting = Setting::holding([held(URL, STAMP)]);
        setting.fail("/cdx", 1, status(429, retry_after));
        assert_eq!(setting.find(URL).verdict, Verdict::Found, "{retry_after}");
        let asked = setting.standin.asked("/cdx");
        assert_eq!(asked.len(), 2);
        assert!(asked[1].at - asked[0].at >= Duration::from_secs(1));
    }
}

#[test]
fn case_06_a_429_pauses_every_request_to_the_host() {
    let setting = Setting::holding([held(URL, STAMP)]);
    setting.fail("/web/", 1, status(429, ""));
    assert_eq!(setting.find(URL).verdict, Verdict::Found);
    let log = setting.standin.asked("/");
    assert!(log[2].at - log[1].at >= Duration::from_secs(60), "{log:?}");
}

#[test]
fn case_07_five_429s_end_the_run_for_the_host() {
    let setting = Setting::new();
    setting.fail("/", 100, status(429, "retry-after: 1"));
    let mut archive = Archive::new(&setting.limits, None, &setting.clock);
    for i in 0..3 {
        let asked = archive.find(&wanted(&format!("{URL}{i}")));
        assert_eq!(asked.verdict, Verdict::Exhausted);
    }
    assert_eq!(archive.requests(), 5);
}

#[test]
fn case_08_a_day_is_not_waited_for() {
    let setting = Setting::new();
    setting.fail("/cdx", 1, status(429, "retry-after: 86400"));
    assert_eq!(setting.find(URL).verdict, Verdict::Exhausted);
    assert!(setting.clock.longest() < Duration::from_secs(10));
}

#[test]
fn case_09_errors_of_the_server_are_tried_again() {
    for code in [500, 502, 503, 504, 520] {
        let setting = Setting::holding([held(URL, STAMP)]);
        setting.fail("/cdx", 1, status(code, ""));
        assert_eq!(setting.find(URL).verdict, Verdict::Found, "{code}");
        let setting = Setting::new();
        setting.fail("/", 100, status(code, ""));
        assert_eq!(setting.find(URL).verdict, Verdict::Unreachable, "{code}");
        let tries = setting.standin.asked("/cdx");
        assert_eq!(tries.len(), 3);
        assert!(tries[2].at - tries[1].at > tries[1].at - tries[0].at - Duration::from_millis(600));
    }
}

#[test]
fn case_10_a_host_that_is_down_is_left_alone() {
    let setting = Setting::new();
    let page = Kind::Answer(
        503,
        "content-type: text/html".to_owned(),
        b"Temporarily Offline".to_vec(),
    );
    setting.fail("/", 1000, page);
    let mut archive = Archive::new(&setting.limits, None, &setting.clock);
    let asked: Vec<Verdict> = (0..20)
        .map(|i| archive.find(&wanted(&format!("{URL}{i}"))).verdict)
        .collect();
    assert!(
        asked.iter().all(|v| v.standing() == Standing::Unknown),
        "{asked:?}"
    );
    assert_eq!(
        archive.requests(),
        9,
        "three requests with three tries each"
    );
}

#[test]
fn case_11_silence_is_not_waited_for() {
    let mut setting = Setting::new();
    setting.limits.timeout = Duration::from_millis(150);
    setting.fail("/", 100, Kind::Hang(Duration::from_millis(600)));
    assert_eq!(setting.find(URL).verdict, Verdict::Unreachable);
}

#[test]
fn case_12_13_a_broken_connection_is_no_result() {
    for kind in [Kind::Reset, Kind::Truncate] {
        let setting = Setting::holding([held(URL, STAMP)]);
        setting.fail("/cdx", 2, kind.clone());
        assert_eq!(setting.find(URL).verdict, Verdict::Found, "{kind:?}");
        let setting = Setting::new();
        setting.fail("/", 100, kind.clone());
        assert_eq!(setting.find(URL).verdict, Verdict::Unreachable, "{kind:?}");
    }
    let mut setting = Setting::new();
    setting.limits.base = Some("http://127.0.0.1:1".to_owned());
    assert_eq!(setting.find(URL).verdict, Verdict::Unreachable);
}

#[test]
fn case_14_what_is_no_answer_is_unknown() {
    for text in [
        "<html>",
        r#"{"archived_snapshots":[]}"#,
        "null",
        "",
        "\u{feff}nope",
    ] {
        let setting = Setting::new();
        setting.fail("/cdx", 1, body(text));
        assert_eq!(setting.find(URL).verdict, Verdict::Malformed, "{text}");
    }
    let setting = Setting::holding([held(URL, STAMP)]);
    setting.fail("/cdx", 1, body("\u{feff}[]"));
    assert_eq!(setting.find(URL).verdict, Verdict::Missing);
    // What the index does not say, another service may; and it is proven as well.
    let setting = Setting::holding([held(URL, STAMP)]);
    setting.fail("/cdx", 1, body("<html>"));
    assert_eq!(setting.find(URL).verdict, Verdict::Found);
}

#[test]
fn case_15_17_a_site_that_the_archive_does_not_show() {
    let setting = Setting::holding([held(URL, STAMP)]);
    setting.standin.state().blocked.push(URL.to_owned());
    assert_eq!(setting.find(URL).verdict, Verdict::Blocked);
    assert_eq!(setting.standin.asked("/").len(), 1, "not tried again");
    assert_eq!(setting.audit(&link(STAMP)).verdict, Verdict::Blocked);
}

#[test]
fn case_16_a_time_that_the_archive_does_not_hold() {
    let setting = Setting::holding([held(URL, "20250101000000")]);
    let asked = setting.audit(&link(STAMP));
    assert_eq!(asked.verdict, Verdict::OtherTime);
    assert!(
        asked.message.contains(&link("20250101000000")),
        "{}",
        asked.message
    );
    let fresh = setting.audit(&link("20261129060000"));
    assert_eq!(fresh.verdict, Verdict::Pending);
}

#[test]
fn case_18_errors_and_redirects_that_were_archived() {
    for (code, verdict) in [
        (404, Verdict::ErrorPage),
        (429, Verdict::ErrorPage),
        (503, Verdict::ErrorPage),
        (301, Verdict::Redirect),
    ] {
        let capture = Held {
            status: code,
            redirect: "https://status.example.com/".to_owned(),
            ..held(URL, STAMP)
        };
        let setting = Setting::holding([capture]);
        let asked = setting.audit(&link(STAMP));
        assert_eq!(asked.verdict, verdict, "{code}");
        let told = if code == 301 {
            "`https://status.example.com/`"
        } else {
            &code.to_string()
        };
        assert!(asked.message.contains(told), "{}", asked.message);
        assert_eq!(setting.standin.asked("/web/").len(), 1, "{code}");
    }
    let challenge = Held {
        body: "<html><title>Just a moment...</title>".to_owned(),
        ..held(URL, STAMP)
    };
    let setting = Setting::holding([challenge]);
    assert_eq!(setting.find(URL).verdict, Verdict::Challenge);
}

#[test]
fn case_19_circles_end() {
    let setting = Setting::new();
    for (from, to) in [(1, 2), (2, 3), (3, 4), (4, 1)] {
        let to = format!(
            "location: {}/web/2024030510150{to}id_/{URL}",
            setting.standin.base
        );
        let prefix = format!("/web/2024030510150{from}id_/");
        setting.standin.fail(&prefix, "", 100, status(302, &to));
    }
    assert_eq!(
        setting.audit(&link("20240305101501")).verdict,
        Verdict::Circular
    );
    assert_eq!(setting.standin.asked("/web/").len(), 4);
}

#[test]
fn case_20_the_original_may_differ_by_scheme_only() {
    let other = "http://www.status.example.com/incidents/1";
    let setting = Setting::holding([held(other, STAMP)]);
    assert_eq!(setting.audit(&link(STAMP)).verdict, Verdict::Verified);
    let answer = "memento-datetime: Tue, 05 Mar 2024 10:15:00 GMT\nlink: <https://status.example.com/about>; rel=\"original\"";
    setting.fail("/web/", 1, status(200, answer));
    assert_eq!(setting.audit(&link(STAMP)).verdict, Verdict::OtherPage);
}

#[test]
fn case_21_no_other_host_is_asked() {
    for prefix in ["/web/", "/cdx"] {
        let setting = Setting::holding([held(URL, STAMP)]);
        let elsewhere = Standin::start();
        let to = format!("location: {}/web/{STAMP}id_/{URL}", elsewhere.base);
        setting.fail(prefix, 1, status(302, &to));
        let verdict = match prefix {
            "/cdx" => setting.find("https://status.example.com/other").verdict,
            _ => setting.audit(&link(STAMP)).verdict,
        };
        assert_eq!(verdict.standing(), Standing::Unknown, "{prefix}");
        assert!(elsewhere.asked("/").is_empty());
    }
}

#[test]
fn case_22_what_is_too_large_is_not_read() {
    let setting = Setting::holding([Held {
        body: format!("<title>captured</title>{}", "x".repeat(50 << 20)),
        ..held(URL, STAMP)
    }]);
    assert_eq!(setting.audit(&link(STAMP)).verdict, Verdict::Verified);
    let many = format!("[{}]", "[],".repeat(1 << 20));
    setting.fail("/cdx", 1, body(&many));
    let asked = setting.find("https://status.example.com/other");
    assert_eq!(asked.verdict, Verdict::Malformed);
    assert!(asked.message.contains("1 MiB"), "{}", asked.message);
}

#[test]
fn case_23_an_error_with_status_200_is_not_polled() {
    let setting = Setting::new();
    setting.standin.state().save_error = Some("error:blocked-url".to_owned());
    let asked = setting.save(URL).unwrap();
    assert_eq!(asked.verdict, Verdict::Refused);
    assert!(asked.message.contains("blocked-url"), "{}", asked.message);
    assert!(setting.standin.asked("/save/status").is_empty());
    setting.standin.state().save_error = Some("error:too-many-daily-captures".to_owned());
    assert_eq!(setting.save(URL).unwrap().verdict, Verdict::Exhausted);
}

#[test]
fn case_24_a_capture_of_another_address_is_not_taken() {
    let setting = Setting::new();
    let saved = setting.save(URL).unwrap();
    assert_eq!(
        (saved.verdict, saved.copy),
        (Verdict::Saved, Some(link("20261129120000")))
    );
    assert_eq!(
        setting.standin.asked("/save/status").len(),
        3,
        "two pending, one done"
    );

    let setting = Setting::new();
    setting.standin.state().redirected_to = Some("https://status.example.com/".to_owned());
    let asked = setting.save(URL).unwrap();
    assert_eq!((asked.verdict, asked.copy), (Verdict::OtherPage, None));

    let setting = Setting::new();
    setting.standin.state().lag = true;
    assert_eq!(
        setting.save(URL).unwrap().verdict,
        Verdict::Pending,
        "made, and not shown yet"
    );
}

#[test]
fn case_25_a_capture_that_is_never_made() {
    let setting = Setting::new();
    setting.standin.state().polls = usize::MAX;
    assert_eq!(setting.save(URL).unwrap().verdict, Verdict::Pending);
    let polls = setting.standin.asked("/save/status").len();
    assert_eq!(polls, setting.limits.polls as usize);
}

#[test]
fn case_26_keys_that_are_not_accepted_end_the_run_and_are_never_shown() {
    let setting = Setting::new();
    setting.standin.state().locked = true;
    let why = setting.save(URL).unwrap_err();
    assert!(why.contains("does not accept the keys"), "{why}");
    assert!(!why.contains("TOPSECRET"));
    assert_eq!(setting.standin.asked("/save").len(), 1);
    let keys = keys();
    let archive = Archive::new(&setting.limits, Some(&keys), &setting.clock);
    let debug = format!("{keys:?} {archive:?}");
    assert!(
        !debug.contains("TOPSECRET") && !debug.contains("ACCESSKEY"),
        "{debug}"
    );
}

#[test]
fn case_27_addresses_are_escaped_once_and_hosts_are_not_hurried() {
    let odd = |i| format!("https://status.example.com/장애/{i}?a=1&b=50%25#part-2");
    let setting = Setting::new();
    let keys = keys();
    let mut archive = Archive::new(&setting.limits, Some(&keys), &setting.clock);
    for i in 0..3 {
        let wanted = wanted(&odd(i));
        assert_eq!(archive.find(&wanted).verdict, Verdict::Missing);
        let saved = archive.save(&wanted).unwrap();
        assert_eq!(saved.verdict, Verdict::Saved, "{}", saved.message);
    }
    let log = setting.standin.asked("/");
    for request in &log {
        let own = request.target.starts_with("/save");
        assert_eq!(request.authorized, own, "{}", request.target);
        assert!(
            request.agent.starts_with("incidentlib/"),
            "{}",
            request.agent
        );
        assert!(
            request.agent.contains("library@example.org"),
            "{}",
            request.agent
        );
        assert!(request.target.is_ascii());
    }
    let cdx = setting.standin.asked("/cdx");
    let url = url::Url::parse(&format!("http://x{}", cdx[0].target)).unwrap();
    let seen = url
        .query_pairs()
        .find(|(key, _)| key == "url")
        .unwrap()
        .1
        .into_owned();
    assert_eq!(seen, odd(0));
    let at_least = |prefix: &str, method: &str, seconds: f64| {
        let all: Vec<_> = setting.standin.asked(prefix);
        let times: Vec<Duration> = all
            .iter()
            .filter(|l| l.method == method)
            .map(|l| l.at)
            .collect();
        assert!(times.len() >= 3);
        for pair in times.windows(2) {
            let apart = pair[1] - pair[0];
            assert!(
                apart >= Duration::from_secs_f64(seconds),
                "{prefix}: {apart:?}"
            );
        }
    };
    at_least("/cdx", "GET", 2.5);
    at_least("/save", "POST", 9.0);
}

/// Faults of every kind, on one request in twenty.
fn bad_network(setting: &Setting, sources: usize) {
    let kinds = [
        status(429, "retry-after: 2"),
        status(429, ""),
        status(500, ""),
        status(502, ""),
        Kind::Answer(
            503,
            "content-type: text/html".to_owned(),
            b"Temporarily Offline".to_vec(),
        ),
        Kind::Hang(Duration::from_millis(400)),
        Kind::Reset,
        Kind::Truncate,
        body("<html>"),
        body("null"),
    ];
    for (n, i) in (0..sources).step_by(20).enumerate() {
        let contains = format!("incidents%2F{i}&");
        setting
            .standin
            .fail("/cdx", &contains, 1, kinds[n % kinds.len()].clone());
    }
    for (n, i) in (10..sources).step_by(40).enumerate() {
        let contains = format!("incidents/{i}");
        setting
            .standin
            .fail("/web/", &contains, 1, kinds[n % 8].clone());
    }
}

#[test]
fn a_thousand_sources_over_a_bad_network_end_in_time_and_lose_nothing() {
    const SOURCES: usize = 1000;
    let url = |i: usize| format!("https://status.example.com/incidents/{i}");
    let mut setting = Setting::new();
    setting.limits.timeout = Duration::from_millis(200);
    setting.limits.budget = Duration::from_secs(3600);
    setting.standin.hold(
        (0..SOURCES)
            .filter(|i| i % 4 > 0)
            .map(|i| held(&url(i), STAMP)),
    );
    bad_network(&setting, SOURCES);

    let mut answers: Vec<Option<Asked>> = vec![None; SOURCES];
    let mut runs = 0;
    while answers.iter().any(|a| {
        a.as_ref()
            .is_none_or(|a| a.verdict.standing() == Standing::Unknown)
    }) {
        runs += 1;
        assert!(runs < 10, "it comes to no end");
        setting
            .clock
            .wait(Duration::from_secs(60), "until the next run");
        let start = setting.clock.elapsed();
        let mut archive = Archive::new(&setting.limits, None, &setting.clock);
        for (i, answer) in answers.iter_mut().enumerate() {
            let open = answer
                .as_ref()
                .is_none_or(|a| a.verdict.standing() == Standing::Unknown);
            if open {
                *answer = Some(archive.find(&wanted(&url(i))));
            }
        }
        let took = setting.clock.elapsed() - start;
        assert!(took <= setting.limits.budget, "{took:?}");
    }
    for (i, answer) in answers.iter().flatten().enumerate() {
        let expected = if i % 4 > 0 {
            Verdict::Found
        } else {
            Verdict::Missing
        };
        assert_eq!(answer.verdict, expected, "{i}: {}", answer.message);
    }
    // However it went, the index was never asked faster than its pace.
    let cdx = setting.standin.asked("/cdx");
    assert!(cdx.len() >= SOURCES);
    for pair in cdx.windows(2) {
        assert!(
            pair[1].at - pair[0].at >= Duration::from_millis(2499),
            "{pair:?}"
        );
    }
}
