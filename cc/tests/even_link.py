"""A sender alone on a link that serves just two full packets each millisecond, so that rates come out exactly.

24.064 Mbit/s, 20 ms each way, a queue of 300 packets, ACKs like Chromium's. At 24 Mbit/s (`sim_flows.clean_link`)
packets of 1382 bytes meet a clock of whole milliseconds: rates measured over a few dozen of these are up to 1.5 % too
high, which is more than BBR's margin of 1 %.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from cc.core.base import SenderScheme
from cc.core.scheme import MakeSender
from cc.links.link import MAX_PAYLOAD_BYTES, Link, QueueLimit
from cc.simulation import Simulation
from cc.tests.sim_flows import DELAY_S, QUEUE_PACKETS, FlowResult, run_flow

RTT_S = 2 * DELAY_S
EVEN_MSS = MAX_PAYLOAD_BYTES  # 1472 bytes, 1504 on the wire
EVEN_RATE_BYTES_PER_S = 2000 * EVEN_MSS
EVEN_BDP_BYTES = 80 * EVEN_MSS
FULL_QUEUE_S = 300 * 1382 / 3e6  # 0.138 s at 24 Mbit/s


def even_link(*, queue_packets: int = QUEUE_PACKETS, loss_ratio: float = 0.0) -> Link:
    """At time 0."""
    queue = QueueLimit(packets=queue_packets)
    return Link([1, 1], queue=queue, delay_s=DELAY_S, loss_ratio=loss_ratio, rng=random.Random(1))


def on_even_link(make_sender: MakeSender) -> tuple[SenderScheme, Simulation]:
    """At time 0."""
    sender = make_sender(max_datagram_bytes=EVEN_MSS, rng=random.Random(1))
    return sender, Simulation(sender, even_link(), return_delay_s=DELAY_S)


def watch(simulation: Simulation, until_s: float, look: Callable[[float], None]) -> None:
    """Run on, and look every millisecond."""
    for millisecond in range(round(simulation.now_s * 1000) + 1, round(until_s * 1000) + 1):
        simulation.run_until(millisecond / 1000)
        look(simulation.now_s)


def at_24_megabits(make_sender: MakeSender) -> FlowResult:
    """20 s on the link whose rates do not come out."""
    return run_flow(make_sender(max_datagram_bytes=1350, rng=random.Random(1)), duration_s=20.0)
