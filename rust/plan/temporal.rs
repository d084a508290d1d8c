//! Dates and times, as pydantic writes them.

use pyo3::prelude::*;
use pyo3::types::PyTzInfoAccess;
use pyo3::types::{PyDate, PyDateAccess, PyDateTime, PyDelta, PyDeltaAccess, PyTime, PyTimeAccess, PyTzInfo};

use super::classes::{Classes, is_exactly};
use super::walk::Walker;
use crate::json::sink::Sink;

const SECONDS_PER_DAY: i32 = 86_400;

/// What a datetime's `tzinfo` has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    Aware,
    Naive,
}

/// The text of a timezone met in this call.
struct KnownZone<'py> {
    /// Held, so that its address can't come to belong to another timezone.
    zone: Bound<'py, PyTzInfo>,
    text: Vec<u8>,
}

/// The timezones whose text is certain: UTC's own object, and the last other one.
pub struct Zones<'a, 'py> {
    classes: &'a Classes,
    known: Option<KnownZone<'py>>,
}

pub fn push_date(out: &mut impl Sink, value: &Bound<'_, PyAny>, kept: bool) -> bool {
    let Ok(date) = value.cast_exact::<PyDate>() else { return false };
    if kept {
        let mut text = *b"\"0000-00-00\"";
        put_date(&mut text[1..11], date.get_year(), date.get_month(), date.get_day());
        out.append(&text);
    }
    true
}

/// Whether a datetime is exact for certain, seen without a call.
#[inline]
pub fn is_known_datetime(zones: &Zones<'_, '_>, zone: Option<Zone>, value: &Bound<'_, PyAny>) -> bool {
    let Ok(datetime) = value.cast_exact::<PyDateTime>() else { return false };
    let tzinfo = datetime.get_tzinfo();
    admits(zone, tzinfo.is_some()) && tzinfo.is_none_or(|tzinfo| zones.knows(&tzinfo))
}

impl<'py> Walker<'_, 'py> {
    pub fn push_datetime(&mut self, zone: Option<Zone>, value: &Bound<'py, PyAny>, kept: bool) -> bool {
        let Ok(datetime) = value.cast_exact::<PyDateTime>() else { return false };
        let tzinfo = datetime.get_tzinfo();
        let fits = admits(zone, tzinfo.is_some());
        if !fits || !kept {
            return fits && tzinfo.is_none_or(|tzinfo| self.zones.learn(&tzinfo));
        }
        let mut text = *b"\"0000-00-00T00:00:00.000000";
        put_date(&mut text[1..11], datetime.get_year(), datetime.get_month(), datetime.get_day());
        let length = 12 + put_time(&mut text[12..], datetime);
        self.out.append(&text[..length]);
        self.push_zone(tzinfo)
    }

    pub fn push_time(&mut self, value: &Bound<'py, PyAny>, kept: bool) -> bool {
        let Ok(time) = value.cast_exact::<PyTime>() else { return false };
        let tzinfo = time.get_tzinfo();
        if !kept {
            return tzinfo.is_none_or(|tzinfo| self.zones.learn(&tzinfo));
        }
        let mut text = *b"\"00:00:00.000000";
        let length = 1 + put_time(&mut text[1..], time);
        self.out.append(&text[..length]);
        self.push_zone(tzinfo)
    }

    /// Append the offset, if any, and the closing quote.
    fn push_zone(&mut self, tzinfo: Option<Bound<'py, PyTzInfo>>) -> bool {
        if let Some(tzinfo) = tzinfo {
            if !self.zones.learn(&tzinfo) {
                return false;
            }
            match &self.zones.known {
                Some(known) if known.zone.is(&tzinfo) => self.out.append(&known.text),
                _ => self.out.push(b'Z'),
            }
        }
        self.out.push(b'"');
        true
    }
}

impl<'a, 'py> Zones<'a, 'py> {
    pub fn new(classes: &'a Classes) -> Self {
        Zones { classes, known: None }
    }

    /// Make sure that the zone is UTC's own object or the known zone; false if its text isn't certain.
    #[inline]
    fn learn(&mut self, tzinfo: &Bound<'py, PyTzInfo>) -> bool {
        self.knows(tzinfo) || self.ask(tzinfo)
    }

    #[inline]
    fn knows(&self, tzinfo: &Bound<'_, PyTzInfo>) -> bool {
        tzinfo.is(&self.classes.utc) || self.known.as_ref().is_some_and(|known| known.zone.is(tzinfo))
    }

    #[cold]
    fn ask(&mut self, tzinfo: &Bound<'py, PyTzInfo>) -> bool {
        if !is_exactly(tzinfo, &self.classes.timezone) {
            return false;
        }
        let Ok(offset) = tzinfo.call_method1("utcoffset", (tzinfo.py().None(),)) else { return false };
        let Ok(offset) = offset.cast_exact::<PyDelta>() else { return false };
        if offset.get_microseconds() != 0 {
            return false;
        }
        let seconds = offset.get_days() * SECONDS_PER_DAY + offset.get_seconds();
        self.known = Some(KnownZone { zone: tzinfo.clone(), text: offset_text(seconds) });
        true
    }
}

fn admits(zone: Option<Zone>, is_aware: bool) -> bool {
    match zone {
        None => true,
        Some(Zone::Aware) => is_aware,
        Some(Zone::Naive) => !is_aware,
    }
}

/// Seconds of an offset are cut, as pydantic does; a zero offset is `Z`.
fn offset_text(seconds: i32) -> Vec<u8> {
    if seconds == 0 {
        return b"Z".to_vec();
    }
    let minutes = seconds.unsigned_abs() / 60;
    let sign = if seconds < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60).into_bytes()
}

fn put_date(text: &mut [u8], year: i32, month: u8, day: u8) {
    let year = year.unsigned_abs();
    put_two(&mut text[0..2], (year / 100) as u8);
    put_two(&mut text[2..4], (year % 100) as u8);
    put_two(&mut text[5..7], month);
    put_two(&mut text[8..10], day);
}

/// Fill in `00:00:00.000000`; returns how much of it is used.
fn put_time(text: &mut [u8], time: &impl PyTimeAccess) -> usize {
    put_two(&mut text[0..2], time.get_hour());
    put_two(&mut text[3..5], time.get_minute());
    put_two(&mut text[6..8], time.get_second());
    let microseconds = time.get_microsecond();
    if microseconds == 0 {
        return 8;
    }
    put_two(&mut text[9..11], (microseconds / 10_000 % 100) as u8);
    put_two(&mut text[11..13], (microseconds / 100 % 100) as u8);
    put_two(&mut text[13..15], (microseconds % 100) as u8);
    15
}

#[inline(always)]
fn put_two(text: &mut [u8], number: u8) {
    text[0] = b'0' + number / 10 % 10;
    text[1] = b'0' + number % 10;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_of_an_offset_are_cut_but_its_sign_stays() {
        let cases = [(0, "Z"), (20, "+00:00"), (-20, "-00:00"), (19_800, "+05:30"), (-19_820, "-05:30")];
        for (seconds, text) in cases {
            assert_eq!(String::from_utf8(offset_text(seconds)).unwrap(), text);
        }
    }
}
