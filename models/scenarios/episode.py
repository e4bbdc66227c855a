"""A scenario come alive: a network of cc/simulation whose first flow is the learner, and what each interval brought."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from cc.core.base import SenderScheme
from cc.core.decision import Decide, DecisionRequest
from cc.core.network_report import PathView
from cc.core.receiver_base import ReceiverScheme
from cc.core.scheme import Scheme
from cc.links.clock import LinkClocks
from cc.links.link import OPPORTUNITY_BYTES, OVERHEAD_BYTES, Link, QueueLimit
from cc.links.traces.capacity import offered_bytes
from cc.receiver.presets import DEFAULT_PRESET, Preset, preset
from cc.registry import scheme
from cc.simulation import Bulk, DelaySummary, FlowPlan, Network, OnOff, SimulationOptions
from cc.simulation.bottleneck import Bottleneck
from cc.simulation.flow import Flow
from cc.simulation.network_agent import NetworkAgent
from models.scenarios.scenario import Scenario
from models.scenarios.traces import opportunities_ms, rotated

PACKET_BYTES = 1200  # the laboratory's
UPLINK_MS = (1,)  # never what holds a flow back
LEARNER = 0
"""The learner's index among the flows."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A scheme to put on a flow, with what answers its requests."""

    scheme: Scheme
    preset: str = DEFAULT_PRESET
    decide: Decide | None = None
    make_sender: Callable[..., SenderScheme] | None = None
    """Instead of the registry's, for variants."""

    def plan(self, *, rng: random.Random) -> FlowPlan:
        """A fresh flow."""
        make_sender = self.make_sender or self.scheme.make_sender
        sender = make_sender(max_datagram_bytes=PACKET_BYTES, rng=rng)
        receiver = self._receiver(preset(self.preset))
        return FlowPlan(sender, name=self.scheme.name, receiver=receiver, decide=self.decide)

    def _receiver(self, chosen: Preset) -> ReceiverScheme | None:
        if self.scheme.make_receiver is None:
            return None
        return self.scheme.make_receiver(chosen.parameters)


MakeContender = Callable[[], Contender]


class Episode:
    """Runs from one request of the learner to the next."""

    def __init__(self, scenario: Scenario, learner: Contender) -> None:
        """Raises UnknownTraceError, UnknownSchemeError and SchemeError."""
        self.scenario = scenario
        self._trace_ms = rotated(opportunities_ms(scenario.trace), round(scenario.trace_offset_s * 1000))
        self.network = Network(
            self._link(),
            [self._learner_plan(learner), *(self._rival_plan(index) for index in range(len(scenario.rivals)))],
            return_delay_s=scenario.base_rtt_s / 2,
            return_opportunities_ms=UPLINK_MS,
            options=SimulationOptions(),
            clocks=LinkClocks.drawn(random.Random(f"{scenario.seed} clock")),
        )
        if scenario.known_ratio > 0:
            switches = PathView(scenario.known_ratio, random.Random(f"{scenario.seed} switches"))
            self.network.agent = NetworkAgent(switches)

    @property
    def flow(self) -> Flow:
        """The learner's."""
        return self.network.flows[LEARNER]

    @property
    def is_over(self) -> bool:
        """Whether its time has come."""
        return self.network.now_s >= self.scenario.duration_s

    def next_request(self, until_s: float) -> DecisionRequest | None:
        """Run to the learner's next request; None if there is none until then."""
        while True:
            flow = self.network.run_until_request(until_s)
            if flow is None:
                return None
            if flow is self.flow and flow.learned is not None:
                return flow.learned.request

    def answer(self, request: DecisionRequest, action: float | None) -> None:
        """Answer the request that was last returned."""
        self.flow.answer(request.sequence, action, now_s=self.network.now_s)

    def run_until(self, end_s: float) -> Outcome:
        """Leave what comes to the plans' own policies; what it brought."""
        mark = self.mark()
        self.network.run_until(end_s)
        return self.outcome_since(mark)

    def mark(self) -> Mark:
        """Now, for `outcome_since`."""
        sender = self.flow.sender
        record = self.flow.record
        return Mark(self.network.now_s, sender.ledger.packets_sent_total, sender.packets_lost, record.packets_lost)

    def outcome_since(self, mark: Mark) -> Outcome:
        """What came of the time since then."""
        return Outcome(self, mark, self.mark())

    def capacity_bytes(self, start_s: float, end_s: float) -> int:
        """What the link's opportunities could carry, on the wire."""
        return offered_bytes(self._trace_ms, end_s) - offered_bytes(self._trace_ms, start_s)

    @property
    def mean_bytes_per_s(self) -> float:
        """What the link carries on average in the whole episode; a packet a second, where an outage leaves it less."""
        duration_s = self.scenario.duration_s
        return max(float(OPPORTUNITY_BYTES), self.capacity_bytes(0.0, duration_s) / duration_s)

    def _link(self) -> Link | Bottleneck:
        scenario = self.scenario
        return Link(
            self._trace_ms,
            queue=QueueLimit(packets=scenario.queue_packets),
            delay_s=scenario.base_rtt_s / 2,
            loss_ratio=scenario.loss_ratio,
            rng=random.Random(f"{scenario.seed} loss"),
        )

    def _learner_plan(self, learner: Contender) -> FlowPlan:
        plan = learner.plan(rng=random.Random(f"{self.scenario.seed} learner"))
        if self.scenario.on_off is not None:
            on_bytes, off_s = self.scenario.on_off
            plan.source = OnOff(on_bytes=on_bytes, off_s=off_s)
        else:
            plan.source = Bulk()
        return plan

    def _rival_plan(self, index: int) -> FlowPlan:
        rng = random.Random(f"{self.scenario.seed} rival {index}")
        plan = Contender(scheme(self.scenario.rivals[index])).plan(rng=rng)
        plan.start_s = self.scenario.rival_start_s
        return plan


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment of an episode, and the learner's counts until then."""

    now_s: float
    packets_sent: int
    packets_lost: int
    """As its sender declared them."""
    packets_lost_by_link: int
    """Those that are lost, declared or not."""


START = Mark(0.0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the time from one request to the next brought: the truth of the link.

    `flow` is the flow's index: 0 is the learner, rivals follow in the scenario's order.
    """

    episode: Episode
    since: Mark
    until: Mark

    @property
    def start_s(self) -> float:
        """When it began."""
        return self.since.now_s

    @property
    def end_s(self) -> float:
        """When it ended."""
        return self.until.now_s

    @property
    def loss_ratio(self) -> float:
        """Packets that the learner's sender declared lost, over those that it sent; 0 of nothing."""
        sent = self.until.packets_sent - self.since.packets_sent
        return min(1.0, (self.until.packets_lost - self.since.packets_lost) / sent) if sent > 0 else 0.0

    @property
    def lost_bytes_per_s(self) -> float:
        """What the link lost of the learner's full packets, on the wire, when it lost them."""
        packets = self.until.packets_lost_by_link - self.since.packets_lost_by_link
        return packets * (PACKET_BYTES + OVERHEAD_BYTES) / self.duration_s

    @property
    def link_loss_ratio(self) -> float:
        """What the link lost of the learner's bytes, over that and what left the bottleneck; 0 of neither.

        A loss counts when the link loses, whatever the interval is; `loss_ratio` leaves out what is declared later
        than as much is sent.
        """
        lost = self.lost_bytes_per_s
        total = lost + self.throughput_bytes_per_s()
        return lost / total if total > 0 else 0.0

    @property
    def duration_s(self) -> float:
        """Never 0."""
        return max(self.end_s - self.start_s, 1e-6)

    @property
    def base_rtt_s(self) -> float:
        """Without a queue."""
        return self.episode.scenario.base_rtt_s

    @property
    def capacity_bytes_per_s(self) -> float:
        """On the wire."""
        return self.episode.capacity_bytes(self.start_s, self.end_s) / self.duration_s

    def throughput_bytes_per_s(self, flow: int = LEARNER) -> float:
        """What left the bottleneck of a flow, on the wire."""
        record = self.episode.network.flows[flow].record
        return record.wire_bytes(self.start_s, self.end_s) / self.duration_s

    def queueing_delay(self, flow: int = LEARNER) -> DelaySummary | None:
        """Of a flow's packets that left the bottleneck; None if none did."""
        return self.episode.network.flows[flow].record.delays(self.start_s, self.end_s)

    @property
    def mean_queueing_delay_s(self) -> float:
        """The learner's; 0 where nothing left the bottleneck."""
        delay = self.queueing_delay()
        return 0.0 if delay is None else delay.mean_s

    @property
    def utilisation(self) -> float:
        """The learner's share of the capacity, 0 to 1; 1 where there was none."""
        capacity = self.capacity_bytes_per_s
        return min(1.0, self.throughput_bytes_per_s() / capacity) if capacity > 0 else 1.0
