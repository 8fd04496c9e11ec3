//! The present time, and the time at which SSH signatures are judged.

use std::time::{Duration, SystemTime};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};
use moissanite_ssh::{Date, Error, Instant};

const FORMAT: &str = "%Y%m%d%H%M%S";

/// The present time since 1970, in which certificates state theirs.
pub(crate) fn since_1970() -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default()
}

/// The present time.
pub(crate) fn now() -> Result<Instant, Error> {
    instant(&Timestamp::now().to_zoned_datetime(TimeZone::system()))
}

/// The time that a text in the format of [`Date`] names, in local time unless it ends in `Z`.
pub(crate) fn parse(text: &str) -> Result<Instant, Error> {
    text.parse::<Date>()?;
    let (digits, zone) = match text.strip_suffix('Z') {
        Some(digits) => (digits, TimeZone::UTC),
        None => (text, TimeZone::system()),
    };
    let whole = format!("{digits:0<14}");
    let time = DateTime::strptime(FORMAT, whole).and_then(|time| time.to_zoned_datetime(zone));
    let time = time.map_err(|_| Error::Date)?;
    instant(&time.with_time_zone(TimeZone::system()))
}

/// The same time in UTC and where the program runs.
fn instant(local: &ZonedDateTime) -> Result<Instant, Error> {
    let utc = local.with_time_zone(TimeZone::UTC);
    let date = |time: &ZonedDateTime| time.strftime(FORMAT).to_string().parse();
    Ok(Instant::new(date(&utc)?, date(local)?))
}
