//! The integration tests, one binary: linked once, run with `cargo test`. One module a subject; `cargo test MODULE` runs one.

mod common;
#[cfg(feature = "archive")]
mod standin;

mod architecture;
#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod archive_command;
mod archive_links;
mod articles;
mod bad_input;
mod cli;
mod contract;
mod documents;
mod faults;
mod fetch;
mod ids;
mod library;
mod pdf;
mod planted_faults;
mod postmortems;
mod properties;
mod pull_request;
mod recognize;
mod rules;
mod seeds;
mod stages;
mod times;
