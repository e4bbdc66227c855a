"""Times as data sets write them, to seconds from wherever they count."""

from __future__ import annotations

import re
from calendar import timegm

from cc.links.traces.formats.base import TraceError, shown

# 2020.02.14_13.21.26 of G-NetTrack (UCC 5G), ISO 8601, and those with a zone behind, which stays the same in a file
DATE_AND_TIME = re.compile(
    r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})[ T_](\d{1,2})[:.](\d{2})[:.](\d{2}(?:[.,]\d{1,9})?)"
    r" ?(?:Z|[A-Z]{3,5}|[+-]\d{2}:?\d{2})?",
    re.ASCII,
)
SINCE_1970 = ((1e17, 1e-9), (1e14, 1e-6), (1e11, 1e-3))
"""From which number on times count ns, us or ms since 1970: in seconds 1e11 is the year 5138, in ms 1973."""
TIME_OF_DAY = re.compile(r"(\d{1,2}):(\d{2}):(\d{2}(?:[.,]\d{1,9})?)", re.ASCII)


def seconds_of_date(text: str, *, line: int, what: str) -> float:
    """Raises TraceError for what is neither a date with a time nor a time of day."""
    if (date := DATE_AND_TIME.fullmatch(text)) is not None:
        year, month, day, hour, minute = (int(part) for part in date.groups()[:5])
        if 1 <= month <= 12 and 1 <= day <= 31:
            return timegm((year, month, day, 0, 0, 0)) + _within_day(hour, minute, date[6])
    if (time := TIME_OF_DAY.fullmatch(text)) is not None:
        return _within_day(int(time[1]), int(time[2]), time[3])
    raise TraceError(
        f"has {shown(text)} for {what}, which is neither seconds nor a time as 2020-02-14 13:21:26", line=line
    )


def scale_of(largest: float) -> float:
    """Seconds in one of a column's numbers, which the largest of all tells: each by itself would be of another unit."""
    return next((scale for least, scale in SINCE_1970 if largest >= least), 1.0)


def _within_day(hour: int, minute: int, second: str) -> float:
    return hour * 3600 + minute * 60 + float(second.replace(",", "."))
