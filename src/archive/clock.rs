//! Time as the client sees it, so that tests wait for nothing.

use std::fmt::Debug;
use std::time::Duration;

use chrono::{DateTime, Utc};

/// A clock that can be waited on.
pub trait Clock: Debug {
    /// Time since some start; never goes back.
    fn elapsed(&self) -> Duration;

    /// The time of the calendar.
    fn wall(&self) -> DateTime<Utc>;

    /// Waits. `why` is for the person who watches.
    fn wait(&self, time: Duration, why: &str);
}
