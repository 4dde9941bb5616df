//! Time zones as pages name them, and what they make of a local time.
//!
//! Offsets come from the IANA time zone database. An abbreviation that several zones share, a
//! standard-time name in summer, and a local time that the clocks skip or repeat have no single
//! answer and are said to be ambiguous.

use chrono::{DateTime, FixedOffset, LocalResult, NaiveDateTime, Offset, TimeZone};
use chrono_tz::{OffsetComponents, Tz};

/// Which half of the year a zone's name speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Season {
    /// The name holds all year: `Pacific Time`, `MSK`.
    Any,
    /// Standard time: `PST`.
    Standard,
    /// Daylight-saving time: `PDT`.
    Daylight,
}

/// A zone as it was named.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Zone {
    /// Seconds east of UTC.
    Offset(i32),
    /// A zone of the IANA database.
    Named(Tz, Season),
    /// An abbreviation of several zones.
    Shared(&'static [(Tz, Season)]),
    /// "Local time", wherever that is.
    Local,
}

/// What a local time comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instant {
    /// One instant.
    At(DateTime<FixedOffset>),
    /// Several readings, or none; with the reason.
    Ambiguous(Vec<DateTime<FixedOffset>>, Doubt),
}

/// Why a time is ambiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// No zone is named.
    NoZone,
    /// No day is named.
    NoDate,
    /// Several zones share the abbreviation.
    SharedAbbreviation,
    /// The name is of the other half of the year: `PST` in July.
    WrongSeason,
    /// The clocks were set back: the time happened twice.
    Folded,
    /// The clocks were set forward: the time did not happen.
    Skipped,
    /// Twelve-hour time without its half of the day.
    HalfOfDay,
    /// Only a part of the day is named.
    PartOfDay,
}

impl Doubt {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoZone => "no zone is named",
            Self::NoDate => "no day is named",
            Self::SharedAbbreviation => "several zones have this abbreviation",
            Self::WrongSeason => "the zone's name is of the other half of the year",
            Self::Folded => "the clocks were set back: this time happened twice",
            Self::Skipped => "the clocks were set forward: this time did not happen",
            Self::HalfOfDay => "the half of the day is not named",
            Self::PartOfDay => "only a part of the day is named",
        }
    }
}

use Season::{Any, Daylight, Standard};

/// Abbreviations with one meaning.
const ABBREVIATIONS: &[(&str, Tz, Season)] = &[
    ("PT", Tz::America__Los_Angeles, Any),
    ("PST", Tz::America__Los_Angeles, Standard),
    ("PDT", Tz::America__Los_Angeles, Daylight),
    ("MT", Tz::America__Denver, Any),
    ("MST", Tz::America__Denver, Standard),
    ("MDT", Tz::America__Denver, Daylight),
    ("CT", Tz::America__Chicago, Any),
    ("CDT", Tz::America__Chicago, Daylight),
    ("ET", Tz::America__New_York, Any),
    ("EST", Tz::America__New_York, Standard),
    ("EDT", Tz::America__New_York, Daylight),
    ("ADT", Tz::America__Halifax, Daylight),
    ("AKST", Tz::America__Anchorage, Standard),
    ("AKDT", Tz::America__Anchorage, Daylight),
    ("HST", Tz::Pacific__Honolulu, Any),
    ("NST", Tz::America__St_Johns, Standard),
    ("NDT", Tz::America__St_Johns, Daylight),
    ("BRT", Tz::America__Sao_Paulo, Standard),
    ("BRST", Tz::America__Sao_Paulo, Daylight),
    ("ART", Tz::America__Argentina__Buenos_Aires, Any),
    ("CLT", Tz::America__Santiago, Standard),
    ("CLST", Tz::America__Santiago, Daylight),
    ("COT", Tz::America__Bogota, Any),
    ("PET", Tz::America__Lima, Any),
    ("VET", Tz::America__Caracas, Any),
    ("UYT", Tz::America__Montevideo, Any),
    ("BOT", Tz::America__La_Paz, Any),
    ("WET", Tz::Europe__Lisbon, Standard),
    ("WEST", Tz::Europe__Lisbon, Daylight),
    ("CET", Tz::Europe__Berlin, Standard),
    ("CEST", Tz::Europe__Berlin, Daylight),
    ("MEZ", Tz::Europe__Berlin, Standard),
    ("MESZ", Tz::Europe__Berlin, Daylight),
    ("EET", Tz::Europe__Helsinki, Standard),
    ("EEST", Tz::Europe__Helsinki, Daylight),
    ("MSK", Tz::Europe__Moscow, Any),
    ("MSD", Tz::Europe__Moscow, Daylight),
    ("TRT", Tz::Europe__Istanbul, Any),
    ("SAMT", Tz::Europe__Samara, Any),
    ("YEKT", Tz::Asia__Yekaterinburg, Any),
    ("NOVT", Tz::Asia__Novosibirsk, Any),
    ("WAT", Tz::Africa__Lagos, Any),
    ("CAT", Tz::Africa__Maputo, Any),
    ("EAT", Tz::Africa__Nairobi, Any),
    ("SAST", Tz::Africa__Johannesburg, Any),
    ("PKT", Tz::Asia__Karachi, Any),
    ("NPT", Tz::Asia__Kathmandu, Any),
    ("UZT", Tz::Asia__Tashkent, Any),
    ("IRST", Tz::Asia__Tehran, Standard),
    ("IRDT", Tz::Asia__Tehran, Daylight),
    ("IDT", Tz::Asia__Jerusalem, Daylight),
    ("BDT", Tz::Asia__Dhaka, Any),
    ("ICT", Tz::Asia__Bangkok, Any),
    ("WIB", Tz::Asia__Jakarta, Any),
    ("WITA", Tz::Asia__Makassar, Any),
    ("WIT", Tz::Asia__Jayapura, Any),
    ("SGT", Tz::Asia__Singapore, Any),
    ("MYT", Tz::Asia__Kuala_Lumpur, Any),
    ("HKT", Tz::Asia__Hong_Kong, Any),
    ("PHT", Tz::Asia__Manila, Any),
    ("JST", Tz::Asia__Tokyo, Any),
    ("KST", Tz::Asia__Seoul, Any),
    ("AWST", Tz::Australia__Perth, Any),
    ("ACST", Tz::Australia__Adelaide, Standard),
    ("ACDT", Tz::Australia__Adelaide, Daylight),
    ("AEST", Tz::Australia__Sydney, Standard),
    ("AEDT", Tz::Australia__Sydney, Daylight),
    ("NZST", Tz::Pacific__Auckland, Standard),
    ("NZDT", Tz::Pacific__Auckland, Daylight),
    ("CHST", Tz::Pacific__Guam, Any),
];

/// Abbreviations that several zones share.
const SHARED: &[(&str, &[(Tz, Season)])] = &[
    (
        "CST",
        &[
            (Tz::America__Chicago, Standard),
            (Tz::Asia__Shanghai, Any),
            (Tz::America__Havana, Standard),
        ],
    ),
    (
        "IST",
        &[
            (Tz::Asia__Kolkata, Any),
            (Tz::Asia__Jerusalem, Standard),
            (Tz::Europe__Dublin, Daylight),
        ],
    ),
    (
        "BST",
        &[(Tz::Europe__London, Daylight), (Tz::Asia__Dhaka, Any)],
    ),
    (
        "AST",
        &[(Tz::America__Halifax, Standard), (Tz::Asia__Riyadh, Any)],
    ),
    (
        "AMT",
        &[(Tz::America__Manaus, Any), (Tz::Asia__Yerevan, Any)],
    ),
    (
        "GST",
        &[(Tz::Asia__Dubai, Any), (Tz::Atlantic__South_Georgia, Any)],
    ),
    (
        "ECT",
        &[
            (Tz::America__Guayaquil, Any),
            (Tz::America__Martinique, Any),
        ],
    ),
    (
        "SST",
        &[(Tz::Pacific__Pago_Pago, Any), (Tz::Asia__Singapore, Any)],
    ),
    (
        "WST",
        &[(Tz::Pacific__Apia, Any), (Tz::Australia__Perth, Any)],
    ),
    (
        "PYT",
        &[(Tz::America__Asuncion, Any), (Tz::Asia__Pyongyang, Any)],
    ),
];

/// Zones where the standard name is right all year for part of the country.
const WITHOUT_SUMMER: &[(Tz, Tz)] = &[
    (Tz::America__Denver, Tz::America__Phoenix),
    (Tz::Australia__Sydney, Tz::Australia__Brisbane),
    (Tz::Australia__Adelaide, Tz::Australia__Darwin),
];

impl Zone {
    /// UTC.
    pub const UTC: Self = Self::Offset(0);

    /// An abbreviation in capitals: `PDT`, `UTC`, `Z`.
    pub fn from_abbreviation(text: &str) -> Option<Self> {
        if matches!(text, "UTC" | "GMT" | "Z" | "UT") {
            return Some(Self::UTC);
        }
        let one = ABBREVIATIONS.iter().find(|(name, ..)| *name == text);
        if let Some((_, tz, season)) = one {
            return Some(Self::Named(*tz, *season));
        }
        let shared = SHARED.iter().find(|(name, _)| *name == text);
        shared.map(|(_, zones)| Self::Shared(zones))
    }

    /// A zone as the language data writes it: an IANA name with `@standard` or `@daylight`, `UTC`,
    /// `local`.
    pub fn from_data(text: &str) -> Option<Self> {
        match text {
            "UTC" => return Some(Self::UTC),
            "local" => return Some(Self::Local),
            _ => {}
        }
        let (name, season) = match text.split_once('@') {
            Some((name, "standard")) => (name, Standard),
            Some((name, "daylight")) => (name, Daylight),
            _ => (text, Any),
        };
        Some(Self::Named(name.parse().ok()?, season))
    }

    /// A zone of the IANA database, `America/Los_Angeles`.
    pub fn from_iana(text: &str) -> Option<Self> {
        let tz: Tz = text.parse().ok()?;
        Some(if tz == Tz::UTC {
            Self::UTC
        } else {
            Self::Named(tz, Any)
        })
    }

    /// The zone with a hint where the page is from: a shared abbreviation becomes the one that fits.
    pub fn with_hint(self, hint: Option<Tz>) -> Self {
        let Some(hint) = hint else { return self };
        match self {
            Self::Shared(zones) => match zones.iter().find(|(tz, _)| *tz == hint) {
                Some((tz, season)) => Self::Named(*tz, *season),
                None => self,
            },
            Self::Named(tz, season) => {
                let fits = WITHOUT_SUMMER.contains(&(tz, hint));
                Self::Named(if fits { hint } else { tz }, season)
            }
            Self::Local => Self::Named(hint, Any),
            Self::Offset(_) => self,
        }
    }

    /// The instant of a local time in this zone.
    pub fn resolve(self, local: NaiveDateTime) -> Instant {
        match self {
            Self::Offset(seconds) => match at_offset(local, seconds) {
                Some(instant) => Instant::At(instant),
                None => Instant::Ambiguous(Vec::new(), Doubt::NoZone),
            },
            Self::Local => Instant::Ambiguous(Vec::new(), Doubt::NoZone),
            Self::Named(tz, season) => resolve_named(tz, season, local),
            Self::Shared(zones) => {
                let mut all = Vec::new();
                for (tz, season) in zones {
                    match resolve_named(*tz, *season, local) {
                        Instant::At(instant) => all.push(instant),
                        Instant::Ambiguous(more, _) => all.extend(more),
                    }
                }
                Instant::Ambiguous(all, Doubt::SharedAbbreviation)
            }
        }
    }
}

fn at_offset(local: NaiveDateTime, seconds: i32) -> Option<DateTime<FixedOffset>> {
    let offset = FixedOffset::east_opt(seconds)?;
    offset.from_local_datetime(&local).single()
}

/// A local time in a zone whose name may speak of one half of the year only.
fn resolve_named(tz: Tz, season: Season, local: NaiveDateTime) -> Instant {
    let readings = match tz.from_local_datetime(&local) {
        LocalResult::Single(one) => vec![one],
        LocalResult::Ambiguous(first, second) => vec![first, second],
        LocalResult::None => return Instant::Ambiguous(Vec::new(), Doubt::Skipped),
    };
    // Dublin's data counts winter as the saving; an hour more than the other half is summer.
    let is_summer = |t: &DateTime<Tz>| {
        let dst = t.offset().dst_offset();
        dst.num_seconds() > 0 || (tz == Tz::Europe__Dublin && dst.num_seconds() == 0)
    };
    let fits = |t: &DateTime<Tz>| match season {
        Any => true,
        Standard => !is_summer(t),
        Daylight => is_summer(t),
    };
    let fixed = |t: &DateTime<Tz>| t.with_timezone(&t.offset().fix());
    let fitting: Vec<_> = readings.iter().filter(|t| fits(t)).map(fixed).collect();
    match fitting.as_slice() {
        [one] => Instant::At(*one),
        [] => {
            let mut all: Vec<_> = readings.iter().map(fixed).collect();
            // What the name says literally: an hour beside.
            let shift = if season == Standard { -3600 } else { 3600 };
            if let Some(first) = all.first() {
                let literal = at_offset(local, first.offset().local_minus_utc() + shift);
                all.extend(literal);
            }
            Instant::Ambiguous(all, Doubt::WrongSeason)
        }
        _ => Instant::Ambiguous(fitting, Doubt::Folded),
    }
}
