"""Veno against numbers worked by hand from its paper's section III."""

from __future__ import annotations

import pytest

from cc.sender.veno import Veno
from cc.tests.flow import MSS, Flow, flow_at


def flow_with_queue(rtt_s: float) -> tuple[Flow, Veno]:
    """100 packets in flight, a base RTT of 100 ms, and a round trip that took `rtt_s`."""
    flow, scheme = flow_at(Veno, 100)
    flow.whole_window(rtt_s=0.1)
    scheme._set_window(100 * MSS)
    flow.whole_window(rtt_s=rtt_s)
    scheme._set_window(100 * MSS)
    return flow, scheme


@pytest.mark.parametrize(
    ("rtt_s", "kept"),
    # 100 (1 - 100/102) = 1.96 packets queue; 100 (1 - 100/104) = 3.85
    [(0.102, 80), (0.104, 50)],
)
def test_a_loss_with_few_packets_in_the_queue_is_a_random_one(rtt_s: float, kept: int) -> None:
    flow, scheme = flow_with_queue(rtt_s)
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == kept * MSS


@pytest.mark.parametrize(("rtt_s", "increase"), [(0.102, 1), (0.104, 0.5)])
def test_grows_half_as_fast_with_three_packets_in_the_queue(rtt_s: float, increase: float) -> None:
    flow, scheme = flow_with_queue(rtt_s)
    flow.whole_window(rtt_s=rtt_s)
    assert scheme.cwnd_bytes == (100 + increase) * MSS


def test_without_a_round_trip_it_is_reno() -> None:
    flow, scheme = flow_at(Veno, 100)
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 50 * MSS


def test_the_base_rtt_is_measured_anew_after_a_pause() -> None:
    flow, scheme = flow_with_queue(0.104)
    flow.ledger.mark_app_limited()
    flow.wait(60)
    flow.whole_window(rtt_s=0.2)
    assert scheme.log_fields()["base_rtt_s"] == 0.2
