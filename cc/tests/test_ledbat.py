"""LEDBAT against numbers worked by hand from RFC 6817 section 2.4.2, on a deep queue alone, and behind CUBIC."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.sender.cubic import Cubic
from cc.sender.ledbat import DelayHistory, Ledbat
from cc.simulation import Simulation
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, LINK_MBIT_PER_S, QUEUE_PACKETS, clean_link, jain_index, share_link

PACKET_BYTES = 1350


def flow_in_avoidance() -> tuple[Flow, Ledbat]:
    """Base delay 100 ms, a window of 20 packets, nothing in flight."""
    scheme = Ledbat(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers, rtt_s=0.1)
    scheme.end_slow_start()
    assert (scheme.cwnd_bytes, scheme.phase) == (20 * MSS, Phase.AVOIDANCE)
    return flow, scheme


def see_delay(flow: Flow, *, rtt_s: float, samples: int = 4) -> None:
    """The filter of four samples forgets all that is less; the packets are too small to move the window much."""
    for _ in range(samples):
        flow.ledger.mark_app_limited()
        numbers = flow.send(1, size_bytes=1)
        flow.wait(rtt_s)
        flow.ack(numbers, rtt_s=rtt_s)


@pytest.mark.parametrize(
    ("rtt_s", "change_packets"),
    [
        (0.1, 1),  # no queue: GAIN packets each round trip
        (0.15, 0.5),  # half way to the target
        (0.2, 0),
        (0.25, -0.5),
        (0.4, -2),
    ],
)
def test_the_window_moves_by_the_distance_from_the_target(rtt_s: float, change_packets: float) -> None:
    flow, scheme = flow_in_avoidance()
    see_delay(flow, rtt_s=rtt_s)
    numbers = flow.send(20)
    flow.wait(rtt_s)
    flow.ack(numbers, rtt_s=rtt_s)
    assert scheme.cwnd_bytes == pytest.approx((20 + change_packets) * MSS, abs=2)
    assert scheme.phase is Phase.AVOIDANCE


def test_the_delay_is_the_smallest_of_four_samples() -> None:
    delays = DelayHistory()
    for delay_s in (0.1, 0.16, 0.13, 0.17, 0.18):
        delays.on_sample(delay_s, now_s=1.0)
    assert delays.queueing_delay_s == pytest.approx(0.03)
    delays.on_sample(0.19, now_s=1.0)
    assert delays.queueing_delay_s == pytest.approx(0.03)
    delays.on_sample(0.2, now_s=1.0)
    assert delays.queueing_delay_s == pytest.approx(0.07)


def test_the_base_delay_is_the_smallest_of_ten_minutes() -> None:
    delays = DelayHistory()
    delays.on_sample(0.1, now_s=59.0)
    for minute in range(1, 10):
        for _ in range(4):
            delays.on_sample(0.15, now_s=60.0 * minute)
    assert delays.queueing_delay_s == pytest.approx(0.05)
    delays.on_sample(0.15, now_s=600.0)
    assert delays.queueing_delay_s == 0.0


@pytest.mark.parametrize(("rtt_s", "expected_packets"), [(0.124, 40), (0.126, 20)], ids=["24 ms", "26 ms"])
def test_slow_start_ends_at_a_quarter_of_the_target_with_the_window_of_then(
    rtt_s: float, expected_packets: int
) -> None:
    scheme = Ledbat(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers, rtt_s=0.1)
    numbers = flow.fill_window()
    flow.wait(rtt_s)
    for first in (0, 5, 10, 15):  # the fourth sample pushes that of 100 ms out of the filter
        assert scheme.cwnd_bytes == (20 + first) * MSS
        flow.ack(numbers[first : first + 5], rtt_s=rtt_s)
    # The last packet left with 20 in flight.
    assert scheme.cwnd_bytes == expected_packets * MSS


def test_a_loss_halves_the_window() -> None:
    flow, scheme = flow_in_avoidance()
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 10 * MSS


def test_it_yields_even_when_the_application_leaves_the_window_unused() -> None:
    flow, scheme = flow_in_avoidance()
    see_delay(flow, rtt_s=0.3, samples=200)
    # 196 bytes or so at one packet (GAIN * off_target = -1) for each window of 20 packets
    assert 20 * MSS - 12 < scheme.cwnd_bytes < 20 * MSS


def test_slow_start_follows_persistent_congestion() -> None:
    flow, scheme = flow_in_avoidance()
    flow.lose(flow.send(1), is_persistent_congestion=True)
    assert (scheme.cwnd_bytes, scheme.ssthresh_bytes, scheme.phase) == (2 * MSS, 10 * MSS, Phase.SLOW_START)


def test_alone_it_keeps_a_tenth_of_a_second_in_a_deep_queue() -> None:
    scheme = Ledbat(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    simulation = Simulation(scheme, clean_link(queue_packets=1500), return_delay_s=DELAY_S)
    simulation.run_until(70)
    delays_ms = []
    while simulation.now_s < 80:
        simulation.run_until(simulation.now_s + 0.1)
        delays_ms.append((scheme.log_fields()["queueing_delay_s"] or 0.0) * 1000)
    assert 90 < min(delays_ms) <= max(delays_ms) < 105
    result = simulation.result()
    assert result.goodput_bits_per_s > 0.95 * LINK_MBIT_PER_S * 1e6
    assert result.packets_lost == 0


def test_it_yields_to_cubic() -> None:
    # 300 packets take 138 ms: CUBIC keeps more in the queue than LEDBAT wants there.
    rng = random.Random(1)
    schemes = [
        Ledbat(max_datagram_bytes=PACKET_BYTES, rng=rng),
        Cubic(max_datagram_bytes=PACKET_BYTES, rng=rng),
    ]
    assert QUEUE_PACKETS == 300
    ledbat, cubic = share_link(schemes, starts_s=[0, 5], duration_s=75, since_s=50)
    assert ledbat < 0.1 * LINK_MBIT_PER_S
    assert cubic > 0.9 * LINK_MBIT_PER_S


def test_two_flows_that_start_together_share() -> None:
    schemes = [Ledbat(max_datagram_bytes=PACKET_BYTES, rng=random.Random(seed)) for seed in range(2)]
    rates = share_link(schemes, starts_s=[0, 0], duration_s=30, since_s=15)
    assert jain_index(rates) > 0.9
    assert sum(rates) > 0.97 * LINK_MBIT_PER_S
