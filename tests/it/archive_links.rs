//! Archived links beside the pages they should be copies of: the whole table of pairs that comes with the contract.

use chrono::NaiveDate;
use incidentlib::normalize::audit_archive;

#[test]
fn every_pair_of_the_table_comes_out_as_written() {
    let Some(path) = crate::common::shared("archive-standin/archive_pairs.tsv") else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let today = NaiveDate::from_ymd_opt(2026, 12, 4).unwrap();
    let (mut pairs, mut wrong) = (0, Vec::new());
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [n, url, archived, verdict, code, _] = fields[..] else {
            continue;
        };
        pairs += 1;
        let audit = audit_archive(url, archived, today);
        if (audit.verdict.as_str(), audit.code) != (verdict, code) {
            wrong.push(format!("{n}: {verdict} {code}, got {audit:?}"));
        }
    }
    assert_eq!(pairs, 36);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
