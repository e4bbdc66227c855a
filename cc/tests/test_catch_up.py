"""When a queue counts as empty or above its target, and for how long it must have been so."""

from __future__ import annotations

import dataclasses

import pytest

from cc.receiver.catch_up import CatchUp
from cc.tests.test_nuwa import BASE

TARGET_S = 0.060
LONG_QUEUE_S = 0.100


def share_after(
    *delays_s: float,
    catch_up: CatchUp | None = None,
    target_s: float = TARGET_S,
    theta: float = -1.0,
    **changes: object,
) -> float:
    """The share after stamps of `BASE` with `changes`, 5 ms apart, that had these delays."""
    watch = catch_up or CatchUp()
    stamp = dataclasses.replace(BASE, **changes)  # type: ignore[arg-type]
    for index, delay_s in enumerate(delays_s):
        watch.on_stamp(stamp, received_time_s=0.005 * index, delay_s=delay_s, target_s=target_s)
    return watch.share(theta)


def test_an_empty_queue_doubles_the_window_after_a_quarter_of_a_round_trip() -> None:
    assert share_after(0.0, 0.0) == 0.0
    assert share_after(0.0, 0.0, 0.0, theta=1.0) == 1.0


def test_a_queue_above_its_target_halves_the_window_by_theta_after_a_quarter_of_a_round_trip_and_itself() -> None:
    # (40 + 100) / 4 = 35 ms
    assert share_after(*[LONG_QUEUE_S] * 7) == 0.0
    assert share_after(*[LONG_QUEUE_S] * 8) == -0.5
    assert share_after(*[LONG_QUEUE_S] * 8, theta=-0.4) == pytest.approx(-0.2)


def test_a_queue_between_the_two_leaves_the_window_to_equation_6() -> None:
    assert share_after(*[0.020] * 100) == 0.0


def test_half_of_a_short_target_is_no_empty_queue() -> None:
    # RFC 9406's noise is 16 ms on a path of 200 ms; half of the targets is 30 and 5 ms
    assert share_after(*[0.015] * 20, min_rtt_s=0.200, theta=1.0) > 0.0
    assert share_after(*[0.006] * 20, min_rtt_s=0.200, target_s=0.010, theta=1.0) == 0.0


def test_a_queue_that_changes_begins_anew() -> None:
    assert share_after(0.0, 0.0, 0.020, 0.0, 0.0) == 0.0


def test_of_an_application_limited_sender_an_empty_queue_says_nothing() -> None:
    assert share_after(*[0.0] * 10, is_app_limited=True) == 0.0


def test_without_a_round_trip_nothing_is_known() -> None:
    assert share_after(*[0.0] * 10, min_rtt_s=None) == 0.0
    assert share_after(*[LONG_QUEUE_S] * 10, min_rtt_s=None) == 0.0


def test_where_the_round_trip_is_longer_than_the_target_the_moves_are_smaller_by_as_much() -> None:
    assert share_after(*[0.0] * 100, min_rtt_s=0.240, theta=1.0) == pytest.approx(0.25)


def test_what_was_forgotten_is_waited_for_again() -> None:
    watch = CatchUp()
    assert share_after(0.0, 0.0, 0.0, catch_up=watch) == 1.0
    watch.forget()
    assert watch.share(1.0) == 0.0
    assert share_after(0.0, 0.0, catch_up=watch) == 0.0
