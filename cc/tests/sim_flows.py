"""Schemes on a clean link: 24 Mbit/s, 20 ms each way, a queue of 300 packets (135 ms)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cc.core.ack_policy import CHROMIUM, AckRule
from cc.core.base import SenderScheme
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.simulation import DelaySummary, FlowPlan, Network, Simulation, SimulationOptions

LINK_MBIT_PER_S = 24
DELAY_S = 0.020
QUEUE_PACKETS = 300


@dataclass(frozen=True, slots=True)
class FlowResult:
    """What a flow achieved alone, start included."""

    utilisation: float
    """UDP payload over the link's rate: 0.98 is all there is."""
    queueing_delay: DelaySummary
    packets_lost: int


def clean_link(*, mbit_per_s: int = LINK_MBIT_PER_S, queue_packets: int = QUEUE_PACKETS) -> Link:
    """At time 0."""
    return Link(constant_rate_opportunities_ms(mbit_per_s), queue=QueueLimit(packets=queue_packets), delay_s=DELAY_S)


@dataclass(frozen=True, slots=True)
class Outage:
    """A link that carries nothing for 3 s. Times are whole seconds."""

    begins_s: int
    lasts_s: int = 3
    queue_packets: int = 100
    mbit_per_s: int = 8
    delay_s: float = DELAY_S
    """Each way."""

    @property
    def ends_s(self) -> int:
        """When the link carries again."""
        return self.begins_s + self.lasts_s

    def rate_mbit_per_s(self, scheme: SenderScheme, *, since_s: float, until_s: float) -> float:
        """What a scheme sends through the link between these times, counted from the outage's end, on the wire."""
        seconds = [second for second in range(self.ends_s + 60) if not self.begins_s <= second < self.ends_s]
        second_ms = constant_rate_opportunities_ms(self.mbit_per_s)
        trace_ms = [1000 * second + time_ms for second in seconds for time_ms in second_ms]
        link = Link(trace_ms, queue=QueueLimit(packets=self.queue_packets), delay_s=self.delay_s)
        network = Network(link, [FlowPlan(scheme)], return_delay_s=self.delay_s)
        network.run_until(self.ends_s + until_s)
        sent_bytes = network.flows[0].record.wire_bytes(self.ends_s + since_s, self.ends_s + until_s)
        return sent_bytes * 8e-6 / (until_s - since_s)


def run_flow(scheme: SenderScheme, *, duration_s: float) -> FlowResult:
    """Send without end for so long."""
    simulation = Simulation(scheme, clean_link(), return_delay_s=DELAY_S)
    simulation.run_until(duration_s)
    result = simulation.result()
    assert result.queueing_delay is not None
    return FlowResult(
        utilisation=result.goodput_bits_per_s / (LINK_MBIT_PER_S * 1e6),
        queueing_delay=result.queueing_delay,
        packets_lost=result.packets_lost,
    )


def share_link(
    schemes: Sequence[SenderScheme],
    *,
    starts_s: Sequence[float],
    duration_s: float,
    since_s: float,
    ack: AckRule = CHROMIUM,
    mbit_per_s: int = LINK_MBIT_PER_S,
) -> list[float]:
    """What each of several flows sent through the bottleneck from `since_s` on, in Mbit/s on the wire."""
    plans = [FlowPlan(scheme, start_s=start_s) for scheme, start_s in zip(schemes, starts_s, strict=True)]
    link = clean_link(mbit_per_s=mbit_per_s)
    network = Network(link, plans, return_delay_s=DELAY_S, options=SimulationOptions(ack=ack))
    network.run_until(duration_s)
    return [flow.record.wire_bytes(since_s, duration_s) * 8e-6 / (duration_s - since_s) for flow in network.flows]


def jain_index(rates: Sequence[float]) -> float:
    """1 where all are the same, 1/n where one has everything."""
    return sum(rates) ** 2 / (len(rates) * sum(rate**2 for rate in rates))
