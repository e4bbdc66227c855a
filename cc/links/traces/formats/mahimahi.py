"""mahimahi's trace format: one delivery opportunity a line, in whole milliseconds that never decrease."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from operator import gt

from cc.links.traces.conversion import as_opportunities
from cc.links.traces.formats.base import ParsedTrace, Reading, TraceError, TraceFormat, shown
from cc.links.traces.opportunity_trace import OpportunityTrace
from cc.links.traces.trace import LONGEST_S, Trace

# time stamps in nanoseconds of the epoch, too: more than a week is told below
NUMBER = re.compile(r"[0-9]{1,19}[ \t\r]*")
WELL_FORMED = re.compile(rf"(?:{NUMBER.pattern}\n)*+(?:{NUMBER.pattern})?")


def parse_trace(text: str) -> tuple[int, ...]:
    """Delivery opportunities in ms. Raises TraceError for what mahimahi would refuse or read otherwise."""
    if text == "" or WELL_FORMED.fullmatch(text) is None:
        raise _malformed(text)
    opportunities_ms = tuple(map(int, text.split()))
    if any(map(gt, opportunities_ms, islice(opportunities_ms, 1, None))):
        raise _going_back(opportunities_ms)
    if opportunities_ms[-1] == 0:
        raise TraceError(
            "is the last and 0: nothing is delivered after the first millisecond", line=len(opportunities_ms)
        )
    if opportunities_ms[-1] > LONGEST_S * 1000:
        raise _too_long(opportunities_ms)
    return opportunities_ms


def format_trace(opportunities_ms: Iterable[int]) -> str:
    """The text of a trace."""
    return "".join(f"{time_ms}\n" for time_ms in opportunities_ms)


def _glance(beginning: str) -> None:
    first = beginning.partition("\n")[0]
    if NUMBER.fullmatch(first) is None:
        raise _malformed(first)


def _parse(text: str, _reading: Reading) -> ParsedTrace:
    return ParsedTrace(OpportunityTrace(parse_trace(text)))


def _write(trace: Trace, _bin_s: float) -> str:
    return format_trace(as_opportunities(trace).times_ms)


MAHIMAHI = TraceFormat(
    name="mahimahi",
    title="mahimahi",
    summary="one 1504-byte delivery opportunity a line, in ms",
    suffixes=(".down", ".up", ".mahimahi"),
    begins=lambda line: NUMBER.fullmatch(line) is not None,
    glance=_glance,
    parse=_parse,
    write=_write,
)


def _malformed(text: str) -> TraceError:
    for number, line in enumerate(text.splitlines(), start=1):
        if NUMBER.fullmatch(line) is None:
            return TraceError(f"is {shown(line)}, not a number of whole milliseconds", line=number)
    return TraceError("it is empty; give one delivery opportunity a line, in milliseconds")


def _going_back(opportunities_ms: Sequence[int]) -> TraceError:
    for number, (before_ms, after_ms) in enumerate(pairwise(opportunities_ms), start=2):
        if after_ms < before_ms:
            return TraceError(f"goes back in time, from {before_ms} to {after_ms} ms", line=number)
    raise AssertionError("only called for a trace that goes back")


def _too_long(opportunities_ms: Sequence[int]) -> TraceError:
    first = bisect_right(opportunities_ms, LONGEST_S * 1000)
    return TraceError(
        f"is {opportunities_ms[first]} ms, more than a week: do the times count from the trace's beginning?",
        line=first + 1,
    )
