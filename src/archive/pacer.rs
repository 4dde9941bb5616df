//! When a host may be asked again: one pacer for all requests to it, whatever they are about.

use std::time::Duration;

use governor::clock::FakeRelativeClock;
use governor::{Quota, RateLimiter};

/// One request in so much time, on a clock that is told the time.
#[derive(Debug)]
pub(super) struct Pace {
    tick: FakeRelativeClock,
    at: Duration,
    limiter: Option<Limiter>,
}

type Limiter = RateLimiter<
    governor::state::NotKeyed,
    governor::state::InMemoryState,
    FakeRelativeClock,
    governor::middleware::NoOpMiddleware<governor::nanos::Nanos>,
>;

impl Pace {
    /// One request in `period`; no limit where that is nothing.
    pub(super) fn new(period: Duration) -> Self {
        let tick = FakeRelativeClock::default();
        let quota = Quota::with_period(period);
        let limiter = quota.map(|quota| RateLimiter::direct_with_clock(quota, tick.clone()));
        Self {
            tick,
            at: Duration::ZERO,
            limiter,
        }
    }

    /// Takes the next turn at the time `now`, or says how long to wait for it.
    pub(super) fn turn(&mut self, now: Duration) -> Result<(), Duration> {
        self.tick.advance(now.saturating_sub(self.at));
        self.at = self.at.max(now);
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        limiter.check().map_err(|not_until| {
            use governor::clock::Clock as _;
            not_until.wait_time_from(self.tick.now())
        })
    }
}

/// What is known of a host in this run.
#[derive(Debug, Default)]
pub(super) struct Host {
    /// No request before this time.
    pub(super) paused_until: Duration,
    /// Requests that failed one after the other, with all their tries.
    pub(super) failures: u32,
    /// 429s one after the other.
    pub(super) throttled: u32,
    /// Why it is not asked any more.
    pub(super) closed: Option<String>,
}

/// Failed requests in a row after which a host is taken to be down.
pub(super) const FAILURES: u32 = 3;

/// 429s in a row after which a host is left alone.
pub(super) const THROTTLED: u32 = 5;
