"""Senders whose host wakes late, over the registry: lateness alone takes nothing, where the system notes arrivals."""

from __future__ import annotations

import random
from functools import cache

import pytest

from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.presets import preset
from cc.registry import SCHEMES, scheme
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network import Network
from cc.tests.late_host import LateHost
from cc.tests.late_sender import LateSender

LONGEST_LATE_S = 0.03
SECONDS = 5.0
KEPT = 0.9
"""Of what a scheme carries in time."""
OF_SHORT_QUEUES = {"copa": 0.25, "inigo": 0.3, "tao": 0.75, "tcp-dstar": 0.4, "vegas": 0.65, "westwood": 0.7}
"""A late host sends in bursts, and the queue that they make is real: these schemes aim at a shorter one."""
MISLED_BY_READING_LATE = ("ledbat", "vegas", "pcc-vivace", "proteus")


ASKS_FOR_WHAT_ARRIVES = ("drwa", "kuafu")
"""DRWA asks for what a round trip brought, Kuafu for a forecast of it: while the sender sleeps each brings less."""
GRANTED_AS_MUCH = [
    entry.name for entry in SCHEMES if entry.make_receiver is not None and entry.name not in ASKS_FOR_WHAT_ARRIVES
]
VERY_LATE_S = 0.8
"""Much longer than a round trip: what a window holds leaves at once, and is delivered before the host wakes again."""


@cache  # several tests ask for the same run
def goodput_bits_per_s(name: str, *, longest_s: float, is_noted: bool = True, rate_mbit: float = 12.0) -> float:
    """Of a receiver-driven scheme both hosts are late, or the sender's alone where that is very late."""
    entry = scheme(name)
    link = Link(constant_rate_opportunities_ms(rate_mbit), queue=QueueLimit(packets=100), delay_s=0.020)
    receiver = None if entry.make_receiver is None else entry.make_receiver(preset("on-demand").parameters)
    if receiver is not None and 0 < longest_s < VERY_LATE_S:
        receiver = LateHost(receiver, longest_s=longest_s, says_so=is_noted)
    sender = entry.make_sender(max_datagram_bytes=1200, rng=random.Random(1))
    plan = FlowPlan(sender, name=name, receiver=receiver, decide=lambda request: None)
    network = Network(link, [plan], return_delay_s=0.020)
    (flow,) = network.flows
    if longest_s > 0:
        flow.sender = LateSender(flow.sender, longest_s=longest_s, is_noted=is_noted)  # type: ignore[assignment]
    network.run_until(SECONDS)
    return 8 * flow.goodput_bytes(SECONDS) / SECONDS


@pytest.mark.parametrize("name", [entry.name for entry in SCHEMES])
def test_a_late_host_takes_little_from_a_scheme(name: str) -> None:
    in_time = goodput_bits_per_s(name, longest_s=0.0)
    late = goodput_bits_per_s(name, longest_s=LONGEST_LATE_S)
    assert late >= OF_SHORT_QUEUES.get(name, KEPT) * in_time


@pytest.mark.parametrize("name", GRANTED_AS_MUCH)
def test_on_a_very_late_host_a_receiver_is_granted_what_cubic_takes(name: str) -> None:
    cubic = goodput_bits_per_s("cubic", longest_s=VERY_LATE_S, rate_mbit=4)
    assert goodput_bits_per_s(name, longest_s=VERY_LATE_S, rate_mbit=4) >= 0.95 * cubic


@pytest.mark.parametrize("name", MISLED_BY_READING_LATE)
def test_acks_that_arrive_when_they_are_read_mislead_a_scheme_that_watches_delays(name: str) -> None:
    noted = goodput_bits_per_s(name, longest_s=LONGEST_LATE_S)
    read = goodput_bits_per_s(name, longest_s=LONGEST_LATE_S, is_noted=False)
    assert read <= 0.8 * noted
