//! Start, detection and end of the impact, chosen among the times of a page.

use crate::model::Duration;
use crate::vocabulary::Cue;

use super::Reader;
use super::events::Events;
use super::marks::{
    Mark, first_impact, first_notice, last_of_chain, last_recovery, lead_range, range_end,
    start_by_length, start_is_unknown,
};

/// The times of the impact, as far as a page tells them.
#[derive(Default)]
pub(super) struct Impact {
    pub start: Option<Mark>,
    pub end: Option<Mark>,
    pub detected: Option<Mark>,
    /// Labels or the first texts tell start and end outright.
    pub told: bool,
}

/// The times that have a label of their own: "Outage start: 03:53".
struct Labels<'a> {
    start: Option<&'a Mark>,
    end: Option<&'a Mark>,
    detected: Option<&'a Mark>,
}

impl<'a> Labels<'a> {
    fn of(marks: &'a [Mark]) -> Self {
        let says = |m: &Mark, cue| m.label.is_some_and(|l| l.has(cue));
        let last = marks
            .iter()
            .rfind(|m| says(m, Cue::Resolved) && !says(m, Cue::Backlog));
        Self {
            start: marks
                .iter()
                .find(|m| says(m, Cue::Start) && !says(m, Cue::Detected)),
            end: last.or_else(|| marks.iter().find(|m| says(m, Cue::Resolved))),
            detected: marks.iter().find(|m| says(m, Cue::Detected)),
        }
    }
}

impl Impact {
    /// Chooses among the times of a page. `length` is how long the page says in a sentence that the incident lasted.
    pub(super) fn find(
        reader: &Reader,
        marks: &[Mark],
        events: &Events,
        length: Option<Duration>,
    ) -> Self {
        let labels = Labels::of(marks);
        let lead = lead_range(reader, marks);
        let lead = lead.map(|(a, b)| (&marks[a], &marks[last_of_chain(marks, b)]));
        let start = labels.start.or(lead.map(|(from, _)| from));
        let end = labels.end.or(lead.map(|(_, to)| to));
        let mut found = Self {
            told: start.is_some() && end.is_some(),
            start: start.cloned(),
            end: end.cloned(),
            detected: labels.detected.cloned(),
        };
        let story = story(marks, events);
        found.fill_in(marks, &story);
        found.leave_out_doubtful(reader, events, &labels);
        if let (Some(length), false) = (length, found.told || labels.start.is_some()) {
            found.fit(length, &story, labels.detected.is_none());
        }
        found
    }

    /// What no label and no first text tells is read from the story.
    fn fill_in(&mut self, marks: &[Mark], story: &[Mark]) {
        self.start = self.start.take().or_else(|| first_impact(story));
        let start = self.start.as_ref();
        let end = self.end.take();
        self.end = end
            .or_else(|| last_recovery(story, start))
            .or_else(|| range_end(marks, start));
        let detected = self.detected.take();
        self.detected = detected.or_else(|| first_notice(story, start));
    }

    fn leave_out_doubtful(&mut self, reader: &Reader, events: &Events, labels: &Labels) {
        // Updates are notices: the first of them is when it was told. So are those with the newest on top.
        let opens = events.list.first();
        let begins = opens.is_some_and(|e| e.cues.has(Cue::Start));
        let notices = events.updates || (events.newest_first && !begins);
        // Events whose times contradict the order they stand in tell no start either.
        let unsure = notices || !events.in_order;
        let by_event = self.start.as_ref().is_some_and(|s| s.listed);
        if ((by_event && unsure) || start_is_unknown(reader)) && labels.start.is_none() {
            self.start = None;
            self.detected = None;
        }
        let Some(start) = &self.start else { return };
        // "First detected" is when it was seen, not how long that took.
        if let (Some(seen), Some(_)) = (&self.detected, labels.detected)
            && seen.local == start.local
        {
            self.detected = None;
        }
        if self.end.as_ref().is_some_and(|e| e.local <= start.local) {
            self.end = None;
        }
    }

    /// Takes an earlier start where only that makes the incident as long as the page says.
    fn fit(&mut self, length: Duration, story: &[Mark], detection_open: bool) {
        let (start, end) = (self.start.as_ref(), self.end.as_ref());
        let Some(earlier) = start_by_length(start, end, story, length) else {
            return;
        };
        if detection_open {
            self.detected = first_notice(story, Some(&earlier));
        }
        self.start = Some(earlier);
    }
}

/// The times that tell the story: those of the timeline, else those of the text without a label.
fn story(marks: &[Mark], events: &Events) -> Vec<Mark> {
    // A digest of labelled times is read as labels.
    let told = events.list.iter().filter(|e| !e.trails && !e.day_only());
    let listed = |e: &super::events::Timed| {
        let local = e.local?;
        Some(Mark {
            block: e.block,
            range: e.range.clone(),
            local,
            at: None,
            cues: e.cues,
            to_next: false,
            until: false,
            listed: true,
            label: None,
        })
    };
    let timeline: Vec<Mark> = told.filter_map(listed).collect();
    if timeline.len() >= 2 {
        return timeline;
    }
    marks
        .iter()
        .filter(|m| m.label.is_none())
        .cloned()
        .collect()
}
