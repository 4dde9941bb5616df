//! Durations and days in running text, in every language that has a file in `schema/language`.

mod date;
mod duration;

pub use date::DateReader;
pub use duration::parse_duration;
