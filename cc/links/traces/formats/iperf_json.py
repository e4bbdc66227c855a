"""iperf3's reports: `--json` (one document) and `--json-stream` (one event a line).

An interval's `sum` is the rate of all streams together, of the direction that the report is about; intervals that
iperf3 itself omits (`--omit`) are left out, as is one without a length, as the last can be. Fields as
`iperf_print_intermediate` writes them (github.com/esnet/iperf, `src/iperf_api.c`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, repeat
from math import isfinite
from typing import Any

from cc.links.traces.conversion import as_rates
from cc.links.traces.formats.base import ParsedTrace, Reading, TraceError, TraceFormat, rate_bits_per_s
from cc.links.traces.formats.samples import Sample, trace_of_samples
from cc.links.traces.trace import Trace

INTERVALS = re.compile(r'"intervals"\s*:\s*\[')
EVENT = re.compile(r'"event"\s*:\s*"')
ELEMENT = re.compile(r"[^\s,]")
DECODER = json.JSONDecoder(parse_int=float)  # which knows no limit of digits
SUM_FIELDS = ("start", "end", "bits_per_second")


def _glance(beginning: str) -> None:
    if INTERVALS.search(beginning) is None and EVENT.search(beginning) is None:
        raise TraceError("has no intervals as iperf3 --json writes", line=1)


def _parse(text: str, reading: Reading) -> ParsedTrace:
    samples: list[Sample] = []
    omitted = 0
    for line, interval in _intervals(text):
        total = interval.get("sum") if isinstance(interval, dict) else None
        if not isinstance(total, dict):
            raise TraceError("begins an interval without a sum; iperf3 writes one in each", line=line)
        if total.get("omitted") is True:
            omitted += 1
        elif total.get("start") != total.get("end"):
            samples.append(_sample(total, line))
    if not samples:
        raise TraceError("it has no intervals; iperf3 --json with -i above 0 writes them")
    parsed = trace_of_samples(samples, gaps=reading.gaps)
    notes = (f"{omitted} intervals that iperf3 omitted: left out",) if omitted else ()
    return ParsedTrace(parsed.trace, (*notes, *parsed.notes))


def _intervals(text: str) -> Iterator[tuple[int, object]]:
    """The report's intervals, with the lines on which they begin."""
    document, error = _decode(text)
    if error is not None or _is_event(document):
        yield from _streamed(text)
        return
    if not isinstance(document, dict) or not isinstance(document.get("intervals"), list):
        reason = document.get("error") if isinstance(document, dict) else None
        failure = f"says that iperf3 failed: {reason}"
        raise TraceError(failure if reason else "has no intervals as iperf3 --json writes", line=1)
    yield from zip(chain(_lines(text), repeat(1)), document["intervals"], strict=False)


def _decode(text: str) -> tuple[Any, TraceError | None]:
    """A value, or why there is none."""
    try:
        return DECODER.decode(text), None
    except json.JSONDecodeError as error:
        return None, TraceError(f"is no JSON: {error.msg}", line=error.lineno)
    except RecursionError:
        return None, TraceError("is no JSON: it is nested too deeply", line=1)


def _lines(text: str) -> Iterator[int]:
    """Lines on which the array's elements begin: the decoder does not tell, so they are decoded once more.

    Ends early where the array is not where it is looked for.
    """
    match = INTERVALS.search(text)
    position = len(text) if match is None else match.end()
    line = text.count("\n", 0, position) + 1
    while (begin := ELEMENT.search(text, position)) is not None:
        line += text.count("\n", position, begin.start())
        yield line
        try:
            _, position = DECODER.raw_decode(text, begin.start())
        except json.JSONDecodeError:
            return
        line += text.count("\n", begin.start(), position)


def _streamed(text: str) -> Iterator[tuple[int, object]]:
    for line, content in enumerate(text.split("\n"), start=1):
        if content.strip() == "":
            continue
        event, error = _decode(content)
        if error is not None:
            # where the first line alone is no JSON, the text is no stream but a document with an error somewhere
            raise (_decode(text)[1] if line == 1 else None) or TraceError(error.problem, line=line)
        if not _is_event(event):
            raise TraceError("is no event of iperf3 --json-stream", line=line)
        if event["event"] == "error":
            raise TraceError(f"says that iperf3 failed: {event.get('data')}", line=line)
        if event["event"] == "interval":
            yield line, event.get("data")


def _is_event(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("event"), str)


def _sample(total: dict[str, object], line: int) -> Sample:
    start_s, end_s, bits_per_s = (_number(total, name, line) for name in SUM_FIELDS)
    rate = rate_bits_per_s(bits_per_s, 1.0, line=line, what="bits_per_second")
    return Sample(line, start_s, end_s, rate)


def _number(total: dict[str, object], name: str, line: int) -> float:
    value = total.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise TraceError(f"begins an interval whose sum has {value!r} for {name}, not a number", line=line)
    return float(value)


def _write(trace: Trace, bin_s: float) -> str:
    """Write as much of a report as says something, an interval a line."""
    intervals = []
    for start_s, end_s, rate in as_rates(trace, bin_s=bin_s).pieces():
        seconds = end_s - start_s
        total = {"start": start_s, "end": end_s, "seconds": seconds, "bytes": round(rate * seconds / 8)}
        total |= {"bits_per_second": rate, "omitted": False, "sender": False}
        intervals.append(json.dumps({"streams": [], "sum": total}))
    rows = ",\n    ".join(intervals)
    return f'{{\n  "title": "converted from a trace, not measured by iperf3",\n  "intervals": [\n    {rows}\n  ]\n}}\n'


IPERF_JSON = TraceFormat(
    name="iperf-json",
    title="iperf3 JSON",
    summary="iperf3's reports, --json and --json-stream",
    suffixes=(".json", ".jsonl"),
    begins=lambda line: line.lstrip().startswith("{"),
    glance=_glance,
    parse=_parse,
    write=_write,
)
