"""NewReno against numbers worked by hand from RFC 9002 section 7."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.core.window import initial_window_bytes
from cc.sender.newreno import NewReno
from cc.tests.flow import MSS, Flow


@pytest.mark.parametrize(
    ("max_datagram_bytes", "expected"),
    [(1200, 12000), (1472, 14720), (1500, 14720), (8000, 16000)],
)
def test_initial_window(max_datagram_bytes: int, expected: int) -> None:
    # Section 7.2: ten packets, but no more than max(14720, two packets).
    assert initial_window_bytes(max_datagram_bytes) == expected


def flow_in_avoidance() -> tuple[Flow, NewReno]:
    """Slow start from 10 to 20 packets, then one loss: 10 packets."""
    scheme = NewReno(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    flow.ack(flow.fill_window())
    flow.wait()
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    flow.ack(numbers[1:])
    flow.wait()
    return flow, scheme


def test_halves_on_loss() -> None:
    _, scheme = flow_in_avoidance()
    assert (scheme.cwnd_bytes, scheme.ssthresh_bytes) == (10 * MSS, 10 * MSS)


def test_adds_one_packet_for_each_window_acknowledged() -> None:
    flow, scheme = flow_in_avoidance()
    flow.ack(flow.fill_window())
    assert scheme.cwnd_bytes == 11 * MSS  # 10 + 1 * 10/10
    flow.wait()
    flow.ack(flow.fill_window()[:5])
    assert scheme.cwnd_bytes == 11454  # 11000 + 1000 * 5000/11000


def test_small_acknowledgements_add_up() -> None:
    flow, scheme = flow_in_avoidance()
    for _ in range(100):  # 100 bytes each: 10 bytes of window, less a little as it grows
        flow.ack(flow.send(1, size_bytes=100))
    assert 10_900 < scheme.cwnd_bytes < 11_000


def test_slow_start_after_persistent_congestion_stops_at_ssthresh() -> None:
    flow, scheme = flow_in_avoidance()
    flow.lose(flow.fill_window(), is_persistent_congestion=True)
    assert (scheme.cwnd_bytes, scheme.ssthresh_bytes) == (2 * MSS, 5 * MSS)
    assert scheme.phase is Phase.SLOW_START
    flow.wait()
    flow.ack(flow.send(2))
    assert scheme.cwnd_bytes == 4 * MSS
    flow.ack(flow.send(4))
    assert (scheme.cwnd_bytes, scheme.phase) == (5 * MSS, Phase.AVOIDANCE)


def test_packets_lost_after_persistent_congestion_but_sent_before_it_cut_nothing() -> None:
    flow, scheme = flow_in_avoidance()
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:5], is_persistent_congestion=True)
    flow.wait()
    flow.lose(numbers[5:])
    assert (scheme.cwnd_bytes, scheme.ssthresh_bytes) == (2 * MSS, 5 * MSS)


def test_only_packets_sent_after_the_cut_count_in_a_mixed_acknowledgement() -> None:
    scheme = NewReno(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    before = flow.fill_window()
    flow.wait()
    flow.lose(before[:1])  # 10 -> 5 packets
    flow.wait()
    after = flow.send(2)
    flow.wait()
    flow.ack([*before[5:], *after])
    assert scheme.cwnd_bytes == 5400  # 5000 + 1000 * 2000/5000


def test_the_receiver_may_end_slow_start() -> None:
    scheme = NewReno(max_datagram_bytes=MSS, rng=random.Random(1))
    scheme.end_slow_start()
    assert (scheme.phase, scheme.cwnd_bytes, scheme.ssthresh_bytes) == (Phase.AVOIDANCE, 10 * MSS, 10 * MSS)
