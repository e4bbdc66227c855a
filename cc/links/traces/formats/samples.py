"""From rates as they were measured, with gaps and doubled times, to a trace without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from math import fsum
from statistics import median_low

from cc.links.traces.formats.base import Gaps, ParsedTrace, TraceError, decimal
from cc.links.traces.rate_trace import rates_until
from cc.links.traces.trace import TraceOperationError

GAP_STEPS = 5  # a rate holds until the next measurement, but not longer than so many usual steps
JITTER_SHARE = 0.1  # of a measurement's length: timers end late and begin early by less than that
GAP_WORDS: dict[Gaps, str] = {"close": "left out", "hold": "filled with the rate before", "outage": "taken for outages"}


@dataclass(frozen=True, slots=True)
class Sample:
    """A rate, measured from `start_s` to `end_s`; None is until the next sample."""

    line: int
    start_s: float
    end_s: float | None
    bits_per_s: float


@dataclass(frozen=True, slots=True)
class _Span:
    line: int
    start_s: float
    end_s: float
    bits_per_s: float


def trace_of_samples(samples: Sequence[Sample], *, gaps: Gaps, going_back: str = "") -> ParsedTrace:
    """A trace that begins with the first sample. `going_back` is added to what is said of times that go back.

    Raises TraceError, also for samples that are all 0 or none at all.
    """
    if not samples:
        raise TraceError("it has no measurement of a rate")
    _refuse_going_back(samples, going_back)
    notes: list[str] = []
    merged = _merge_doubled(samples, notes)
    spans = _with_ends(merged)
    pieces = _pieces(spans, gaps, notes)
    if not any(rate for _, rate in pieces):
        raise TraceError("is the last and still nothing is delivered: no rate is above 0", line=samples[-1].line)
    try:
        return ParsedTrace(rates_until(pieces), tuple(notes))
    except TraceOperationError as error:
        raise TraceError(f"is the last: {error}", line=samples[-1].line) from error


def _refuse_going_back(samples: Sequence[Sample], hint: str) -> None:
    for sample in samples:
        if sample.end_s is not None and sample.end_s <= sample.start_s:
            times = f"{decimal(sample.start_s)} s to {decimal(sample.end_s)} s"
            raise TraceError(f"ends when it begins or before, {times}", line=sample.line)
    for before, after in pairwise(samples):
        if (before.start_s, before.end_s) == (after.start_s, after.end_s):
            continue
        until_s = before.start_s if before.end_s is None else before.end_s
        if after.start_s < until_s - (until_s - before.start_s) * JITTER_SHARE:
            times = f"{decimal(until_s)} to {decimal(after.start_s)} s"
            raise TraceError(f"goes back in time, from {times}{hint}", line=after.line)


def _merge_doubled(samples: Sequence[Sample], notes: list[str]) -> list[Sample]:
    """Samples of the same time become their mean."""
    merged: list[Sample] = []
    doubled: list[Sample] = []
    for _, group in groupby(samples, key=lambda sample: sample.start_s):
        first, *others = group
        rates = [first.bits_per_s, *(other.bits_per_s for other in others)]
        merged.append(replace(first, bits_per_s=fsum(rates) / len(rates)))
        doubled += others
    if doubled:
        notes.append(f"{len(doubled)} rows at the time of the one before, first in line {doubled[0].line}: their mean")
    return merged


def _with_ends(samples: Sequence[Sample]) -> list[_Span]:
    open_ended = [after.start_s - before.start_s for before, after in pairwise(samples) if before.end_s is None]
    if not open_ended and samples[-1].end_s is None:
        raise TraceError("is the only measurement: a rate lasts until the next one", line=samples[-1].line)
    step_s = median_low(open_ended) if open_ended else 0.0
    spans: list[_Span] = []
    for index, sample in enumerate(samples):
        end_s = sample.end_s
        if end_s is None:
            next_s = samples[index + 1].start_s if index + 1 < len(samples) else sample.start_s + step_s
            end_s = next_s if next_s - sample.start_s <= GAP_STEPS * step_s else sample.start_s + step_s
        spans.append(_Span(sample.line, sample.start_s, end_s, sample.bits_per_s))
    return spans


def _pieces(spans: Sequence[_Span], gaps: Gaps, notes: list[str]) -> list[tuple[float, float]]:
    """Ends and rates, the gaps dealt with."""
    pieces: list[tuple[float, float]] = []
    skipped: list[tuple[int, float]] = []
    offset_s = spans[0].start_s
    previous: _Span | None = None
    for span in spans:
        gap_s = 0.0 if previous is None else span.start_s - previous.end_s
        if previous is not None and gap_s > JITTER_SHARE * (span.end_s - span.start_s):
            skipped.append((previous.line, gap_s))
            if gaps == "close":
                offset_s += gap_s
            else:
                pieces.append((span.start_s - offset_s, previous.bits_per_s if gaps == "hold" else 0.0))
        elif previous is not None:
            pieces[-1] = (span.start_s - offset_s, pieces[-1][1])
        pieces.append((span.end_s - offset_s, span.bits_per_s))
        previous = span
    if skipped:
        seconds = fsum(gap_s for _, gap_s in skipped)
        notes.append(
            f"{len(skipped)} gaps, {seconds:.4g} s in all, first after line {skipped[0][0]}: {GAP_WORDS[gaps]}"
        )
    return pieces
