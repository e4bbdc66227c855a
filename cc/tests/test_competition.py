"""Nuwa and CUBIC on one bottleneck, with the preset that is there for it."""

from __future__ import annotations

import random

import pytest

from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.nuwa import Nuwa
from cc.receiver.presets import preset
from cc.sender.cubic import Cubic
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import FlowPlan, Network

MSS = 1350
DELAY_S = 0.020
DURATION_S = 40.0
JUDGED_FROM_S = 20.0


def shares_mbit_per_s(preset_name: str, *, rate: int, queue_packets: int) -> tuple[float, float]:
    """What a flow of Nuwa and one of CUBIC that comes later got once both were there for a while."""
    chosen = preset(preset_name)
    nuwa = FlowPlan(
        ReceiverDriven(max_datagram_bytes=MSS, rng=random.Random(1)),
        receiver=Nuwa(chosen.parameters),
    )
    cubic = FlowPlan(Cubic(max_datagram_bytes=MSS, rng=random.Random(2)), start_s=5.0)
    link = Link(constant_rate_opportunities_ms(rate), queue=QueueLimit(packets=queue_packets), delay_s=DELAY_S)
    network = Network(link, [nuwa, cubic], return_delay_s=DELAY_S)
    network.run_until(DURATION_S)
    judged_s = DURATION_S - JUDGED_FROM_S
    ours, theirs = (8e-6 * f.record.wire_bytes(JUDGED_FROM_S, DURATION_S) / judged_s for f in network.flows)
    return ours, theirs


@pytest.mark.parametrize(("rate", "queue_packets"), [(6, 100), (15, 200), (20, 300)])
def test_neither_is_starved_with_the_preset_for_competition(rate: int, queue_packets: int) -> None:
    nuwa, cubic = shares_mbit_per_s("compete", rate=rate, queue_packets=queue_packets)
    assert nuwa + cubic > 0.95 * rate
    assert 0.4 < nuwa / cubic < 2.5


def test_a_short_target_yields_to_a_flow_that_fills_the_queue() -> None:
    nuwa, cubic = shares_mbit_per_s("interactive", rate=15, queue_packets=200)
    assert nuwa < 0.2 * cubic
