"""When a session has put up with enough."""

from __future__ import annotations

from transport.media_server.datagram_limits import DatagramLimits


def test_fifty_malformed_datagrams_in_ten_seconds_are_borne_one_more_is_not() -> None:
    limits = DatagramLimits()
    assert not any(limits.is_abuse(now_s=1.0 + n * 0.1) for n in range(50))
    assert limits.is_abuse(now_s=6.1)


def test_malformed_datagrams_far_apart_are_borne() -> None:
    limits = DatagramLimits()
    assert not any(limits.is_abuse(now_s=float(n)) for n in range(500))
    assert limits.malformed_total == 500


def test_a_flood_must_last_five_seconds() -> None:
    limits = DatagramLimits()
    answers = [limits.is_flood(now_s=10 + n / 2500) for n in range(2500 * 7)]
    first = answers.index(True)
    assert 5 * 2500 <= first <= 6 * 2500


def test_a_receiver_at_its_normal_rate_is_no_flood() -> None:
    limits = DatagramLimits()
    assert not any(limits.is_flood(now_s=n * 0.004) for n in range(10_000))
