"""mahimahi's trace format: one delivery opportunity a line, in whole milliseconds that never decrease."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from operator import gt

NUMBER = re.compile(r"[0-9]{1,12}[ \t\r]*")
WELL_FORMED = re.compile(rf"(?:{NUMBER.pattern}\n)*+(?:{NUMBER.pattern})?")
LONGEST_SHOWN = 40


class TraceError(ValueError):
    """Text that is no trace; the message names the line, and the caller adds the file."""


def parse_trace(text: str) -> tuple[int, ...]:
    """Delivery opportunities in ms. Raises TraceError for what mahimahi would refuse or read otherwise."""
    if text == "" or WELL_FORMED.fullmatch(text) is None:
        raise TraceError(_explain_malformed(text))
    opportunities_ms = tuple(map(int, text.split()))
    if any(map(gt, opportunities_ms, islice(opportunities_ms, 1, None))):
        raise TraceError(_explain_going_back(opportunities_ms))
    if opportunities_ms[-1] == 0:
        raise TraceError(
            f"line {len(opportunities_ms)}, the last, is 0: nothing is delivered after the first millisecond"
        )
    return opportunities_ms


def format_trace(opportunities_ms: Iterable[int]) -> str:
    """The text of a trace."""
    return "".join(f"{time_ms}\n" for time_ms in opportunities_ms)


def period_ms(opportunities_ms: Sequence[int]) -> int:
    """After how long the trace begins anew: its last opportunity's time."""
    return opportunities_ms[-1]


def _explain_malformed(text: str) -> str:
    for number, line in enumerate(text.splitlines(), start=1):
        if NUMBER.fullmatch(line) is None:
            shown = line if len(line) <= LONGEST_SHOWN else line[:LONGEST_SHOWN] + "..."
            return f"line {number} is {shown!r}, not a number of whole milliseconds"
    return "it is empty; give one delivery opportunity a line, in milliseconds"


def _explain_going_back(opportunities_ms: Sequence[int]) -> str:
    for number, (before_ms, after_ms) in enumerate(pairwise(opportunities_ms), start=2):
        if after_ms < before_ms:
            return f"line {number} goes back in time, from {before_ms} to {after_ms} ms"
    raise AssertionError("only called for a trace that goes back")
