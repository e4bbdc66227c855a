"""Several flows over one bottleneck: what no flow, trace or queue may break."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.core.ack_policy import CHROMIUM, EVERY_PACKET, EVERY_SECOND, AckRule
from cc.core.base import EcnCounts, LossEvent, SenderScheme
from cc.links.clock import LinkClocks
from cc.links.link import (
    OPPORTUNITY_BYTES,
    OVERHEAD_BYTES,
    ChanceLoss,
    Link,
    QueueLimit,
    constant_rate_opportunities_ms,
)
from cc.links.queueing.accel_brake import AccelBrake
from cc.links.queueing.codel import CoDel
from cc.links.queueing.discipline import DropTail
from cc.links.queueing.pie import Pie
from cc.links.traces.capacity import offered_bytes
from cc.sender.cubic import Cubic
from cc.sender.newreno import NewReno
from cc.simulation import FlowPlan, Network, OnOff, SchemeError, SimulationOptions
from cc.simulation.bottleneck import Bottleneck, Carried, ForeseeingBottleneck, ServedBottleneck
from cc.simulation.omniscient import OMNISCIENT, Omniscient
from cc.tests.schemes import Breaking, Fixed, WithNan, WithNanRate, WithoutRate, WithoutWindow

MSS = 1350
DELAY_S = 0.020
BASE_RTT_S = 2 * DELAY_S
PAYLOAD_SHARE = MSS / (MSS + OVERHEAD_BYTES)
SECONDS = 3.0


def make(scheme: type[SenderScheme]) -> SenderScheme:
    return scheme(max_datagram_bytes=MSS, rng=random.Random(1))


def flood(packets: int = 500) -> Fixed:
    return Fixed(max_datagram_bytes=MSS, rng=random.Random(1), window_packets=packets, rate_bytes_per_s=1e9)


def omniscient(trace: list[int]) -> FlowPlan:
    return FlowPlan(make(Omniscient), name=OMNISCIENT, known_opportunities_ms=trace)


def bottleneck(discipline: str, trace: list[int], *, packets: int | None = 60, loss_ratio: float = 0.0) -> Bottleneck:
    limit = QueueLimit(packets=packets)
    loss = ChanceLoss(loss_ratio, random.Random(2))
    queue: DropTail[Carried]
    match discipline:
        case "foreseeing":
            return ForeseeingBottleneck(
                Link(trace, queue=limit, delay_s=DELAY_S, loss_ratio=loss_ratio, rng=random.Random(2))
            )
        case "droptail":
            queue = DropTail(limit)
        case "codel":
            queue = CoDel(limit)
        case "pie":
            queue = Pie(limit, rng=random.Random(3))
        case _:
            queue = AccelBrake(limit, offered_bytes=partial(offered_bytes, trace))
    return ServedBottleneck(trace, queue, delay_s=DELAY_S, loss=loss)


@dataclass
class Case:
    """A network drawn at random, described so that it can be built twice."""

    discipline: str
    trace: list[int]
    packets: int
    loss_ratio: float
    flows: list[tuple[str, float, float, bool]] = field(default_factory=list)
    """Scheme, start, further delay, whether it sends segments."""
    has_clocks: bool = False
    """mahimahi's, and its trace on the way back, too."""

    def build(self) -> Network:
        link = bottleneck(self.discipline, self.trace, packets=self.packets, loss_ratio=self.loss_ratio)
        plans = []
        for name, start_s, extra_delay_s, is_on_off in self.flows:
            scheme = flood(100) if name == "flood" else make(Cubic if name == "cubic" else NewReno)
            plan = FlowPlan(scheme, name=name, start_s=start_s, extra_delay_s=extra_delay_s)
            if is_on_off:
                plan.source = OnOff(on_bytes=100_001, off_s=0.3, start_s=start_s)
            plans.append(plan)
        if not self.has_clocks:
            return Network(link, plans, return_delay_s=DELAY_S)
        clocks = LinkClocks.drawn(random.Random(2))
        return Network(link, plans, return_delay_s=DELAY_S, return_opportunities_ms=self.trace, clocks=clocks)


gaps_ms = st.lists(st.sampled_from((0, 0, 1, 1, 2, 3, 8, 200)), min_size=1, max_size=60)
flows = st.tuples(
    st.sampled_from(("cubic", "newreno", "flood")),
    st.floats(0, 1.5),
    st.sampled_from((0.0, 0.013, 0.080)),
    st.booleans(),
)
cases = st.builds(
    Case,
    discipline=st.sampled_from(("foreseeing", "droptail", "codel", "pie", "abc", "ce-threshold")),
    trace=gaps_ms.map(lambda gaps: [sum(gaps[: index + 1]) for index in range(len(gaps))]).filter(lambda t: t[-1] > 0),
    packets=st.sampled_from((1, 5, 60)),
    loss_ratio=st.sampled_from((0.0, 0.02)),
    flows=st.lists(flows, min_size=1, max_size=3),
    has_clocks=st.booleans(),
)


@given(case=cases)
@settings(derandomize=True, max_examples=40)
def test_nothing_is_made_or_lost_on_the_way(case: Case) -> None:
    network = case.build()
    for now_s in (0.5, 1.3, SECONDS):
        network.run_until(now_s)
        for flow in network.flows:
            ledger = flow.sender.ledger
            assert ledger.bytes_sent_total == ledger.delivered_bytes + ledger.lost_bytes_total + ledger.bytes_in_flight
            assert ledger.bytes_in_flight == sum(packet.size_bytes for packet in ledger.in_flight())
            arrived_bytes = flow.record.arrived_bytes(now_s, delay_s=flow.delay_s)
            assert ledger.delivered_bytes <= arrived_bytes <= ledger.bytes_sent_total
            assert flow.goodput_bytes(now_s) <= arrived_bytes
            assert flow.sender.rtt_smallest_s >= BASE_RTT_S + flow.plan.extra_delay_s - 1e-9
            delays = flow.record.delays(0.0, math.inf)
            assert delays is None or 0 < delays.mean_s <= delays.max_s
    sent = sum(flow.sender.ledger.packets_sent_total for flow in network.flows)
    left = sum(flow.record.packets for flow in network.flows)
    assert sent == left + network.bottleneck.packets_dropped + network.bottleneck.packets_waiting


@given(case=cases)
@settings(derandomize=True, max_examples=25)
def test_no_window_of_time_carries_more_than_its_opportunities(case: Case) -> None:
    network = case.build()
    network.run_until(SECONDS)
    times_s = [index * SECONDS / 300 for index in range(301)]
    excess_bytes = [
        sum(flow.record.wire_bytes(0.0, time_s) for flow in network.flows) - offered_bytes(case.trace, time_s)
        for time_s in times_s
    ]
    smallest_before = math.inf
    for excess in excess_bytes:
        smallest_before = min(smallest_before, excess)
        assert excess - smallest_before <= OPPORTUNITY_BYTES  # a packet may have begun before the window


@given(case=cases)
@settings(derandomize=True, max_examples=15)
def test_a_run_in_steps_is_the_same_run(case: Case) -> None:
    at_once, stepped = case.build(), case.build()
    at_once.run_until(SECONDS)
    for step in range(1, 401):
        stepped.run_until(step * SECONDS / 400)
    for one, other in zip(at_once.flows, stepped.flows, strict=True):
        assert one.window == other.window
        assert one.sender.ledger.packets_sent_total == other.sender.ledger.packets_sent_total
        assert one.record.delays(0.0, SECONDS) == other.record.delays(0.0, SECONDS)


@given(case=cases)
@settings(derandomize=True, max_examples=20)
def test_a_droptail_queue_is_the_same_served_or_foreseen(case: Case) -> None:
    case.loss_ratio = 0.0  # random numbers are drawn in another order
    networks = []
    for discipline in ("foreseeing", "droptail"):
        case.discipline = discipline
        network = case.build()
        network.run_until(SECONDS)
        networks.append(network)
    for one, other in zip(networks[0].flows, networks[1].flows, strict=True):
        assert one.window == other.window
    assert networks[0].bottleneck.packets_dropped == networks[1].bottleneck.packets_dropped


@given(trace=cases.map(lambda case: case.trace), packets=st.sampled_from((2, 20, 1000)))
@settings(derandomize=True, max_examples=20)
def test_a_flood_never_beats_the_omniscient_sender(trace: list[int], packets: int) -> None:
    best = Network(bottleneck("foreseeing", trace), [omniscient(trace)], return_delay_s=DELAY_S)
    worst = Network(bottleneck("foreseeing", trace, packets=packets), [FlowPlan(flood(400))], return_delay_s=DELAY_S)
    for step in range(1, 30):
        now_s = step / 10
        best.run_until(now_s)
        worst.run_until(now_s)
        assert worst.flows[0].goodput_bytes(now_s) <= best.flows[0].goodput_bytes(now_s)


@pytest.mark.parametrize("discipline", ["foreseeing", "codel", "pie", "abc", "ce-threshold"])
def test_the_omniscient_sender_uses_everything_and_waits_for_nothing(discipline: str) -> None:
    # between 6 and 24 Mbit/s, and 300 ms of nothing
    trace = [*range(2, 1000, 2), *(time for time in range(1000, 2000) for _ in range(2)), 2300]
    network = Network(bottleneck(discipline, trace), [omniscient(trace)], return_delay_s=DELAY_S)
    network.run_until(10)
    (flow,) = network.flows
    assert flow.record.wire_bytes(0.0, 10) == pytest.approx(offered_bytes(trace, 10), abs=2 * OPPORTUNITY_BYTES)
    delays = flow.record.delays(0.0, 10)
    assert delays is not None
    # a packet waits half a millisecond, and one opportunity more where it begins with the rest of one
    assert delays.p95_s <= 0.0026
    assert network.bottleneck.packets_dropped == 0
    assert flow.sender.packets_lost == 0


def test_flows_start_and_stop_and_have_their_own_round_trips() -> None:
    trace = constant_rate_opportunities_ms(12)
    plans = [
        FlowPlan(make(NewReno)),
        FlowPlan(make(NewReno), start_s=5.0, stop_s=25.0, extra_delay_s=0.060),
    ]
    network = Network(Link(trace, queue=QueueLimit(packets=50), delay_s=DELAY_S), plans, return_delay_s=DELAY_S)
    network.run_until(30)
    first, second = network.flows
    assert first.sender.rtt_smallest_s == pytest.approx(0.040, abs=0.003)
    assert second.sender.rtt_smallest_s == pytest.approx(0.100, abs=0.055)  # it may never see the queue empty
    assert second.sender.rtt_smallest_s >= 0.100
    assert second.record.wire_bytes(0.0, 5.0) == 0
    assert second.record.wire_bytes(25.1, 30.0) == 0
    shares = [flow.record.wire_bytes(8.0, 25.0) for flow in network.flows]
    assert shares[0] > 1.5 * shares[1] > 0  # NewReno favours short round trips
    assert first.record.wire_bytes(26.0, 30.0) * 8 / 4 > 0.9 * 12e6


def test_equal_flows_share_equally() -> None:
    plans = [FlowPlan(make(NewReno), start_s=0.3 * index) for index in range(3)]
    link = Link(constant_rate_opportunities_ms(12), queue=QueueLimit(packets=60), delay_s=DELAY_S)
    # fewer ACKs let the windows of some grow slower than those of others
    network = Network(link, plans, return_delay_s=DELAY_S, options=SimulationOptions(ack=EVERY_SECOND))
    network.run_until(40)
    shares = [flow.record.wire_bytes(10.0, 40.0) for flow in network.flows]
    jain = sum(shares) ** 2 / (len(shares) * sum(share**2 for share in shares))
    assert jain > 0.95
    assert sum(shares) * 8 / 30 > 0.95 * 12e6


def test_no_place_among_the_flows_is_better_than_another() -> None:
    shares = []
    for seed in range(4):
        plans = [FlowPlan(make(Cubic)) for _ in range(2)]
        link = Link(constant_rate_opportunities_ms(50), queue=QueueLimit(packets=100), delay_s=0.05)
        clocks = LinkClocks.drawn(random.Random(seed))
        network = Network(link, plans, return_delay_s=0.05, return_opportunities_ms=(1,), clocks=clocks)
        network.run_until(12)
        first, second = (flow.record.wire_bytes(0.0, 12.0) for flow in network.flows)
        shares.append(first / (first + second))
    assert fmean(shares) == pytest.approx(0.5, abs=0.04), shares


def test_segments_are_application_limited() -> None:
    scheme = Fixed(max_datagram_bytes=MSS, rng=random.Random(1), window_packets=50)
    source = OnOff(on_bytes=27_001, off_s=0.5)
    link = Link(constant_rate_opportunities_ms(12), delay_s=DELAY_S)
    network = Network(link, [FlowPlan(scheme, source=source)], return_delay_s=DELAY_S)
    network.run_until(5.0)
    # 21 packets: 40 ms, 20 ms on the link, 10 or 25 ms for the last ACK, then the pause: 0.57 to 0.585 s each
    assert len(source.segment_times_s) == 9
    assert source.mean_segment_s is not None
    assert 0.07 <= source.mean_segment_s <= 0.085
    (flow,) = network.flows
    assert flow.sender.ledger.packets_sent_total == 9 * 21
    assert flow.sender.ledger.delivered_bytes == flow.goodput_bytes(5.0) == 9 * 27_001
    assert scheme.acks[-1].is_app_limited
    rate = scheme.acks[-1].delivery_rate
    assert rate is None or rate.is_app_limited


def test_a_router_that_marks_reaches_the_scheme() -> None:
    trace = constant_rate_opportunities_ms(12)
    scheme = Fixed(max_datagram_bytes=MSS, rng=random.Random(1), window_packets=55)
    network = Network(bottleneck("abc", trace), [FlowPlan(scheme)], return_delay_s=DELAY_S)
    network.run_until(3)
    counts = [event.ecn or EcnCounts() for event in scheme.acks]
    assert [ecn.ect0 + ecn.ect1 for ecn in counts] == [len(event.acked) for event in scheme.acks]
    braked = sum(ecn.ect0 for ecn in counts)
    accelerated = sum(ecn.ect1 for ecn in counts)
    # full window, full link, little queue: f is eta / 2 = 0.49
    assert accelerated / (braked + accelerated) == pytest.approx(0.49, abs=0.01)


@pytest.mark.parametrize("fault", [Breaking, WithoutWindow, WithNan, WithNanRate, WithoutRate])
def test_a_faulty_scheme_is_named(fault: type[Breaking]) -> None:
    scheme = fault(max_datagram_bytes=MSS, rng=random.Random(1), rate_bytes_per_s=1e6)
    network = Network(
        Link(constant_rate_opportunities_ms(12)), [FlowPlan(scheme, name="faulty")], return_delay_s=DELAY_S
    )
    with pytest.raises(SchemeError, match="scheme faulty: ") as caught:
        network.run_until(5)
    assert caught.value.scheme_name == "faulty"
    assert "pacing_rate_bytes_per_s" in caught.value.state


class Forgetful(NewReno):
    """Its author has forgotten a `return`."""

    def reduced_window_bytes(self, event: LossEvent) -> float:  # type: ignore[return]
        super().reduced_window_bytes(event)


class Wrong(NewReno):
    """It breaks in a line of its own."""

    def reduced_window_bytes(self, event: LossEvent) -> float:
        return float("".join(map(str, event.lost[:0])))


def test_what_a_scheme_raises_is_told_with_its_own_line_and_with_its_class_where_there_is_none() -> None:
    def sentence_of(scheme: SenderScheme) -> str:
        network = Network(
            Link(constant_rate_opportunities_ms(12), queue=QueueLimit(packets=5)),
            [FlowPlan(scheme, name="anna")],
            return_delay_s=DELAY_S,
        )
        with pytest.raises(SchemeError) as caught:
            network.run_until(20)
        return str(caught.value)

    forgetful = sentence_of(make(Forgetful))
    assert "anna: TypeError: Forgetful asks for a window of None, which is no number: return bytes from" in forgetful
    assert re.search(r" \(window\.py:\d+, of Forgetful in cc\.tests\.test_network\)$", forgetful)
    wrong = sentence_of(make(Wrong))
    assert re.search(r"anna: ValueError: could not convert .* \(test_network\.py:\d+\)$", wrong)


def test_an_ideal_timer_paces_evenly() -> None:
    gaps: dict[float, list[float]] = {}
    for quantum_s in (0.0, 0.001):
        scheme = Fixed(max_datagram_bytes=MSS, rng=random.Random(1), window_packets=1000, rate_bytes_per_s=450_000.0)
        network = Network(
            Link(constant_rate_opportunities_ms(100)),
            [FlowPlan(scheme)],
            return_delay_s=DELAY_S,
            options=SimulationOptions(timer_quantum_s=quantum_s),
        )
        network.run_until(1)
        sent_s = [packet.sent_time_s for event in scheme.acks for packet in event.acked][10:]
        gaps[quantum_s] = [later - earlier for earlier, later in pairwise(sent_s)]
    # 1350 bytes at 450 kB/s: one in 3 ms
    assert gaps[0.0] == pytest.approx([0.003] * len(gaps[0.0]), abs=1e-5)
    assert sum(gaps[0.001]) / len(gaps[0.001]) == pytest.approx(0.003, rel=0.01)


@pytest.mark.parametrize(("rule", "packets"), [(EVERY_PACKET, 1.0), (EVERY_SECOND, 2.0), (CHROMIUM, 10.0)])
def test_receivers_acknowledge_as_they_are_told(rule: AckRule, packets: float) -> None:
    scheme = Fixed(max_datagram_bytes=MSS, rng=random.Random(1), window_packets=60)
    network = Network(
        Link(constant_rate_opportunities_ms(24)),
        [FlowPlan(scheme)],
        return_delay_s=DELAY_S,
        options=SimulationOptions(ack=rule),
    )
    network.run_until(3)
    late = [len(event.acked) for event in scheme.acks[100:]]
    assert sum(late) / len(late) == pytest.approx(packets, rel=0.1)
