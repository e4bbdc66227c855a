"""When receivers acknowledge."""

from __future__ import annotations

import math

import pytest

from cc.core.ack_policy import EVERY_PACKET, EVERY_SECOND, AckPolicy


def test_chromium_acknowledges_every_second_packet_of_the_first_hundred_then_every_tenth() -> None:
    policy = AckPolicy(min_rtt_s=0.040)
    acks = policy.on_arrivals(0, [1.0] * 130)
    assert [ack.packet_numbers[-1] + 1 for ack in acks] == [*range(2, 101, 2), 110, 120, 130]
    assert policy.due_s == math.inf


def test_chromium_acknowledges_late_packets_after_a_quarter_of_the_rtt_and_gaps_at_once() -> None:
    policy = AckPolicy(min_rtt_s=0.040)
    assert policy.on_arrivals(0, [1.0]) == []
    assert policy.due_s == pytest.approx(1.025)
    policy.on_arrivals(1, [1.0] * 99)
    policy.on_arrivals(100, [2.0])
    assert policy.due_s == pytest.approx(2.010)
    (ack,) = policy.on_arrivals(101, [None, 2.001])
    assert (ack.sent_s, ack.packet_numbers, ack.ack_delay_s) == (2.001, [100, 102], 0.0)


def test_chromium_waits_for_a_quarter_of_the_rtt_as_it_is_known_by_then() -> None:
    policy = AckPolicy(min_rtt_s=0.080)
    policy.on_min_rtt(0.060)
    policy.on_arrivals(0, [1.0])
    assert policy.due_s == pytest.approx(1.025)  # early packets wait as before
    policy.on_arrivals(1, [1.0] * 99)
    policy.on_arrivals(100, [2.0])
    policy.on_min_rtt(0.040)
    assert policy.due_s == pytest.approx(2.015)  # what waits goes on waiting
    policy.take_timed()
    policy.on_arrivals(101, [3.0])
    assert policy.due_s == pytest.approx(3.010)


def test_chromium_tells_four_packets_after_a_gap_one_by_one() -> None:
    policy = AckPolicy(min_rtt_s=0.040)
    policy.on_arrivals(0, [1.0] * 100)
    acks = policy.on_arrivals(101, [2.0] * 14)
    assert [ack.packet_numbers for ack in acks] == [[101], [102], [103], [104], list(range(105, 115))]


def test_an_ack_that_waited_leaves_before_what_arrives_later() -> None:
    policy = AckPolicy(min_rtt_s=1.0, rule=EVERY_SECOND)
    assert policy.on_arrivals(0, [1.0]) == []
    (ack,) = policy.on_arrivals(1, [1.026])
    assert ack.packet_numbers == [0]
    assert (ack.sent_s, ack.ack_delay_s) == pytest.approx((1.025, 0.025))
    timed = policy.take_timed()
    assert timed.packet_numbers == [1]
    assert policy.due_s == math.inf
    assert (timed.sent_s, timed.ack_delay_s) == pytest.approx((1.051, 0.025))


def test_a_packet_that_arrives_just_when_the_ack_leaves_is_in_it() -> None:
    policy = AckPolicy(min_rtt_s=1.0, rule=EVERY_SECOND)
    policy.on_arrivals(0, [1.0])
    (ack,) = policy.on_arrivals(1, [policy.due_s])
    assert ack.packet_numbers == [0, 1]


def test_the_textbook_ways() -> None:
    second = AckPolicy(min_rtt_s=0.040, rule=EVERY_SECOND)
    assert [ack.packet_numbers for ack in second.on_arrivals(0, [1.0] * 5)] == [[0, 1], [2, 3]]
    assert [ack.packet_numbers for ack in second.on_arrivals(6, [1.0] * 3)] == [[4, 6], [7, 8]]
    every = AckPolicy(min_rtt_s=0.040, rule=EVERY_PACKET)
    assert [ack.packet_numbers for ack in every.on_arrivals(0, [1.0, None, 1.0])] == [[0], [2]]
