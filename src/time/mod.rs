//! Dates, clock times, zones and durations in running text, in every language that has a file in
//! `schema/language`.
//!
//! A text is cut into tokens by the words of its language, read into mentions (a day, a clock time, an
//! elapsed time), and clock times are bound to their day and zone. What a text leaves open is left
//! open: a day without a year, an hour without its half of the day, a zone that several places share.

mod clock;
mod clock_words;
mod cue;
mod date;
mod day_marks;
mod day_names;
mod day_numbers;
mod duration;
mod duration_form;
mod fold;
mod lexicon;
mod moment;
mod number;
mod reader;
mod resolve;
mod scan;
mod span;
mod token;
mod zone;
mod zone_name;

pub use clock::Clock;
pub use cue::{CueReader, Cues};
pub use date::{Day, DayRange};
pub use duration::{Elapsed, Qualifier};
pub use moment::{Context, Moment};
pub use reader::{DayAnswer, Scan, TimeAnswer, TimeReader, iana_zone};
pub use resolve::resolve_day;
pub use scan::{Expression, Mention};
pub use span::{Span, spans_of};
pub use zone::{Doubt, Instant, Season, Zone};
