"""From rates to delivery opportunities and back, without gaining or losing bytes.

Between any two whole milliseconds (of rates made of opportunities: between any two ends of bins) both differ by less
than one opportunity of 1504 bytes. One exception: mahimahi's format knows no other end than an opportunity, so where
rates end in silence the last opportunity is kept until the end, and the difference may be a whole one.
"""

from __future__ import annotations

from math import ceil, floor

from cc.links.traces.opportunity_trace import (
    OPPORTUNITY_BITS,
    SLACK,
    OpportunityTrace,
    count_and_phase,
    ending_at,
)
from cc.links.traces.rate_trace import RateTrace
from cc.links.traces.trace import Trace, TraceOperationError, bin_edges_s, binned_bits_per_s, check_size


def as_rates(trace: Trace, *, bin_s: float) -> RateTrace:
    """A trace of rates as it is, one of opportunities as the means of bins."""
    if isinstance(trace, RateTrace):
        return trace
    if not 0.001 <= bin_s <= trace.duration_s:
        raise TraceOperationError(
            f"bins of {bin_s:g} s do not fit a trace of {trace.duration_s:g} s; take 0.001 s or more"
        )
    edges_s = bin_edges_s(trace.duration_s, bin_s)
    return RateTrace(tuple(edges_s[1:]), tuple(binned_bits_per_s(trace, edges_s)))


def as_opportunities(trace: Trace) -> OpportunityTrace:
    """A trace of opportunities as it is; of rates, the milliseconds in which 1504 bytes have come together.

    Raises TraceOperationError for more opportunities than a link may hold.
    """
    if isinstance(trace, OpportunityTrace):
        check_size(len(trace.times_ms), "delivery opportunities")
        return trace
    assert isinstance(trace, RateTrace)
    total = trace.carried_bits[-1] / OPPORTUNITY_BITS
    check_size(total, "delivery opportunities")
    count, phase = count_and_phase(total)
    end_ms = max(1, round(trace.duration_s * 1000))
    times_ms: list[int] = []
    carried = 0.0
    for (start_s, end_s, rate), carried_bits in zip(trace.pieces(), trace.carried_bits[1:], strict=True):
        due = min(count, floor(carried_bits / OPPORTUNITY_BITS + phase + SLACK))
        latest_ms = min(end_ms, ceil(end_s * 1000 - SLACK))
        while len(times_ms) < due:
            after_s = (len(times_ms) + 1 - phase - carried) * OPPORTUNITY_BITS / rate
            time_ms = min(latest_ms, max(1, ceil((start_s + after_s) * 1000 - SLACK)))
            by_then = floor(carried + (time_ms / 1000 - start_s) * rate / OPPORTUNITY_BITS + phase + SLACK)
            times_ms += [time_ms] * (max(len(times_ms) + 1, min(due, by_then)) - len(times_ms))
        carried = carried_bits / OPPORTUNITY_BITS
    return ending_at(end_ms, times_ms)
