from __future__ import annotations

import pytest

from e2e.laboratory.matrix.trace_window import cut_window_ms, start_of_seed_ms, trace_from_ms

TRACE_MS = (2, 5)
"""Two opportunities in 5 ms, then again."""


@pytest.mark.parametrize(
    ("from_ms", "length_ms", "window_ms"),
    [
        (0, 5, [2, 5, 6]),
        (3, 10, [2, 4, 7, 9, 11]),  # of 5, 7, 10, 12
        (-4, 6, [1, 4, 6, 7]),  # of -3, 0, 2
        (2, 5, [3, 5, 6]),  # without the one at the very beginning
    ],
)
def test_a_window_in_a_trace_that_repeats_both_ways_begins_anew(
    from_ms: int, length_ms: int, window_ms: list[int]
) -> None:
    assert cut_window_ms(TRACE_MS, from_ms=from_ms, length_ms=length_ms) == window_ms


def test_silence_at_the_end_of_a_window_lasts() -> None:
    assert cut_window_ms((1, 20), from_ms=0, length_ms=10) == [1, 11]


@pytest.mark.parametrize("from_ms", range(14))
@pytest.mark.parametrize("trace_ms", [(2, 5, 5, 7), (0, 3, 7), (7,)])
def test_a_trace_from_some_time_on_has_the_opportunities_of_that_window(
    trace_ms: tuple[int, ...], from_ms: int
) -> None:
    trace = trace_from_ms(trace_ms, from_ms=from_ms, length_ms=21)
    repeated = [cycle_ms + time_ms for cycle_ms in range(0, 42, trace[-1]) for time_ms in trace]
    window = cut_window_ms(trace_ms, from_ms=from_ms, length_ms=21)
    assert [time_ms for time_ms in repeated if 0 < time_ms < 21] == [time_ms for time_ms in window if time_ms < 21]


def test_a_trace_from_one_of_its_opportunities_on_is_no_longer_than_it_is() -> None:
    assert trace_from_ms((2, 5, 5, 7), from_ms=5, length_ms=1_000_000) == [2, 4, 7, 7]


def test_a_trace_of_days_is_no_longer_than_what_is_looked_at() -> None:
    assert trace_from_ms((2, 5, 86_400_000), from_ms=0, length_ms=1000) == [2, 5, 1001]


def test_the_first_seed_begins_where_the_trace_does_and_the_others_are_spread() -> None:
    # 0, 0.618, 0.236, 0.854, 0.472 of the period
    assert [start_of_seed_ms(seed, 1000) for seed in range(1, 6)] == [0, 618, 236, 854, 472]
