"""The link against mahimahi's rules: by hand, and against a step-by-step reading of them."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from typing import SupportsIndex, overload

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.links.link import (
    OPPORTUNITY_BYTES,
    OVERHEAD_BYTES,
    Link,
    OpportunityCursor,
    QueueLimit,
    constant_rate_opportunities_ms,
)

FULL = OPPORTUNITY_BYTES - OVERHEAD_BYTES  # UDP payload of a packet that takes a whole opportunity
HALF = OPPORTUNITY_BYTES // 2 - OVERHEAD_BYTES


def arrival_ms(link: Link, size_bytes: int, now_ms: float) -> float | None:
    passage = link.send(size_bytes, now_s=now_ms / 1000)
    return None if passage is None else round(passage.arrival_s * 1000, 6)


def test_a_packet_leaves_at_the_next_opportunity_and_then_travels() -> None:
    link = Link([10, 20], delay_s=0.005)
    passage = link.send(FULL, now_s=0.004)
    assert passage is not None
    assert passage.arrival_s == pytest.approx(0.015)
    assert passage.queueing_delay_s == pytest.approx(0.006)


def test_an_opportunity_is_missed_by_a_packet_that_comes_at_its_instant() -> None:
    assert arrival_ms(Link([10, 20]), FULL, 10) == 20


def test_unused_opportunities_are_lost() -> None:
    link = Link([1, 2, 3, 4, 5, 6])
    assert [arrival_ms(link, FULL, 4.5), arrival_ms(link, FULL, 4.5)] == [5, 6]


def test_the_rest_of_an_opportunity_serves_the_next_packet_that_waits() -> None:
    link = Link([10, 20, 30])
    assert [arrival_ms(link, HALF, 0), arrival_ms(link, HALF, 9)] == [10, 10]


def test_the_rest_of_an_opportunity_is_lost_on_a_packet_that_comes_later() -> None:
    link = Link([10, 20, 30])
    assert [arrival_ms(link, HALF, 0), arrival_ms(link, HALF, 11)] == [10, 20]


def test_a_packet_may_take_parts_of_two_opportunities() -> None:
    link = Link([10, 20, 30])
    thousand = 1000 - OVERHEAD_BYTES
    # 1000 of 1504; then 504 and 496 of the next; then 1000 of the 1008 left there.
    assert [arrival_ms(link, thousand, 0) for _ in range(3)] == [10, 20, 20]


def test_the_trace_repeats_after_its_last_entry() -> None:
    link = Link([10, 20])
    assert [arrival_ms(link, FULL, 0) for _ in range(5)] == [10, 20, 30, 40, 50]
    assert arrival_ms(link, FULL, 1015) == 1020


class ReadCounter(tuple[int, ...]):
    """A trace that counts how many of its entries were read."""

    reads = 0

    def __iter__(self) -> Iterator[int]:
        for entry in super().__iter__():
            self.reads += 1
            yield entry

    @overload
    def __getitem__(self, index: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> int | tuple[int, ...]:
        self.reads += 1
        return super().__getitem__(index)


@pytest.mark.parametrize("now_s", [0.5, 50, 99.5, 12_399.5])
def test_a_seek_costs_the_same_wherever_in_the_trace_it_goes(now_s: float) -> None:
    cursor = OpportunityCursor(range(1, 100_001))
    cursor.opportunities_ms = trace = ReadCounter(cursor.opportunities_ms)
    assert cursor.seek_after(now_s) == now_s + 0.001
    assert trace.reads < 25  # a binary search, and what it found


def test_several_opportunities_in_one_millisecond() -> None:
    link = Link([5, 5, 5, 10])
    assert [arrival_ms(link, FULL, 0) for _ in range(5)] == [5, 5, 5, 10, 15]


def test_a_full_queue_drops_but_not_for_the_packet_being_sent() -> None:
    link = Link([10, 20, 30], queue=QueueLimit(packets=1))
    thousand = 1000 - OVERHEAD_BYTES
    assert arrival_ms(link, FULL, 0) == 10
    assert arrival_ms(link, FULL, 1) is None
    assert arrival_ms(link, FULL, 11) == 20
    assert arrival_ms(link, thousand, 21) == 30
    assert arrival_ms(link, thousand, 31) == 40
    assert (link.packets_sent, link.packets_carried, link.packets_dropped) == (5, 4, 1)


def test_a_queue_in_bytes_counts_headers() -> None:
    link = Link([10], queue=QueueLimit(wire_bytes=OPPORTUNITY_BYTES))
    assert arrival_ms(link, HALF, 0) == 10
    assert arrival_ms(link, HALF + 1, 0) is None
    assert arrival_ms(link, HALF, 0) == 10


def test_loses_by_chance_what_the_generator_says() -> None:
    link = Link([1], loss_ratio=0.25, rng=random.Random(1))
    for _ in range(4000):
        link.send(100, now_s=0.0)
    assert 900 < link.packets_lost < 1100
    assert link.packets_sent == link.packets_lost + link.packets_carried


@pytest.mark.parametrize("trace", [[], [0], [0, 0], [5, 3], [-1, 5]])
def test_refuses_traces_that_mahimahi_refuses(trace: list[int]) -> None:
    with pytest.raises(ValueError, match="trace"):
        Link(trace)


def test_refuses_what_it_cannot_do() -> None:
    with pytest.raises(ValueError, match="1472 fit"):
        Link([1]).send(FULL + 1, now_s=0.0)
    with pytest.raises(ValueError, match="random generator"):
        Link([1], loss_ratio=0.1)
    with pytest.raises(ValueError, match="must lie in"):
        Link([1], loss_ratio=1.1)
    for mbit_per_s in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="cannot be traced"):
            constant_rate_opportunities_ms(mbit_per_s)
    with pytest.raises(ValueError, match=r"take at least 12\.032 bit/s"):
        constant_rate_opportunities_ms(0.000012)
    assert constant_rate_opportunities_ms(0.000012_032) == [1_000_000]


@pytest.mark.parametrize("mbit_per_s", [0.01, 0.5, 5.0, 12.0, 24.0, 100.0])
def test_constant_rate(mbit_per_s: float) -> None:
    trace = constant_rate_opportunities_ms(mbit_per_s)
    assert len(trace) * OPPORTUNITY_BYTES * 8 / (trace[-1] / 1000) == pytest.approx(mbit_per_s * 1e6, rel=0.002)
    assert trace[-1] >= 999


def mahimahi(trace: list[int], arrivals: list[tuple[int, int]], limit: int | None) -> list[int | None]:
    """Departure of each (time in ms, wire bytes), by its link queue's loop, one opportunity at a time."""
    departures: list[int | None] = [None] * len(arrivals)
    waiting: deque[int] = deque()
    transit: int | None = None
    missing_bytes = 0
    index, base_ms = 0, 0

    def serve_until(now_ms: int) -> None:
        nonlocal transit, missing_bytes, index, base_ms
        while base_ms + trace[index] <= now_ms:
            time_ms = base_ms + trace[index]
            index += 1
            if index == len(trace):
                index, base_ms = 0, base_ms + trace[-1]
            left_bytes = OPPORTUNITY_BYTES
            while left_bytes > 0:
                if transit is None:
                    if not waiting:
                        break
                    transit = waiting.popleft()
                    missing_bytes = arrivals[transit][1]
                used = min(left_bytes, missing_bytes)
                left_bytes -= used
                missing_bytes -= used
                if missing_bytes == 0:
                    departures[transit] = time_ms
                    transit = None

    for number, (time_ms, _) in enumerate(arrivals):
        serve_until(time_ms)
        if limit is None or len(waiting) < limit:
            waiting.append(number)
    while waiting or transit is not None:
        serve_until(base_ms + trace[index])
    return departures


traces = st.lists(st.integers(0, 12), min_size=1, max_size=12).map(sorted).filter(lambda trace: trace[-1] > 0)
arrival_lists = st.lists(st.tuples(st.integers(0, 60), st.integers(40, 1504)), min_size=1, max_size=40).map(sorted)


@given(trace=traces, arrivals=arrival_lists, limit=st.none() | st.integers(1, 5))
@settings(derandomize=True, max_examples=200)
def test_agrees_with_mahimahis_loop(trace: list[int], arrivals: list[tuple[int, int]], limit: int | None) -> None:
    link = Link(trace, queue=QueueLimit(packets=limit))
    departures = [arrival_ms(link, wire_bytes - OVERHEAD_BYTES, time_ms) for time_ms, wire_bytes in arrivals]
    assert departures == mahimahi(trace, arrivals, limit)


@given(trace=traces, arrivals=arrival_lists)
@settings(derandomize=True)
def test_never_carries_more_than_its_opportunities(trace: list[int], arrivals: list[tuple[int, int]]) -> None:
    link = Link(trace)
    carried: list[tuple[float, int]] = []
    for time_ms, wire_bytes in arrivals:
        departure = arrival_ms(link, wire_bytes - OVERHEAD_BYTES, time_ms)
        assert departure is not None
        assert departure > time_ms
        carried.append((departure, wire_bytes))
    assert carried == sorted(carried, key=lambda departure: departure[0]), "first in, first out"
    for end_ms in {departure for departure, _ in carried}:
        cycles, rest_ms = divmod(end_ms, trace[-1])
        opportunities = int(cycles) * len(trace) + sum(ms <= rest_ms for ms in trace)
        assert sum(size for departure, size in carried if departure <= end_ms) <= opportunities * OPPORTUNITY_BYTES


def test_sent_is_carried_and_dropped_and_queued_at_any_time() -> None:
    link = Link(constant_rate_opportunities_ms(5), queue=QueueLimit(packets=20))
    rng = random.Random(7)
    now_s = 0.0
    departures: list[float] = []
    for _ in range(3000):
        now_s += rng.expovariate(600)
        passage = link.send(1200, now_s=now_s)
        if passage is not None:
            departures.append(passage.arrival_s)
        gone = sum(departure <= now_s for departure in departures[-50:])
        under_way = min(50, len(departures)) - gone
        assert under_way - 1 <= link.queued_packets(now_s=now_s) <= min(20, under_way)
    assert link.packets_sent == link.packets_carried + link.packets_dropped
    assert link.packets_dropped > 100
