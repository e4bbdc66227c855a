"""How fast a session may be sent to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.media_server.max_min import fair_level
from transport.media_server.rate_limits import BUSY_FOR_S, NEW_FOR_S, RateLimits, RateShare, RateShares

STEP_S = 0.05
MBIT = 125_000.0


@dataclass
class Sender:
    """A session that uses its share as far as it wants to, whenever it has something to send."""

    share: RateShare
    wanted_mbit: float = math.inf
    is_busy: Callable[[float], bool] = lambda now_s: True
    sent_bytes: float = 0.0
    used_mbit: list[float] = field(default_factory=list)

    def step(self, now_s: float) -> None:
        """What leaves until the next."""
        is_busy = self.is_busy(now_s)
        self.share.on_flight(sent_bytes=int(self.sent_bytes), is_busy=is_busy, now_s=now_s)
        most = self.share.bytes_per_s(now_s=now_s)
        assert most is not None
        used = min(most, self.wanted_mbit * MBIT) if is_busy else 0.0
        self.sent_bytes += used * STEP_S
        self.used_mbit.append(used / MBIT)


def play(senders: Sequence[Sender], *, from_s: float = 0.0, to_s: float) -> list[float]:
    """All of them in turns; what they used together, in Mbit/s, at each step."""
    together = []
    for step in range(round(from_s / STEP_S), round(to_s / STEP_S)):
        for sender in senders:
            sender.step(step * STEP_S)
        together.append(sum(sender.used_mbit[-1] for sender in senders))
    return together


def busy(shares: RateShares, *, at_s: float) -> RateShare:
    """Another session that has something to send."""
    share = shares.open()
    share.on_flight(sent_bytes=0, is_busy=True, now_s=at_s)
    return share


def test_without_limits_there_is_none() -> None:
    assert busy(RateShares(RateLimits()), at_s=0.0).bytes_per_s(now_s=0.0) is None
    assert not RateLimits().any


def test_busy_sessions_share_the_total() -> None:
    shares = RateShares(RateLimits(total_mbit=80.0))
    one = busy(shares, at_s=0.0)
    assert one.bytes_per_s(now_s=0.0) == 10e6
    two = busy(shares, at_s=0.1)
    assert two.bytes_per_s(now_s=0.1) == 5e6
    two.on_flight(sent_bytes=0, is_busy=True, now_s=0.2)
    assert two.bytes_per_s(now_s=0.15 + BUSY_FOR_S) == 10e6, "the first has been idle for long"
    one.on_flight(sent_bytes=0, is_busy=True, now_s=1.16)
    one.end()
    assert two.bytes_per_s(now_s=1.16) == 10e6


def test_the_lower_limit_counts() -> None:
    shares = RateShares(RateLimits(session_mbit=8.0, total_mbit=80.0))
    first = [busy(shares, at_s=0.0) for _ in range(5)]
    assert first[0].bytes_per_s(now_s=0.0) == 1e6
    assert [busy(shares, at_s=0.0) for _ in range(15)][-1].bytes_per_s(now_s=0.0) == 0.5e6
    assert busy(RateShares(RateLimits(session_mbit=8.0)), at_s=0.0).bytes_per_s(now_s=0.0) == 1e6


def test_a_total_rate_may_change_while_sessions_go_on() -> None:
    shares = RateShares(RateLimits(session_mbit=6.0, total_mbit=8.0))
    share, _ = busy(shares, at_s=0.0), busy(shares, at_s=0.0)
    assert (shares.demand(now_s=0.0).eager, share.bytes_per_s(now_s=0.0)) == (2, 500_000)
    shares.set_total(4.0)
    assert share.bytes_per_s(now_s=0.0) == 250_000
    shares.set_total(400.0)
    assert share.bytes_per_s(now_s=0.0) == 750_000


@pytest.mark.parametrize(
    "trickles",
    [
        pytest.param(lambda now_s: round(now_s / STEP_S) % 18 == 0, id="a packet in 0.9 s"),
        pytest.param(lambda now_s: round(now_s / STEP_S) % 24 == 0, id="a packet in 1.2 s, idle in between"),
        pytest.param(lambda now_s: True, id="always some"),
    ],
)
def test_sessions_that_trickle_keep_little_from_viewers(trickles: Callable[[float], bool]) -> None:
    shares = RateShares(RateLimits(total_mbit=100.0))
    senders = [Sender(shares.open(), 0.05, trickles) for _ in range(64)]
    viewers = [Sender(shares.open()) for _ in range(4)]
    together = play([*senders, *viewers], to_s=10.0)
    for viewer in viewers:
        assert viewer.used_mbit[-1] > 0.9 * 100 / 4
    assert max(together[round((NEW_FOR_S + BUSY_FOR_S) / STEP_S) :]) <= 100.0 + 1e-6


def test_a_viewer_that_pauses_has_its_rate_back_at_once() -> None:
    shares = RateShares(RateLimits(total_mbit=100.0))
    others = [Sender(shares.open()) for _ in range(3)]
    viewer = Sender(shares.open(), is_busy=lambda now_s: now_s % 4.0 < 2.0)
    play([viewer, *others], to_s=12.05)
    assert viewer.used_mbit[-1] == pytest.approx(25.0)
    assert viewer.used_mbit[-2] == 0.0


def test_a_session_that_wants_more_than_it_used_gets_its_share_within_two_seconds() -> None:
    shares = RateShares(RateLimits(total_mbit=40.0))
    senders = [Sender(shares.open(), wanted_mbit=0.1), Sender(shares.open())]
    play(senders, to_s=5.0)
    assert senders[1].used_mbit[-1] > 39.0
    senders[0].wanted_mbit = math.inf
    play(senders, from_s=5.0, to_s=7.0)
    assert [sender.used_mbit[-1] for sender in senders] == pytest.approx([20.0, 20.0])


@given(st.lists(st.floats(0.0, 50.0), min_size=1, max_size=20), st.floats(0.1, 500.0))
def test_together_they_may_have_the_total_and_no_more(wanted_mbit: list[float], total_mbit: float) -> None:
    shares = RateShares(RateLimits(total_mbit=total_mbit))
    senders = [Sender(shares.open(), each) for each in wanted_mbit]
    play(senders, to_s=2.0)
    together = sum(sender.share.bytes_per_s(now_s=2.0) or 0.0 for sender in senders)
    assert together == pytest.approx(total_mbit * MBIT)


@given(st.lists(st.floats(0.0, 1e6)), st.floats(0.1, 1e6))
def test_a_fair_level_gives_all_of_the_total_where_somebody_wants_more(wanted: list[float], total: float) -> None:
    level = fair_level(wanted, total=total)
    given_out = sum(min(each, level) for each in wanted)
    assert given_out == pytest.approx(total if level < math.inf else sum(wanted))
    assert given_out <= total * (1 + 1e-9)
