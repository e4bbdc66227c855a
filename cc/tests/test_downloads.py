"""Downloads that are asked for and given up while a simulation runs."""

from __future__ import annotations

import pytest

from cc.simulation.downloads import Download, Downloads


def handed_over(*sizes_bytes: int) -> Downloads:
    source = Downloads()
    for number, size_bytes in enumerate(sizes_bytes, start=1):
        source.ask(Download(number, size_bytes, due_s=0.0))
    assert source.take_due(0.0) == sum(sizes_bytes)
    return source


def test_bytes_count_for_the_oldest_download_that_lacks_some() -> None:
    source = handed_over(1000, 500)
    assert [(d.number, d.arrived_bytes) for d in source.on_arrivals([1.0, 1.1], [600, 600])] == [(1, 1000), (2, 200)]
    [second] = source.on_arrivals([1.2], [600])
    assert (second.number, second.has_arrived, second.last_arrival_s) == (2, True, 1.2)


def test_nothing_is_handed_over_before_its_time() -> None:
    source = Downloads()
    source.ask(Download(1, 10, due_s=1.0))
    assert source.due_s == 1.0
    assert source.take_due(0.5) == 0
    assert source.take_due(1.0) == 10
    assert source.due_s == float("inf")


def test_what_is_given_up_is_no_longer_sent_and_what_follows_still_is() -> None:
    source = handed_over(1000, 500)
    source.on_arrivals([1.0], [300])
    assert source.give_up(1, backlog_bytes=900) == 400  # 600 were sent; the 500 of the second are in the backlog
    assert [d.number for d in source.on_arrivals([1.1], [300])] == [1]  # what was under way
    assert [(d.number, d.has_arrived) for d in source.on_arrivals([1.2], [500])] == [(2, True)]


def test_what_was_not_handed_over_yet_is_forgotten() -> None:
    source = Downloads()
    source.ask(Download(1, 10, due_s=1.0))
    assert source.give_up(1, backlog_bytes=0) == 0
    assert source.take_due(1.0) == 0
    assert source.give_up(7, backlog_bytes=0) == 0


def test_an_empty_download_and_one_out_of_turn_are_refused() -> None:
    source = Downloads()
    with pytest.raises(ValueError, match="download 1 of 0 bytes"):
        source.ask(Download(1, 0, due_s=0.0))
    source.ask(Download(1, 10, due_s=2.0))
    with pytest.raises(ValueError, match="out of turn"):
        source.ask(Download(2, 10, due_s=1.0))
