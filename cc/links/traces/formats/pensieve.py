"""Pensieve's "cooked" traces: a time in seconds and a rate in Mbit/s a line.

Read as Pensieve's own simulator reads it (github.com/hongzimao/pensieve, `sim/env.py`, `get_video_chunk`, commit
1120bb1): a line's rate holds from the time of the line before until its own time, so the first line only says when the
trace begins. Times may begin anywhere.
"""

from __future__ import annotations

import re

from cc.links.traces.conversion import as_rates
from cc.links.traces.formats.base import (
    NUMBER,
    ParsedTrace,
    Reading,
    TraceError,
    TraceFormat,
    decimal,
    number,
    rate_bits_per_s,
    shown,
)
from cc.links.traces.formats.samples import Sample, trace_of_samples
from cc.links.traces.trace import Trace

LINE = re.compile(rf"[ \t]*{NUMBER.pattern}[ \t]+{NUMBER.pattern}[ \t\r]*", re.ASCII)
MEGABIT = 1e6
EMPTY = "it is empty; give a time in seconds and a rate in Mbit/s a line"


def _glance(beginning: str) -> None:
    first = next(((line, content) for line, content in enumerate(beginning.splitlines(), 1) if content.strip()), None)
    if first is None:
        raise TraceError(EMPTY)
    if LINE.fullmatch(first[1]) is None:
        raise _malformed(first[1], first[0])


def _malformed(content: str, line: int) -> TraceError:
    return TraceError(f"is {shown(content)}, not a time in seconds and a rate in Mbit/s", line=line)


def _parse(text: str, reading: Reading) -> ParsedTrace:
    samples: list[Sample] = []
    begin_s: float | None = None
    for line, content in enumerate(text.splitlines(), start=1):
        if content.strip() == "":
            continue
        words = content.split()
        if len(words) != 2:
            raise _malformed(content, line)
        time_s = number(words[0], line=line, what="the time")
        rate = rate_bits_per_s(number(words[1], line=line, what="the rate"), MEGABIT, line=line, what="the rate")
        if begin_s is not None and time_s <= begin_s:
            how = "stands still in time at" if time_s == begin_s else f"goes back in time, from {decimal(begin_s)} to"
            raise TraceError(f"{how} {decimal(time_s)} s", line=line)
        if begin_s is not None:
            samples.append(Sample(line, begin_s, time_s, rate))
        begin_s = time_s
    if begin_s is None:
        raise TraceError(EMPTY)
    if not samples:
        raise TraceError("it has one line; a rate holds from the time of the line before, so two are needed")
    return trace_of_samples(samples, gaps=reading.gaps)


def _write(trace: Trace, bin_s: float) -> str:
    rates = as_rates(trace, bin_s=bin_s)
    lines = [f"0\t{decimal(rates.rates_bits_per_s[0] / MEGABIT)}\n"]
    lines += [f"{decimal(end_s)}\t{decimal(rate / MEGABIT)}\n" for _, end_s, rate in rates.pieces()]
    return "".join(lines)


PENSIEVE = TraceFormat(
    name="pensieve",
    title="Pensieve",
    summary="a time in seconds and a rate in Mbit/s a line",
    suffixes=(".pensieve",),
    begins=lambda line: LINE.fullmatch(line) is not None,
    glance=_glance,
    parse=_parse,
    write=_write,
)
