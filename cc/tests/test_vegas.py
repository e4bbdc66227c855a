"""Vegas against numbers worked by hand from its paper's section 3, and its two to four packets in a simulated queue."""

from __future__ import annotations

import random

import pytest

from cc.core.ack_policy import EVERY_PACKET
from cc.core.base import Phase, SenderScheme
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.vegas import Vegas
from cc.simulation import DelaySummary, Simulation, SimulationOptions
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, LINK_MBIT_PER_S, clean_link, jain_index, run_flow, share_link

PACKET_BYTES = 1350


def flow_past_slow_start() -> tuple[Flow, Vegas]:
    """Base RTT 100 ms; slow start ended with 19 packets, of which none are in flight."""
    scheme = Vegas(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers, rtt_s=0.1)
    numbers = flow.fill_window()
    flow.wait(0.11)
    flow.ack(numbers, rtt_s=0.11)
    return flow, scheme


def window_bytes(scheme: SenderScheme) -> int:
    """Without what waits for its ACK."""
    assert isinstance(scheme, Vegas)
    return scheme.cwnd_bytes - scheme.room_bytes


def send_window(flow: Flow) -> range:
    """As many packets as the window has, what waits for its ACK left out."""
    return flow.send(window_bytes(flow.scheme) // MSS)


def round_trip(flow: Flow, *, rtt_s: float) -> None:
    numbers = send_window(flow)
    flow.wait(rtt_s)
    flow.ack(numbers, rtt_s=rtt_s)


def test_slow_start_ends_with_what_the_path_carries_and_one_packet_more() -> None:
    _, scheme = flow_past_slow_start()
    # 20 packets were in flight, of which 20 * (1 - 100/110) = 1.82 > gamma queued: 18.18 + 1.
    assert window_bytes(scheme) == 19_181
    assert scheme.phase is Phase.AVOIDANCE


def test_slow_start_goes_on_while_no_more_than_gamma_packets_queue() -> None:
    scheme = Vegas(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    round_trip(flow, rtt_s=0.1)
    round_trip(flow, rtt_s=0.105)  # 20 * (1 - 100/105) = 0.95
    assert (scheme.cwnd_bytes, scheme.phase) == (40 * MSS, Phase.SLOW_START)


@pytest.mark.parametrize(
    ("rtt_s", "change_packets"),
    [
        (0.111, 1),  # 19 * (1 - 100/111) = 1.88 < alpha
        (0.113, 0),  # 19 * (1 - 100/113) = 2.19
        (0.126, 0),  # 19 * (1 - 100/126) = 3.92
        (0.128, -1),  # 19 * (1 - 100/128) = 4.16 > beta
    ],
)
def test_one_packet_more_below_alpha_and_one_less_above_beta(rtt_s: float, change_packets: int) -> None:
    flow, scheme = flow_past_slow_start()
    round_trip(flow, rtt_s=rtt_s)
    assert window_bytes(scheme) == 19_181 + change_packets * MSS
    assert scheme.phase is Phase.AVOIDANCE


def test_grows_by_no_more_than_was_acknowledged() -> None:
    flow, scheme = flow_past_slow_start()
    numbers = flow.send(1, size_bytes=300)
    flow.wait(0.1)
    flow.ack(numbers, rtt_s=0.1)
    assert window_bytes(scheme) == 19_181 + 300


def test_the_smallest_rtt_of_a_round_trip_decides_and_only_at_its_end() -> None:
    flow, scheme = flow_past_slow_start()
    numbers = send_window(flow)
    flow.wait(0.105)
    flow.ack(numbers[:1], rtt_s=0.2)  # ends the round trip that began with the last ACK
    after = window_bytes(scheme)
    flow.send(1)
    flow.ack(numbers[1:18], rtt_s=0.105)
    flow.ack(numbers[18:], rtt_s=0.2)
    assert window_bytes(scheme) == after
    flow.wait(0.2)
    flow.ack([flow.next_number - 1], rtt_s=0.2)
    assert scheme.log_fields()["queued_packets"] == pytest.approx(18 * (1 - 100 / 105))
    assert window_bytes(scheme) == after + MSS


def test_a_loss_halves_the_window() -> None:
    flow, scheme = flow_past_slow_start()
    numbers = send_window(flow)
    flow.wait()
    flow.lose(numbers[:1])
    assert window_bytes(scheme) == 9590


def test_the_base_rtt_is_measured_anew_after_a_pause() -> None:
    flow, scheme = flow_past_slow_start()
    flow.ledger.mark_app_limited()
    flow.wait(60)
    flow.whole_window(rtt_s=0.2)
    assert scheme.log_fields()["base_rtt_s"] == 0.2
    assert window_bytes(scheme) == 19_181 + MSS


def test_after_slow_start_a_window_is_paced_over_a_round_trip() -> None:
    _, scheme = flow_past_slow_start()
    assert scheme.pacing_rate_bytes_per_s == pytest.approx((20 * 100 / 110 + 1) * MSS / 0.11)


def test_keeps_two_to_four_packets_in_the_queue() -> None:
    # Every packet is acknowledged and the pacing timer ideal; a packet takes 0.5 ms.
    scheme = Vegas(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    options = SimulationOptions(ack=EVERY_PACKET, timer_quantum_s=0)
    simulation = Simulation(scheme, clean_link(), return_delay_s=DELAY_S, options=options)
    simulation.run_until(5)
    queued = []
    while simulation.now_s < 20:
        simulation.run_until(simulation.now_s + 0.05)
        queued.append(scheme.log_fields()["queued_packets"] or 0.0)
    assert 2 < sum(queued) / len(queued) < 4
    assert sorted(queued)[len(queued) // 20] > 1.9
    result = simulation.result()
    assert result.goodput_bits_per_s > 0.93 * LINK_MBIT_PER_S * 1e6
    assert result.queueing_delay is not None
    assert result.queueing_delay.p50_s < 0.003


def forget_large_acks(flow: Flow) -> None:
    """Ten round trips and more of one packet each, in which the window stands."""
    for _ in range(12):
        numbers = send_too_little(flow, packets=1)
        flow.wait()
        flow.ack(numbers)


def send_too_little(flow: Flow, *, packets: int) -> range:
    """Less than the window, since the application has no more."""
    flow.ledger.mark_app_limited()
    return flow.send(packets)


@pytest.mark.parametrize(
    ("ack_packets", "room_packets"),
    [
        (1, 0),
        (2, 0),  # alpha packets are in the queue, and keep the path busy meanwhile
        (3, 1),
        (8, 6),
        (12, 7.181),  # 19.181 - 12: what the window has besides
    ],
)
def test_what_waits_for_its_ack_comes_on_top_of_the_window_beyond_its_queue(
    ack_packets: int, room_packets: float
) -> None:
    flow, scheme = flow_past_slow_start()
    forget_large_acks(flow)
    assert (window_bytes(scheme), scheme.room_bytes) == (19_181, 0)
    numbers = send_too_little(flow, packets=ack_packets)
    flow.wait()
    flow.ack(numbers)
    assert scheme.room_bytes == pytest.approx(room_packets * MSS, abs=1)


def test_an_ack_for_all_that_is_in_flight_makes_no_room() -> None:
    _, scheme = flow_past_slow_start()
    assert scheme.room_bytes == 0


def test_a_loss_takes_the_room_until_the_round_trip_is_over() -> None:
    flow, scheme = flow_past_slow_start()
    forget_large_acks(flow)
    numbers = send_too_little(flow, packets=18)
    flow.wait()
    flow.ack(numbers[:4])
    assert scheme.room_bytes == 2 * MSS
    before = window_bytes(scheme)
    flow.lose(numbers[4:5])
    flow.ack(numbers[5:9])
    assert scheme.cwnd_bytes == before // 2
    flow.wait()
    numbers = send_too_little(flow, packets=1)
    flow.wait()
    flow.ack(numbers)
    assert (scheme.phase, scheme.room_bytes) == (Phase.AVOIDANCE, 2 * MSS)


class RoomlessVegas(Vegas):
    """Nothing comes on top of the window."""

    @property
    def room_bytes(self) -> int:
        return 0


def delays_of(kind: type[Vegas], *, mbit_per_s: float, queue_packets: int) -> DelaySummary:
    """In the queue, alone on a link for 20 s."""
    link = Link(constant_rate_opportunities_ms(mbit_per_s), queue=QueueLimit(packets=queue_packets), delay_s=DELAY_S)
    simulation = Simulation(kind(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), link, return_delay_s=DELAY_S)
    simulation.run_until(20)
    delays = simulation.result().queueing_delay
    assert delays is not None
    return delays


@pytest.mark.parametrize("queue_packets", [10, 300])
@pytest.mark.parametrize("mbit_per_s", [0.5, 1])
def test_room_for_acks_makes_no_queue_on_slow_links(mbit_per_s: float, queue_packets: int) -> None:
    with_room, without_room = (
        delays_of(kind, mbit_per_s=mbit_per_s, queue_packets=queue_packets) for kind in (Vegas, RoomlessVegas)
    )
    assert with_room.mean_s <= 1.001 * without_room.mean_s
    assert with_room.p95_s <= 1.001 * without_room.p95_s


def test_lumps_of_acknowledgements_cost_it_nothing() -> None:
    result = run_flow(Vegas(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), duration_s=20)
    assert result.utilisation > 0.94
    assert result.queueing_delay.mean_s < 0.005
    assert result.packets_lost == 0


def test_two_flows_share_the_link() -> None:
    schemes = [Vegas(max_datagram_bytes=PACKET_BYTES, rng=random.Random(seed)) for seed in range(2)]
    rates = share_link(schemes, starts_s=[0, 5], duration_s=25, since_s=15)
    assert jain_index(rates) > 0.95
    assert sum(rates) > 0.9 * LINK_MBIT_PER_S
