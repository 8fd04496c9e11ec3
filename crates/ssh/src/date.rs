//! Dates of lists of allowed signers.

use core::str::FromStr;

use crate::error::Error;

/// A date: `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, with `Z` in UTC and without it in local time.
///
/// ```
/// use moissanite_ssh::Date;
///
/// assert_eq!("20261123Z".parse::<Date>()?, "20261123000000Z".parse()?);
/// assert!("20261323".parse::<Date>().is_err());
/// # Ok::<(), moissanite_ssh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// The digits as a number: `YYYYMMDDHHMMSS`.
    digits: u64,
    is_utc: bool,
}

impl FromStr for Date {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (digits, is_utc) = match text.strip_suffix('Z') {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::Date);
        }
        let factor = match digits.len() {
            8 => 1_000_000,
            12 => 100,
            14 => 1,
            _ => return Err(Error::Date),
        };
        let digits = digits.parse::<u64>().map_err(|_| Error::Date)? * factor;
        let date = Self { digits, is_utc };
        if date.exists() {
            Ok(date)
        } else {
            Err(Error::Date)
        }
    }
}

impl Date {
    /// Whether the calendar has such a date. A leap second has the number 60.
    fn exists(self) -> bool {
        let mut rest = self.digits;
        let mut part = |base: u64| {
            // The digits are public.
            #[allow(clippy::integer_division_remainder_used, reason = "not secret")]
            let (quotient, part) = (rest / base, rest % base);
            rest = quotient;
            part
        };
        let [second, minute, hour, day, month, year] =
            [100, 100, 100, 100, 100, 10_000].map(&mut part);
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u64::from(is_leap),
            1..=12 => 31,
            _ => 0,
        };
        (1..=days).contains(&day) && hour < 24 && minute < 60 && second <= 60
    }
}

/// The instant at which a signature is judged, in UTC and in local time, because dates without `Z` are in local
/// time.
#[derive(Clone, Copy, Debug)]
pub struct Instant {
    utc: Date,
    local: Date,
}

impl Instant {
    /// Returns an instant that is given both in UTC and in local time. Whether the dates end in `Z` does not
    /// matter.
    #[must_use]
    pub fn new(utc: Date, local: Date) -> Self {
        Self { utc, local }
    }

    /// Returns an instant of a place where local time is UTC, such as a server.
    #[must_use]
    pub fn utc(date: Date) -> Self {
        Self::new(date, date)
    }

    /// Whether it is a date or later.
    pub(crate) fn is_from(self, date: Date) -> bool {
        self.like(date).digits >= date.digits
    }

    /// Whether it is a date or earlier.
    pub(crate) fn is_until(self, date: Date) -> bool {
        self.like(date).digits <= date.digits
    }

    /// Returns the instant in the time of a date.
    fn like(self, date: Date) -> Date {
        if date.is_utc { self.utc } else { self.local }
    }
}
