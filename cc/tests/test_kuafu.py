"""Kuafu: forecast and reserve worked by hand, and what it does over short simulated links."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from cc.core.base import Phase
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Stamp
from cc.links.clock import LinkClocks
from cc.links.link import OPPORTUNITY_BYTES, Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.kuafu import CONSTANTS, FAIR_PACKETS, FIRST_RESERVE_S, Kuafu
from cc.registry import scheme
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import Simulation
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network import Network
from cc.tests.recorded_links import pausing_ms

PACKET_BYTES = 1200
ON_DEMAND = NuwaParameters(target_delay_s=0.060, rho_s=0.030, k=7.0)
RATE = 1_200_000.0  # bytes/s: 10 packets in 10 ms


def feed(
    receiver: Kuafu,
    count: int,
    *,
    queue_s: float,
    is_app_limited: bool = False,
    from_index: int = 0,
    round_trip_s: float = 0.040,
    epoch: int = 0,
    clock_s: float = 0.0,
    idle_s: float = 0.0,
    phase: Phase = Phase.AVOIDANCE,
) -> None:
    """Stamps each 10 ms, 10 packets apart, after a pause; one before them shows a path without a queue."""
    for index in range(from_index, from_index + count):
        sent_s = 0.01 * index + idle_s
        stamp = Stamp(
            sequence=index,
            epoch=epoch,
            phase=phase,
            send_time_s=sent_s,
            bytes_sent=10 * PACKET_BYTES * index,
            packets_sent=10 * index,
            smoothed_rtt_s=0.060,
            min_rtt_s=round_trip_s,
            cwnd_bytes=60 * PACKET_BYTES,
            max_datagram_bytes=PACKET_BYTES,
            is_app_limited=is_app_limited,
        )
        receiver.on_stamp(stamp, received_time_s=clock_s + sent_s + 0.020 + (0.0 if index == 0 else queue_s))


@pytest.mark.parametrize(
    ("target_delay_s", "empty_share"), [(0.012, 0.04), (0.030, 0.04), (0.060, 0.02), (0.120, 0.005), (2.0, 0.005)]
)
def test_a_queue_lowers_the_reserve_the_slower_the_longer_the_target(target_delay_s: float, empty_share: float) -> None:
    receiver = Kuafu(replace(ON_DEMAND, target_delay_s=target_delay_s))
    feed(receiver, 3, queue_s=0.1)  # the second arrival begins, the third gives the first rate
    before_s, window = receiver.reserve_s, receiver.window_packets
    assert window is not None
    feed(receiver, 1, queue_s=0.1, from_index=3)
    fall = CONSTANTS.reserve_growth * empty_share / (1 - empty_share)
    above = (before_s - CONSTANTS.least_reserve_s) / CONSTANTS.reserve_scale_s
    size = (window / FAIR_PACKETS) ** CONSTANTS.fairness_exponent
    assert receiver.reserve_s == pytest.approx(before_s - 0.01 * fall * size * above)


def test_the_reserve_grows_by_degrees_of_emptiness() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 3, queue_s=CONSTANTS.emptiness_scale_s)
    before_s, window = receiver.reserve_s, receiver.window_packets
    assert window is not None
    feed(receiver, 1, queue_s=CONSTANTS.emptiness_scale_s, from_index=3)
    grown_s = before_s + 0.01 * CONSTANTS.reserve_growth / math.e
    fall = CONSTANTS.reserve_growth * CONSTANTS.empty_share / (1 - CONSTANTS.empty_share)
    above = (grown_s - CONSTANTS.least_reserve_s) / CONSTANTS.reserve_scale_s
    size = (window / FAIR_PACKETS) ** CONSTANTS.fairness_exponent
    assert receiver.reserve_s == pytest.approx(grown_s - 0.01 * fall * size * above)


def test_a_cut_by_the_sender_halves_the_reserve_and_a_step_of_the_clock_does_not() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 10, queue_s=0.0)
    before_s = receiver.reserve_s
    feed(receiver, 1, queue_s=0.0, from_index=10, clock_s=-3600.0)
    assert receiver.epochs_begun == 1
    assert receiver.reserve_s == before_s
    feed(receiver, 1, queue_s=0.0, from_index=11, clock_s=-3600.0, epoch=1)
    assert receiver.reserve_s == before_s / 2


def test_the_window_is_the_forecast_over_round_trip_and_reserve() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 100, queue_s=0.015)  # in which the fast first arrivals are forgotten
    window = receiver.window_packets
    assert window is not None
    excess_s = max(0.0, 0.015 - receiver.reserve_s - 0.005)
    share_s = CONSTANTS.fairness_s * math.log(window / 64)
    wanted_s = 0.040 + receiver.reserve_s - share_s - CONSTANTS.excess_share * excess_s
    assert window == pytest.approx(RATE * wanted_s / PACKET_BYTES + CONSTANTS.extra_packets, rel=0.01)


def test_an_empty_queue_raises_the_reserve_up_to_the_target_delay() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 8, queue_s=0.0)
    grown_s = receiver.reserve_s - FIRST_RESERVE_S
    assert grown_s == pytest.approx(5 * 0.01 * CONSTANTS.reserve_growth)  # of eight stamps the third is the first step
    feed(receiver, 50, queue_s=0.0, from_index=8)
    assert receiver.reserve_s == ON_DEMAND.target_delay_s


def test_an_empty_queue_of_a_sender_that_has_nothing_to_send_says_nothing() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 30, queue_s=0.0, is_app_limited=True)
    assert receiver.reserve_s == FIRST_RESERVE_S
    assert receiver.window_packets == pytest.approx(60, rel=0.01)  # the window in force


def test_the_target_that_is_told_has_the_packets_beside_the_reserve() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 100, queue_s=0.015)
    beside_s = CONSTANTS.extra_packets * PACKET_BYTES / RATE
    assert receiver.target_delay_s == pytest.approx(receiver.reserve_s + beside_s, rel=0.01)


def test_in_a_contest_the_queue_that_it_grows_to_is_the_target() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 800, queue_s=0.100)  # which no drain empties
    assert receiver.reserve_s < 0.015
    assert receiver.target_delay_s == pytest.approx(0.100)


def test_on_another_path_there_is_no_contest() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 800, queue_s=0.100)
    for phase, index in ((Phase.SLOW_START, 800), (Phase.AVOIDANCE, 810)):
        feed(receiver, 10, queue_s=0.100, from_index=index, round_trip_s=0.240, epoch=1, phase=phase)
    assert receiver.epochs_begun == 1
    assert receiver.target_delay_s < 0.030


@pytest.mark.parametrize("queue_s", [0.001, 0.004])
def test_a_pause_of_the_application_says_nothing_of_the_link(queue_s: float) -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 100, queue_s=0.015)
    before = receiver.window_packets
    assert before is not None
    for index in range(100, 120):
        feed(receiver, 1, queue_s=queue_s, from_index=index, is_app_limited=True, idle_s=1.0)
        assert receiver.window_packets is not None
        assert receiver.window_packets > 0.9 * before


def test_a_round_trip_of_no_length_is_survived() -> None:
    receiver = Kuafu(ON_DEMAND)
    feed(receiver, 30, queue_s=0.0, round_trip_s=0.0)
    assert receiver.window_packets is not None
    assert math.isfinite(receiver.window_packets)


@pytest.mark.parametrize("target_s", [0.012, 0.120])
def test_the_target_delay_bounds_the_reserve(target_s: float) -> None:
    receiver = Kuafu(NuwaParameters(target_delay_s=target_s, rho_s=0.01, k=1.0))
    feed(receiver, 200, queue_s=0.0)
    assert receiver.reserve_s == target_s


def simulated(
    opportunities_ms: list[int], *, seconds: float, queue_packets: int = 1000, loss_ratio: float = 0.0
) -> tuple[float, float]:
    """Goodput in Mbit/s and p95 queueing delay in ms."""
    link = Link(
        opportunities_ms,
        queue=QueueLimit(packets=queue_packets),
        delay_s=0.020,
        loss_ratio=loss_ratio,
        rng=random.Random(1),
    )
    sender = ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    simulation = Simulation(sender, link, return_delay_s=0.020, receiver=Kuafu(ON_DEMAND))
    simulation.run_until(seconds)
    result = simulation.result()
    delay = result.queueing_delay
    return result.goodput_bits_per_s / 1e6, math.inf if delay is None else 1000 * delay.p95_s


@pytest.mark.parametrize(
    ("target_s", "mbit_per_s", "round_trip_s"),
    [(0.060, 50, 0.002), (0.060, 100, 0.005), (0.012, 50, 0.010), (0.012, 100, 0.010)],
)
def test_the_window_of_a_steady_link_stands_still(target_s: float, mbit_per_s: float, round_trip_s: float) -> None:
    parameters = replace(ON_DEMAND, target_delay_s=target_s)
    network = steady(parameters, mbit_per_s=mbit_per_s, round_trip_s=round_trip_s)
    network.run_until(2.5)
    windows = [window_bytes for time_s, window_bytes in network.flows[0].window if time_s >= 1.7]
    assert max(windows) < 1.2 * min(windows)


def test_a_large_window_has_a_part_of_a_short_reserve() -> None:
    """What the window loses by its size would be all of the reserve, and a part of what the path holds."""
    network = steady(replace(ON_DEMAND, target_delay_s=0.012), mbit_per_s=100, round_trip_s=0.040)
    network.run_until(4.0)
    record = network.flows[0].record
    delay = record.delays(3.0, 4.0)
    assert 8e-6 * record.wire_bytes(3.0, 4.0) > 99
    assert delay is not None
    assert delay.p95_s < 0.012


def steady(parameters: NuwaParameters, *, mbit_per_s: float, round_trip_s: float) -> Network:
    """One flow alone over a steady link with a deep queue."""
    link = Link(constant_rate_opportunities_ms(mbit_per_s), queue=QueueLimit(packets=3000), delay_s=round_trip_s / 2)
    sender = ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    return Network(link, [FlowPlan(sender, name="kuafu", receiver=Kuafu(parameters))], return_delay_s=round_trip_s / 2)


@pytest.mark.parametrize(("mbit_per_s", "seconds"), [(0.3, 20.0), (12.0, 6.0), (100.0, 2.0)])
def test_it_fills_a_steady_link_with_a_short_queue(mbit_per_s: float, seconds: float) -> None:
    goodput, p95_ms = simulated(constant_rate_opportunities_ms(mbit_per_s), seconds=seconds)
    payload = mbit_per_s * PACKET_BYTES / 1504
    assert goodput > 0.85 * payload
    assert p95_ms < 30 + 14 * 1504 * 8 / (1000 * mbit_per_s)  # and an initial window of a slow link


@pytest.mark.parametrize("outage_s", [1, 10])
def test_after_an_outage_it_fills_the_link_again(outage_s: int) -> None:
    steady_ms = constant_rate_opportunities_ms(12)
    before_ms = [time + cycle * steady_ms[-1] for cycle in range(3000 // steady_ms[-1]) for time in steady_ms]
    resumed_ms = before_ms[-1] + 1000 * outage_s
    trace_ms = [*before_ms, *(resumed_ms + time for time in before_ms)]
    with_outage, _ = simulated(trace_ms, seconds=6.0 + outage_s)
    assert with_outage * (6 + outage_s) > 0.75 * 12 * PACKET_BYTES / 1504 * 6


def test_losses_in_a_shallow_queue_do_not_keep_the_link_idle() -> None:
    goodput, _ = simulated(constant_rate_opportunities_ms(12), seconds=8.0, queue_packets=30)
    assert goodput > 0.8 * 12 * PACKET_BYTES / 1504


@pytest.mark.parametrize("other", ["kuafu", "bbr"])
def test_a_flow_that_comes_later_and_one_that_is_there_both_get_on(other: str) -> None:
    shares = _two_flows(other)
    assert min(shares) > 0.15


def test_a_reference_that_is_a_little_off_takes_no_share() -> None:
    """A flow that came late never sees the path as empty as the first one did: 1 ms of difference or two."""
    link = Link(constant_rate_opportunities_ms(28), queue=QueueLimit(packets=300), delay_s=0.020)
    clocks = LinkClocks.drawn(random.Random("1 clock"))
    network = Network(link, [_flow("kuafu", 0.0), _flow("kuafu", 5.0)], return_delay_s=0.020, clocks=clocks)
    network.run_until(40.0)
    carried = [flow.record.wire_bytes(20.0, 40.0) for flow in network.flows]
    assert min(carried) > 0.4 * sum(carried)


def test_a_link_that_pauses_is_used_again_at_once() -> None:
    link_ms = pausing_ms()
    link = Link(link_ms, queue=QueueLimit(packets=300), delay_s=0.040)
    network = Network(link, [_flow("kuafu", 0.0)], return_delay_s=0.040)
    network.run_until(30.0)
    carried = network.flows[0].record.wire_bytes(3.0, 30.0) / (27 * len(link_ms) * OPPORTUNITY_BYTES)
    assert carried > 0.71  # 0.68 with a forecast that forgets in pauses


def test_a_link_that_has_become_slow_is_not_taken_for_one_that_pauses() -> None:
    fast_ms = constant_rate_opportunities_ms(50)
    link_ms = [*fast_ms, *(1000 + time_ms for time_ms in fast_ms), *range(2000, 32_000, 300)]  # to 40 kbit/s
    network = Network(
        Link(link_ms, queue=QueueLimit(packets=20), delay_s=0.020), [_flow("kuafu", 0.0)], return_delay_s=0.020
    )
    network.run_until(30.0)
    delay = network.flows[0].record.delays(17.0, 22.0)
    assert delay is not None
    assert delay.p95_s < 2.0  # 5 s where each gap is a pause


def _two_flows(other: str) -> list[float]:
    """Shares of the last 15 of 30 s of a flow of Kuafu's and of another's that begins 3 s later, at 12 Mbit/s."""
    link = Link(constant_rate_opportunities_ms(12), queue=QueueLimit(packets=300), delay_s=0.020)
    plans = [_flow("kuafu", 0.0), _flow(other, 3.0)]
    network = Network(link, plans, return_delay_s=0.020)
    network.run_until(30.0)
    carried = [flow.record.wire_bytes(15.0, 30.0) for flow in network.flows]
    return [each / sum(carried) for each in carried]


def _flow(name: str, start_s: float) -> FlowPlan:
    entry = scheme(name)
    receiver = None if entry.make_receiver is None else entry.make_receiver(ON_DEMAND)
    sender = entry.make_sender(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    return FlowPlan(sender, name=name, receiver=receiver, start_s=start_s)
