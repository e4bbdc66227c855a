"""Traces of rates and of opportunities: what they carry, what can be done with them, one made of the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.links.link import LinkQueue
from cc.links.traces.conversion import as_opportunities, as_rates
from cc.links.traces.opportunity_trace import OPPORTUNITY_BITS, OpportunityTrace
from cc.links.traces.rate_trace import RateTrace, rates_until
from cc.links.traces.summary import summary_of
from cc.links.traces.trace import (
    Trace,
    TraceOperationError,
    bin_edges_s,
    binned_bits_per_s,
    mean_bits_per_s,
)

PER_MS = OPPORTUNITY_BITS * 1000.0  # bit/s that carry one opportunity in each millisecond

deterministic = settings(derandomize=True, max_examples=100)

pieces = st.lists(
    st.tuples(st.floats(0.0004, 0.7), st.one_of(st.just(0.0), st.floats(1e3, 60e6))), min_size=1, max_size=12
).filter(lambda found: any(rate for _, rate in found))


def laid_out(found: list[tuple[float, float]]) -> RateTrace:
    end_s = 0.0
    ends: list[tuple[float, float]] = []
    for length_s, rate in found:
        end_s += length_s
        ends.append((end_s, rate))
    return rates_until(ends)


rate_traces = pieces.map(laid_out)
opportunity_traces = (
    st.lists(st.integers(0, 900), min_size=1, max_size=300)
    .filter(any)
    .map(lambda times: OpportunityTrace(tuple(sorted(times))))
)


def largest_window_error(trace: Trace, made: OpportunityTrace, edges_s: list[float]) -> float:
    """In opportunities, over every window between two of the edges: the range of the running difference."""
    differences = [(made.bits_before(edge) - trace.bits_before(edge)) / OPPORTUNITY_BITS for edge in edges_s]
    return max(differences) - min(differences)


@given(trace=rate_traces)
@deterministic
def test_rates_made_opportunities_conserve_bytes_in_every_window(trace: RateTrace) -> None:
    made = as_opportunities(trace)
    LinkQueue(made.times_ms)
    end_ms = max(1, round(trace.duration_s * 1000))
    assert made.times_ms[-1] == end_ms
    # a period is whole milliseconds: the last edge is the trace's own end, whatever that was rounded to
    edges_s = [ms / 1000 for ms in range(end_ms) if ms / 1000 <= trace.duration_s]
    error = largest_window_error(trace, made, edges_s)
    whole = made.bits_before(end_ms / 1000) - trace.bits_before(trace.duration_s)
    if trace.rates_bits_per_s[-1] > 0:
        assert error < 1 + 1e-5
    else:
        assert error <= 1 + 1e-5  # the last is kept until the end of the silence
    assert -1e-3 <= whole / OPPORTUNITY_BITS < 1


@given(trace=opportunity_traces)
@deterministic
def test_opportunities_made_rates_of_a_millisecond_come_back_unchanged(trace: OpportunityTrace) -> None:
    back = as_opportunities(as_rates(trace, bin_s=0.001))
    assert back.times_ms == tuple(max(1, ms) for ms in trace.times_ms)  # what comes at 0 comes with the first


@given(trace=opportunity_traces, bin_ms=st.integers(1, 400))
@deterministic
def test_opportunities_made_rates_carry_the_same_in_every_bin(trace: OpportunityTrace, bin_ms: int) -> None:
    bin_s = min(bin_ms / 1000, trace.duration_s)
    rates = as_rates(trace, bin_s=bin_s)
    edges_s = bin_edges_s(trace.duration_s, bin_s)
    for edge_s in edges_s[1:]:
        assert rates.bits_before(edge_s) == pytest.approx(trace.bits_before(edge_s), rel=1e-9)
    again = as_opportunities(rates)
    assert largest_window_error(trace, again, edges_s[1:]) <= 1 + 1e-5
    assert len(again.times_ms) == len(trace.times_ms)


@given(trace=st.one_of(rate_traces, opportunity_traces), factor=st.floats(0.05, 5))
@deterministic
def test_scaling_keeps_the_shape(trace: RateTrace | OpportunityTrace, factor: float) -> None:
    scaled = trace.scaled(factor)
    assert scaled.duration_s == trace.duration_s
    allowed = 0.0 if isinstance(trace, RateTrace) else 1 + 1e-5
    for edge_s in bin_edges_s(trace.duration_s, 0.05):
        difference = scaled.bits_before(edge_s) - trace.bits_before(edge_s) * factor
        assert abs(difference) / OPPORTUNITY_BITS <= allowed + 1e-6


@given(trace=st.one_of(rate_traces, opportunity_traces), data=st.data())
@deterministic
def test_a_cut_is_that_part(trace: RateTrace | OpportunityTrace, data: st.DataObject) -> None:
    end_ms = int(trace.duration_s * 1000)
    from_ms = data.draw(st.integers(0, max(0, end_ms - 1)))
    to_ms = data.draw(st.integers(from_ms + 1, max(from_ms + 1, end_ms)))
    from_s, to_s = from_ms / 1000, to_ms / 1000
    carried = trace.bits_before(to_s) - trace.bits_before(from_s)
    try:
        part = trace.cut(from_s, to_s)
    except TraceOperationError:
        assert carried < 1 or to_s > trace.duration_s
        return
    assert part.duration_s == pytest.approx(to_s - from_s)
    assert part.bits_before(part.duration_s) == pytest.approx(carried, abs=1)


@given(trace=st.one_of(rate_traces, opportunity_traces), turns=st.floats(0.3, 4))
@deterministic
def test_repeating_goes_round(trace: RateTrace | OpportunityTrace, turns: float) -> None:
    duration_s = max(0.001, round(trace.duration_s * turns, 3))
    try:
        repeated = trace.repeated(duration_s)
    except TraceOperationError:
        assert trace.bits_before(duration_s) < 1
        return
    assert repeated.duration_s == pytest.approx(duration_s)
    whole = int(duration_s / trace.duration_s + 1e-9)
    carried = whole * trace.bits_before(trace.duration_s) + trace.bits_before(duration_s - whole * trace.duration_s)
    slack = 1 if isinstance(trace, RateTrace) else OPPORTUNITY_BITS * (trace.times_ms.count(0) + 1)
    assert repeated.bits_before(duration_s) == pytest.approx(carried, abs=slack)


def test_what_a_rate_carries() -> None:
    # 2 Mbit/s for 1 s, then 6 for 0.5 s
    trace = RateTrace((1.0, 1.5), (2e6, 6e6))
    assert [trace.bits_before(s) for s in (0.0, 0.5, 1.0, 1.25, 1.5, 9.0)] == [0, 1e6, 2e6, 3.5e6, 5e6, 5e6]
    assert mean_bits_per_s(trace) == pytest.approx(5e6 / 1.5)
    assert binned_bits_per_s(trace, bin_edges_s(1.5, 1.0)) == [2e6, 6e6]


def test_when_rates_become_opportunities() -> None:
    # 2.5 in 1 s at half an opportunity in 0.2 s: three, the first half a step ahead so that the last comes at the end
    assert as_opportunities(RateTrace((1.0,), (2.5 * OPPORTUNITY_BITS,))).times_ms == (200, 600, 1000)
    # two a millisecond for 2 ms, silence for 3: the last is kept until the end
    assert as_opportunities(RateTrace((0.002, 0.005), (2 * PER_MS, 0.0))).times_ms == (1, 1, 2, 5)
    # less than one in all is one
    assert as_opportunities(RateTrace((3.0,), (1.0,))).times_ms == (3000,)


def test_a_cut_of_opportunities_begins_after_its_start_and_ends_with_one() -> None:
    trace = OpportunityTrace((0, 5, 10, 10, 20, 27, 30))
    assert trace.cut(0.0, 0.010).times_ms == (0, 5, 10, 10)
    assert trace.cut(0.010, 0.029).times_ms == (10, 19)
    with pytest.raises(TraceOperationError, match=re.escape("nothing is delivered from 0.021 to 0.026 s")):
        trace.cut(0.021, 0.026)


def test_scaled_opportunities_come_at_the_same_milliseconds() -> None:
    trace = OpportunityTrace((1, 2, 3, 4, 100))
    assert trace.scaled(2).times_ms == (1, 1, 2, 2, 3, 3, 4, 4, 100, 100)
    # 0.4, 0.8, 1.2, 1.6, 2: no phase is needed
    assert trace.scaled(0.4).times_ms == (3, 100)


def test_a_cap_takes_away_what_lies_above() -> None:
    assert RateTrace((1.0, 2.0), (2e6, 9e6)).capped(5e6).rates_bits_per_s == (2e6, 5e6)
    # 20 opportunities in 100 ms are 2.4064 Mbit/s; half of that leaves every second one, and 2 in the next as they are
    burst = OpportunityTrace((*range(5, 105, 5), 150, 200))
    assert burst.capped(1.2032e6).times_ms == (*range(10, 110, 10), 150, 200)
    assert burst.capped(3e6).times_ms == burst.times_ms


def test_figures_of_a_trace() -> None:
    # seconds of 1 to 21 Mbit/s, in twenty steps
    trace = RateTrace(tuple(float(s) for s in range(1, 22)), tuple(mbit * 1e6 for mbit in range(1, 22)))
    summary = summary_of(trace, bin_s=1.0)
    assert summary.p5_bits_per_s == pytest.approx(2e6)
    assert summary.median_bits_per_s == pytest.approx(11e6)
    assert summary.p95_bits_per_s == pytest.approx(20e6)
    assert (summary.lowest_bits_per_s, summary.highest_bits_per_s) == pytest.approx((1e6, 21e6))
    assert (summary.outages_s, summary.outage_share) == ((), 0.0)


def test_outages_are_pauses_that_a_link_of_that_speed_does_not_make() -> None:
    fast = OpportunityTrace((*range(1, 500), 620, *range(621, 1001)))
    assert summary_of(fast, bin_s=0.1).outages_s == ((0.499, 0.620),)
    # one in 100 ms is the usual step of this link, no outage; ten times that is one
    slow = OpportunityTrace((*range(100, 5000, 100), 6500, *range(6600, 9000, 100)))
    assert summary_of(slow, bin_s=1.0).outages_s == ((4.9, 6.5),)
    rates = RateTrace((1.0, 1.3, 1.6, 2.0), (5e6, 0.0, 0.0, 5e6))
    assert summary_of(rates, bin_s=0.1).outages_s == ((1.0, 1.6),)
    assert summary_of(rates, bin_s=0.1).outage_share == pytest.approx(0.3)


def test_a_second_without_anything_is_an_outage_on_the_slowest_link_unless_it_is_its_usual_step() -> None:
    # 24 kbit/s with a pause of 4 s: ten packets at the mean rate would take 7 s
    slow = summary_of(OpportunityTrace((*range(500, 5001, 500), *range(9000, 10_001, 500))), bin_s=1.0)
    assert slow.outages_s == ((5.0, 9.0),)
    assert slow.shortest_outage_s == pytest.approx(2 * 10 / 13)
    every_12_s = summary_of(OpportunityTrace(tuple(range(12_000, 120_001, 12_000))), bin_s=1.0)
    assert every_12_s.outages_s == ()
    assert every_12_s.shortest_outage_s == pytest.approx(24.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RateTrace((), ()), "a trace cannot last 0 s"),
        (lambda: RateTrace((1.0,), (1e6, 2e6)), "2 rates for 1 stretches"),
        (lambda: RateTrace((1.0, 1.0), (1e6, 2e6)), "times must rise"),
        (lambda: RateTrace((1.0,), (float("nan"),)), "numbers from 0 on"),
        (lambda: RateTrace((1.0,), (0.0,)), "nothing is delivered"),
        (lambda: RateTrace((604_801.0,), (1e6,)), "at most 604800, a week"),
        (lambda: OpportunityTrace((5, 4)), "must not be negative nor go back"),
        (lambda: OpportunityTrace((0,)), "longer than 0 ms"),
        (lambda: OpportunityTrace((1, 604_800_001)), "at most 604800, a week"),
        (lambda: RateTrace((1.0,), (1e6,)).cut(0.5, 1.5), "0.5 to 1.5 s is no part of a trace of 1 s"),
        (lambda: RateTrace((1.0, 2.0), (1e6, 0.0)).cut(1.0, 2.0), "nothing is delivered from 1 to 2 s"),
        (lambda: RateTrace((1.0,), (1e6,)).scaled(0), "cannot be scaled by 0"),
        (lambda: OpportunityTrace((1,)).capped(-1), "cannot be capped to -1 bit/s"),
        (lambda: as_rates(OpportunityTrace((10,)), bin_s=0.1), "bins of 0.1 s do not fit a trace of 0.01 s"),
        (lambda: as_opportunities(RateTrace((800.0,), (600e6,))), "40 million delivery opportunities, at most 20"),
        (lambda: OpportunityTrace((1,)).repeated(1e5), "100 million delivery opportunities"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(make: Callable[[], Trace], message: str) -> None:
    with pytest.raises(TraceOperationError, match=re.escape(message)):
        make()


def test_too_many_opportunities_can_be_cut_but_are_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = OpportunityTrace((1000, 1000, 2000, 2000))
    monkeypatch.setattr("cc.links.traces.trace.LARGEST", 3)
    with pytest.raises(TraceOperationError, match="cut or scale it"):
        as_opportunities(trace)
    assert as_opportunities(trace.cut(0, 1)).times_ms == (1000, 1000)


def test_bins_end_with_the_trace() -> None:
    assert bin_edges_s(2.5, 1.0) == [0.0, 1.0, 2.0, 2.5]
    assert bin_edges_s(3.0000001, 1.0) == [0.0, 1.0, 2.0, 3.0000001]
    assert bin_edges_s(0.4, 1.0) == [0.0, 0.4]
    assert all(after > before for before, after in pairwise(bin_edges_s(0.7, 0.1)))
    assert len(bin_edges_s(0.7, 0.1)) == ceil(7.0) + 1
