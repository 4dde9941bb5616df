//! How the archive is asked: where, how often, how long.

use std::time::Duration;

/// The manners of the client. The defaults stay below what the Internet Archive was last known to allow (24 index
/// requests a minute, 480 replays, 7 captures); archives change their limits often, so all of them are settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Scheme, host and port to send every request to, instead of the public hosts.
    pub base: Option<String>,
    /// Whom the archive can reach: an address of mail or web, sent in the `User-Agent`.
    pub contact: String,
    /// Between two requests to the index.
    pub index_pause: Duration,
    /// Between two looks at copies, and at the state of captures.
    pub replay_pause: Duration,
    /// Between two requests for a capture.
    pub save_pause: Duration,
    /// After a 429 that does not say how long.
    pub default_pause: Duration,
    /// A longer pause is not waited for: the host is left alone for the rest of the run.
    pub longest_pause: Duration,
    /// Time for one request.
    pub timeout: Duration,
    /// How often one request is tried.
    pub tries: usize,
    /// How often the state of one capture is asked for.
    pub polls: u32,
    /// Between two such questions.
    pub poll_pause: Duration,
    /// Time for the whole run.
    pub budget: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs_f64;
        Self {
            base: None,
            contact: String::new(),
            index_pause: seconds(2.5),
            replay_pause: seconds(0.2),
            save_pause: seconds(9.0),
            default_pause: seconds(60.0),
            longest_pause: seconds(600.0),
            timeout: seconds(60.0),
            tries: 3,
            polls: 30,
            poll_pause: seconds(5.0),
            budget: seconds(7200.0),
        }
    }
}
