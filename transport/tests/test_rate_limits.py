"""How fast a session may be sent to."""

from __future__ import annotations

from transport.media_server.rate_limits import BUSY_FOR_S, RateLimits, RateShares


def test_without_limits_there_is_none() -> None:
    shares = RateShares(RateLimits())
    shares.on_busy("one", now_s=0.0)
    assert shares.bytes_per_s(now_s=0.0) is None
    assert not RateLimits().any


def test_busy_sessions_share_the_total() -> None:
    shares = RateShares(RateLimits(total_mbit=80.0))
    shares.on_busy("one", now_s=0.0)
    assert shares.bytes_per_s(now_s=0.0) == 10e6
    shares.on_busy("two", now_s=0.1)
    shares.on_busy("two", now_s=0.2)
    assert shares.bytes_per_s(now_s=0.2) == 5e6
    assert shares.bytes_per_s(now_s=0.15 + BUSY_FOR_S) == 10e6, "the first has been idle for long"
    shares.on_busy("one", now_s=2.0)
    shares.on_ended("one")
    assert shares.bytes_per_s(now_s=2.0) == 10e6


def test_the_lower_limit_counts() -> None:
    shares = RateShares(RateLimits(session_mbit=8.0, total_mbit=80.0))
    for number in range(5):
        shares.on_busy(number, now_s=0.0)
    assert shares.bytes_per_s(now_s=0.0) == 1e6
    for number in range(20):
        shares.on_busy(number, now_s=0.0)
    assert shares.bytes_per_s(now_s=0.0) == 0.5e6
