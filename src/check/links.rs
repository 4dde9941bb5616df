//! The links to copies in a record, with what their addresses say.

use super::context::Context;
use crate::model::Case;
use crate::normalize::{ArchiveAudit, audit_archive, check_address};

/// Every link to a copy in a record, with its pointer and what the two addresses say of it. What is no address at
/// all is for `bad-address`.
pub(super) fn archives_of<'c>(
    case: &'c Case,
    cx: &Context<'_>,
) -> impl Iterator<Item = (String, &'c str, ArchiveAudit)> {
    let today = cx.today.into();
    let sources = case.sources.iter().enumerate();
    sources.filter_map(move |(i, source)| {
        let (url, archived) = (source.url.as_deref()?, source.archived.as_deref()?);
        let addresses = [url, archived].iter().all(|a| check_address(a).is_ok());
        let audit = || audit_archive(url, archived, today);
        addresses.then(|| (format!("/sources/{i}/archived"), archived, audit()))
    })
}
