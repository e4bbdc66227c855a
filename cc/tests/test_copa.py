"""Copa against numbers worked by hand from sections 2.1 and 2.2 of the paper, and its steady state when simulated."""

from __future__ import annotations

import random

import pytest

from cc.core.ack_policy import EVERY_PACKET
from cc.core.base import Phase
from cc.links.clock import LinkClocks
from cc.links.link import OVERHEAD_BYTES, Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.copa.copa import Copa, Direction, Velocity
from cc.sender.copa.delay import CLOCK_GRAIN_S
from cc.sender.cubic import Cubic
from cc.simulation import FlowPlan, Network, Simulation, SimulationOptions
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, LINK_MBIT_PER_S, clean_link, jain_index, share_link

RATE_BITS_PER_S = 24e6
PACKET_BYTES = 1350
PAYLOAD_SHARE = PACKET_BYTES / (PACKET_BYTES + OVERHEAD_BYTES)


def window_packets(scheme: Copa) -> float:
    window_bytes = scheme.log_fields()["window_bytes"]
    assert window_bytes is not None
    return window_bytes / MSS


def flow_past_slow_start() -> tuple[Flow, Copa]:
    """RTTmin is 100 ms, 20 packets are in flight, and slow start has just found a queue of 20 ms.

    The window is 20 packets, less 1/(0.5 * 20) = 0.1 for the packet acknowledged.
    """
    scheme = Copa(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers, rtt_s=0.1)
    assert window_packets(scheme) == 20
    numbers = flow.send(20)
    flow.wait(0.12)
    flow.ack(numbers[:1], rtt_s=0.12)
    return flow, scheme


def test_slow_start_doubles_until_the_rate_exceeds_its_target() -> None:
    _, scheme = flow_past_slow_start()
    # 20 packets / 0.12 s > 1/(0.5 * 0.019 s) = 105 packets/s: it ends, and the window shrinks.
    assert scheme.phase is Phase.AVOIDANCE
    assert window_packets(scheme) == pytest.approx(19.9)


@pytest.mark.parametrize(
    ("rtt_s", "change_packets"),
    [
        # d_q is 1 ms less than what RTTs have more than the smallest
        (0.1110, 2 / 19.9),  # 19.9 / 0.1110 = 179 <= 1/(0.5 * 0.0100) = 200 packets/s
        (0.1125, -2 / 19.9),  # 19.9 / 0.1125 = 177 > 1/(0.5 * 0.0115) = 174 packets/s
    ],
)
def test_steers_towards_one_over_delta_times_the_queueing_delay(rtt_s: float, change_packets: float) -> None:
    flow, scheme = flow_past_slow_start()
    flow.wait(0.07)  # the sample of 120 ms leaves the half RTT that RTTstanding looks back
    flow.ack([flow.next_number - 2], rtt_s=rtt_s)
    assert window_packets(scheme) == pytest.approx(19.9 + change_packets)


def test_an_ack_of_many_packets_counts_each() -> None:
    flow, scheme = flow_past_slow_start()
    flow.wait(0.07)
    flow.ack(range(flow.next_number - 10, flow.next_number), rtt_s=0.12)
    assert window_packets(scheme) == pytest.approx(19.9 - 10 * 2 / 19.9)


def test_one_late_sample_does_not_move_the_standing_rtt() -> None:
    flow, scheme = flow_past_slow_start()
    flow.wait(0.07)
    flow.ack([flow.next_number - 3], rtt_s=0.111)
    flow.wait(0.01)
    flow.ack([flow.next_number - 2], rtt_s=0.19)
    assert scheme.log_fields()["queueing_delay_s"] == pytest.approx(0.01)


def test_the_smallest_rtt_is_that_of_ten_seconds() -> None:
    flow, scheme = flow_past_slow_start()
    for _ in range(100):
        numbers = flow.send(1)
        flow.wait(0.11)
        flow.ack(numbers, rtt_s=0.11)
    assert scheme.log_fields()["queueing_delay_s"] == 0.0


def test_paces_at_the_rate_that_it_steers_and_leaves_room_for_a_late_ack() -> None:
    flow, scheme = flow_past_slow_start()
    window_bytes = 19_900
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(window_bytes / 0.12)
    assert scheme.cwnd_bytes == window_bytes + 10 * MSS  # the largest ACK of late was for ten packets
    for _ in range(12):
        numbers = flow.send(1)
        flow.wait(0.12)
        flow.ack(numbers, rtt_s=0.12)
    assert scheme.cwnd_bytes == int(window_packets(scheme) * MSS) + MSS


def test_velocity_doubles_once_the_direction_has_been_the_same_for_three_round_trips() -> None:
    velocity = Velocity(10.0)
    values = []
    for window in (11, 12, 13, 14, 15, 16):
        velocity.on_round(window, largest=100)
        values.append(velocity.value)
    assert values == [1, 1, 1, 2, 4, 8]
    velocity.on_round(15, largest=100)
    assert (velocity.direction, velocity.value) == (Direction.DOWN, 1)


def test_velocity_does_not_double_where_the_window_stands() -> None:
    velocity = Velocity(10.0)
    for _ in range(6):
        velocity.on_round(10, largest=100)
    assert (velocity.direction, velocity.value) == (Direction.NONE, 1)


def test_velocity_never_lets_the_window_more_than_double() -> None:
    velocity = Velocity(10.0)
    for window in range(11, 20):
        velocity.on_round(window, largest=0.5 * window)  # delta * window packets each round trip
    assert velocity.value == 9.5


def test_a_turn_halves_the_velocity_at_once_and_ends_it_after_the_round_trip() -> None:
    velocity = Velocity(10.0)
    for window in (11, 12, 13, 14, 15, 16):
        velocity.on_round(window, largest=100)
    velocity.on_move(Direction.UP, 30)
    assert velocity.value == 8
    velocity.on_move(Direction.DOWN, 32)
    assert (velocity.direction, velocity.value) == (Direction.DOWN, 4)
    velocity.on_round(28, largest=100)  # more than the 16 of the last round trip, but down from 32
    assert (velocity.direction, velocity.value) == (Direction.DOWN, 1)


def stand_in_queue(flow: Flow, round_trips: int, *, rtt_s: float = 0.15) -> None:
    for _ in range(round_trips):
        numbers = flow.send(1)
        flow.wait(rtt_s)
        flow.ack(numbers, rtt_s=rtt_s)


def test_competes_when_the_queue_has_not_emptied_in_five_round_trips() -> None:
    flow, scheme = flow_past_slow_start()
    # 20 ms were nearly empty: a packet takes 10 ms at the rate of the first window
    stand_in_queue(flow, 5)
    assert not scheme.is_competitive
    stand_in_queue(flow, 1)  # 0.9 s > 5 * 0.15 s
    assert scheme.is_competitive


def test_delta_is_fixed_alone_and_goes_by_aimd_against_others() -> None:
    flow, scheme = flow_past_slow_start()
    stand_in_queue(flow, 6)
    assert scheme.delta == 0.5
    stand_in_queue(flow, 4)
    assert scheme.delta == pytest.approx(1 / 6)  # 1/delta: 2, 3, 4, 5, 6
    numbers = flow.send(4)
    flow.wait(0.15)
    flow.lose(numbers[:1])
    assert scheme.delta == pytest.approx(1 / 3)
    flow.lose(numbers[1:3])  # of the same round trip
    assert scheme.delta == pytest.approx(1 / 3)
    stand_in_queue(flow, 1, rtt_s=0.104)  # less than 2.5 packets
    assert not scheme.is_competitive
    assert scheme.delta == 0.5


def test_delta_never_exceeds_that_of_the_default_mode() -> None:
    flow, scheme = flow_past_slow_start()
    stand_in_queue(flow, 6)
    assert scheme.is_competitive
    flow.lose(flow.send(1))
    assert scheme.delta == 0.5


def test_loss_means_nothing_alone_unless_it_is_heavy() -> None:
    flow, scheme = flow_past_slow_start()
    flow.ack(range(flow.next_number - 19, flow.next_number), rtt_s=0.12)
    before = window_packets(scheme)
    for lost, epoch in ((9, 0), (15, 1)):  # of 40 in two round trips
        for packets_lost in (lost, 0):
            numbers = flow.send(20)
            flow.wait(0.13)
            flow.lose(numbers[:packets_lost])
            assert window_packets(scheme) == before
            flow.ack(numbers[packets_lost:], rtt_s=0.12)
            before = window_packets(scheme)
        assert scheme.window_resets == epoch


def test_persistent_congestion_starts_again_with_two_packets() -> None:
    flow, scheme = flow_past_slow_start()
    flow.lose(flow.send(1), is_persistent_congestion=True)
    assert (scheme.cwnd_bytes, scheme.phase, scheme.window_resets) == (2 * MSS, Phase.SLOW_START, 1)


def test_an_application_limited_window_does_not_grow() -> None:
    flow, scheme = flow_past_slow_start()
    flow.ack(range(flow.next_number - 19, flow.next_number), rtt_s=0.12)
    before = window_packets(scheme)
    for _ in range(20):
        flow.ledger.mark_app_limited()
        numbers = flow.send(1)
        flow.wait(0.1)
        flow.ack(numbers, rtt_s=0.1)
    assert window_packets(scheme) == before
    assert scheme.velocity == 1


def simulate(
    mbit_per_s: float,
    seconds: float,
    *,
    queue_packets: int = 300,
    loss_ratio: float = 0.0,
    delay_s: float = DELAY_S,
) -> tuple[Simulation, Copa, Link]:
    scheme = Copa(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    link = Link(
        constant_rate_opportunities_ms(mbit_per_s),
        queue=QueueLimit(packets=queue_packets),
        delay_s=delay_s,
        loss_ratio=loss_ratio,
        rng=random.Random(1),
    )
    # the paper's analysis has an ACK for every packet
    simulation = Simulation(scheme, link, return_delay_s=delay_s, options=SimulationOptions(ack=EVERY_PACKET))
    simulation.run_until(seconds)
    return simulation, scheme, link


@pytest.mark.parametrize(("mbit_per_s", "packet_s"), [(1, 12e-3), (6, 2e-3), (12, 1e-3)])
def test_alone_it_keeps_two_and_a_half_packets_in_the_queue(mbit_per_s: float, packet_s: float) -> None:
    # Section 2.1: in steady state the window goes 2.5 round trips each way, by 1/delta packets in each: the queue
    # swings between 0 and 2.5/0.5 packets, and its mean is 2.5, on top of the clocks' millisecond. (The figures have
    # the start in them.)
    simulation, scheme, link = simulate(mbit_per_s, 20)
    result = simulation.result()
    assert result.queueing_delay is not None
    assert 1.8 * packet_s < result.queueing_delay.mean_s < 4 * packet_s + CLOCK_GRAIN_S
    assert result.queueing_delay.p95_s < 6.5 * packet_s + CLOCK_GRAIN_S
    assert result.goodput_bits_per_s > 0.94 * mbit_per_s * 1e6 * PAYLOAD_SHARE
    assert not scheme.is_competitive
    assert link.packets_dropped == 0


def test_alone_its_window_swings_around_its_target() -> None:
    simulation, scheme, _ = simulate(12, 5)
    ratios = []
    while simulation.now_s < 15:
        simulation.run_until(simulation.now_s + 0.01)
        fields = scheme.log_fields()
        delay_s, window_bytes = fields["queueing_delay_s"], fields["window_bytes"]
        assert delay_s is not None
        assert window_bytes is not None
        # cwnd * delta * dq / RTTstanding: 1 on target
        ratios.append(window_bytes / PACKET_BYTES * 0.5 * delay_s / (0.040 + delay_s))
        assert fields["velocity"] == 1
    assert 0.7 < sum(ratios) / len(ratios) < 1.3
    assert min(ratios) < 0.5
    assert max(ratios) > 1.5


@pytest.mark.parametrize("mbit_per_s", [24, 48])
def test_a_millisecond_of_grain_is_no_queue(mbit_per_s: int) -> None:
    scheme = Copa(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    clocks = LinkClocks.drawn(random.Random(1))
    network = Network(clean_link(mbit_per_s=mbit_per_s), [FlowPlan(scheme)], return_delay_s=DELAY_S, clocks=clocks)
    network.run_until(20)
    record = network.flows[0].record
    # two packets a millisecond would be 24 Mbit/s on the wire
    assert record.wire_bytes(2, 20) * 8e-6 / 18 > 0.92 * mbit_per_s
    delays = record.delays(2, 20)
    assert delays is not None
    assert delays.mean_s < 0.005


def test_does_not_fill_and_empty_a_long_path_in_turns() -> None:
    simulation, _, _ = simulate(12, 20, delay_s=0.060)
    # 0.74 with a velocity that may double the window in a round trip
    assert simulation.result().goodput_bits_per_s > 0.9 * 12e6 * PAYLOAD_SHARE


def test_a_slow_link_is_not_taken_for_a_contested_one() -> None:
    # its two packets in the queue take 80 ms, and a round trip without them is shorter
    simulation, _, _ = simulate(0.3, 60, queue_packets=50)
    result = simulation.result()
    assert result.queueing_delay is not None
    assert result.queueing_delay.mean_s < 0.25


def test_random_loss_hardly_matters() -> None:
    simulation, _, _ = simulate(24, 15, loss_ratio=0.01)
    assert simulation.result().goodput_bits_per_s > 0.85 * RATE_BITS_PER_S * PAYLOAD_SHARE


@pytest.mark.parametrize("flows", [2, 3])
def test_flows_share_the_link_without_competing(flows: int) -> None:
    schemes = [Copa(max_datagram_bytes=PACKET_BYTES, rng=random.Random(seed)) for seed in range(flows)]
    starts_s = [5.0 * flow for flow in range(flows)]
    rates = share_link(schemes, starts_s=starts_s, duration_s=25, since_s=15, ack=EVERY_PACKET, mbit_per_s=12)
    assert jain_index(rates) > 0.97
    assert sum(rates) > 0.95 * 12
    assert not any(scheme.is_competitive for scheme in schemes)


def test_competes_with_cubic() -> None:
    # Without its second mode it would get one packet for each of CUBIC's hundred or more.
    copa = Copa(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    cubic = Cubic(max_datagram_bytes=PACKET_BYTES, rng=random.Random(2))
    copa_rate, _ = share_link([copa, cubic], starts_s=[0, 5], duration_s=40, since_s=15)
    assert copa_rate > 0.2 * LINK_MBIT_PER_S
