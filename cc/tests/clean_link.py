"""A sender alone on a clean link of 20 ms each way, with a queue of 300 packets and ACKs like Chromium's.

The even link serves just two full packets each millisecond, 24.064 Mbit/s, so that rates come out exactly. A link of
24 Mbit/s serves packets of 1382 bytes in a clock of whole milliseconds: rates measured over a few dozen of them are up
to 1.5 % too high, which is more than BBR's margin of 1 %.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from cc.base import SenderScheme
from cc.link import MAX_PAYLOAD_BYTES, OVERHEAD_BYTES, Link, QueueLimit, constant_rate_opportunities_ms
from cc.registry import MakeSender
from cc.simulation import Simulation

DELAY_S = 0.020
RTT_S = 2 * DELAY_S
QUEUE = QueueLimit(packets=300)
EVEN_MSS = MAX_PAYLOAD_BYTES  # 1472 bytes, 1504 on the wire
EVEN_RATE_BYTES_PER_S = 2000 * EVEN_MSS
EVEN_BDP_BYTES = 80 * EVEN_MSS
FULL_QUEUE_S = 300 * (1350 + OVERHEAD_BYTES) / 3e6  # 0.138 s at 24 Mbit/s


def on_even_link(make_sender: MakeSender) -> tuple[SenderScheme, Simulation]:
    """At time 0."""
    link = Link([1, 1], queue=QUEUE, delay_s=DELAY_S)
    sender = make_sender(max_datagram_bytes=EVEN_MSS, rng=random.Random(1))
    return sender, Simulation(sender, link, return_delay_s=DELAY_S)


def watch(simulation: Simulation, until_s: float, look: Callable[[float], None]) -> None:
    """Run on, and look every millisecond."""
    for millisecond in range(round(simulation.now_s * 1000) + 1, round(until_s * 1000) + 1):
        simulation.run_until(millisecond / 1000)
        look(simulation.now_s)


def utilisation_and_delay_at_24_megabits(make_sender: MakeSender, duration_s: float = 20.0) -> tuple[float, float]:
    """Share of the capacity that was used, and the mean queueing delay in s, start included."""
    link = Link(constant_rate_opportunities_ms(24), queue=QUEUE, delay_s=DELAY_S)
    sender = make_sender(max_datagram_bytes=1350, rng=random.Random(1))
    simulation = Simulation(sender, link, return_delay_s=DELAY_S)
    simulation.run_until(duration_s)
    result = simulation.result()
    assert result.queueing_delay is not None
    return result.goodput_bits_per_s / (24e6 * 1350 / (1350 + OVERHEAD_BYTES)), result.queueing_delay.mean_s
