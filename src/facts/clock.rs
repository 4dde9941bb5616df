//! Clock times as facts: when two of them are the same, and when they are one time written wrong.

use chrono::{NaiveDate, NaiveTime, Timelike};

use crate::time::{Doubt, Instant, Moment, Zone};

/// A time of day as a text gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockTime {
    /// Minutes since midnight.
    pub minutes: u32,
    /// The half of the day is not told: `5:15` where `17:15` may be meant.
    pub half_open: bool,
    /// The zone, where the text names one.
    pub zone: Option<Zone>,
}

impl ClockTime {
    /// The time of a moment, without its day.
    pub fn of(moment: &Moment) -> Self {
        Self {
            minutes: moment.time.hour() * 60 + moment.time.minute(),
            half_open: matches!(moment.instant, Instant::Ambiguous(_, Doubt::HalfOfDay)),
            zone: moment.zone,
        }
    }

    /// Whether the clock shows the same in both, as far as each is told, on a day.
    pub fn agrees(&self, other: &Self, day: NaiveDate) -> bool {
        self.same_hands(other)
            && (self.minutes == other.minutes || self.half_open || other.half_open)
            && self.same_zone(other, day)
    }

    /// Whether the hands stand alike and the half of the day or the zone is another: one of the two
    /// is written wrong, or they are different times.
    pub fn contradicts(&self, other: &Self, day: NaiveDate) -> bool {
        self.same_hands(other) && !self.agrees(other, day) && !self.same_instant(other, day)
    }

    /// Whether the two can be one instant of a day: the clocks show the same, or what they show in their zones is
    /// the same in UTC.
    pub fn same_time(&self, other: &Self, day: NaiveDate) -> bool {
        self.agrees(other, day) || self.same_instant(other, day)
    }

    /// A full or half hour, which many stories have.
    pub fn is_round(&self) -> bool {
        self.minutes.is_multiple_of(30)
    }

    fn same_hands(&self, other: &Self) -> bool {
        self.minutes % 720 == other.minutes % 720
    }

    fn same_zone(&self, other: &Self, day: NaiveDate) -> bool {
        let (a, b) = (self.offsets(day), other.offsets(day));
        a.is_empty() || b.is_empty() || a.iter().any(|offset| b.contains(offset))
    }

    fn same_instant(&self, other: &Self, day: NaiveDate) -> bool {
        let utc = |clock: &Self| -> Vec<i32> {
            let minutes = clock.minutes.cast_signed() * 60;
            let offsets = clock.offsets(day).into_iter();
            offsets
                .map(|offset| (minutes - offset).rem_euclid(24 * 3600))
                .collect()
        };
        let theirs = utc(other);
        utc(self).iter().any(|at| theirs.contains(at))
    }

    /// Seconds east of UTC that the zone may stand for on a day; none where it is not told.
    fn offsets(&self, day: NaiveDate) -> Vec<i32> {
        let time = NaiveTime::from_num_seconds_from_midnight_opt(self.minutes * 60, 0);
        let at = day.and_time(time.unwrap_or_default());
        match self.zone.map(|zone| zone.resolve(at)) {
            None => Vec::new(),
            Some(Instant::At(at)) => vec![at.offset().local_minus_utc()],
            Some(Instant::Ambiguous(all, _)) => {
                all.iter().map(|at| at.offset().local_minus_utc()).collect()
            }
        }
    }
}
