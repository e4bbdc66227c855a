"""Hybla against numbers worked by hand from its paper's section 3."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.sender.hybla import Hybla, rho_of
from cc.tests.flow import MSS, Flow, flow_at


def test_rho_is_the_round_trip_by_25_ms_and_at_least_one() -> None:
    assert [rho_of(rtt_s) for rtt_s in (0.010, 0.025, 0.1, 0.6)] == pytest.approx([1, 1, 4, 24])


@pytest.mark.parametrize(("rtt_s", "increase"), [(0.025, 1), (0.05, 4), (0.1, 16)])
def test_grows_by_the_square_of_rho_in_a_round_trip(rtt_s: float, increase: int) -> None:
    flow, scheme = flow_at(Hybla, 100)
    flow.whole_window(rtt_s=rtt_s)
    assert scheme.cwnd_bytes == (100 + increase) * MSS


def test_the_rate_grows_alike_for_all_round_trips() -> None:
    gained = []
    for rtt_s in (0.025, 0.1):
        flow, scheme = flow_at(Hybla, 100)
        while flow.now_s < 3:  # 2 s
            flow.whole_window(rtt_s=rtt_s)
        gained.append((scheme.cwnd_bytes - 100 * MSS) / rtt_s)
    assert gained[1] == pytest.approx(gained[0], rel=0.02)


def test_slow_start_doubles_in_25_ms_and_ends_at_rho_times_64_kib() -> None:
    scheme = Hybla(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    flow.whole_window(rtt_s=0.075)
    assert scheme.cwnd_bytes == pytest.approx(80 * MSS, abs=1)  # 10 * 2^3
    flow.whole_window(rtt_s=0.075)
    assert scheme.cwnd_bytes == pytest.approx(3 * 65_536, abs=1)
    assert scheme.phase is Phase.AVOIDANCE


def test_a_loss_halves() -> None:
    flow, scheme = flow_at(Hybla, 100)
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 50 * MSS
