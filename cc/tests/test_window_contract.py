"""What holds for every scheme of the registry that is a window's: slow start, recovery periods, resets (RFC 9002)."""

from __future__ import annotations

import random

import pytest

from cc.core.base import MINIMUM_WINDOW_PACKETS, Phase
from cc.core.scheme import Scheme
from cc.core.window import WindowScheme
from cc.registry import SCHEMES
from cc.tests.flow import MSS, Flow

MINIMUM_BYTES = MINIMUM_WINDOW_PACKETS * MSS


def make_flow(entry: Scheme) -> Flow:
    return Flow(entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1)))


def window_bytes(flow: Flow) -> int:
    """What may be in flight, without the room that a scheme declares for packets that wait for their ACK."""
    assert isinstance(flow.scheme, WindowScheme)
    return flow.scheme.cwnd_bytes - flow.scheme.room_bytes


WINDOW_SCHEMES = [entry for entry in SCHEMES if isinstance(make_flow(entry).scheme, WindowScheme)]

pytestmark = pytest.mark.parametrize("entry", WINDOW_SCHEMES, ids=lambda entry: entry.name)


def test_starts_in_slow_start_with_ten_packets(entry: Scheme) -> None:
    sender = make_flow(entry).scheme
    assert sender.cwnd_bytes == 10 * MSS
    assert sender.phase is Phase.SLOW_START


def test_window_grows_by_what_is_acknowledged_in_slow_start(entry: Scheme) -> None:
    flow = make_flow(entry)
    flow.whole_window(rtt_s=0.02)
    assert flow.scheme.cwnd_bytes == 20 * MSS


def test_window_never_falls_below_two_packets(entry: Scheme) -> None:
    flow = make_flow(entry)
    for _ in range(20):
        numbers = flow.send(1)
        flow.wait()
        flow.lose(numbers, is_persistent_congestion=True)
        assert flow.scheme.cwnd_bytes >= MINIMUM_BYTES
    assert flow.scheme.cwnd_bytes == MINIMUM_BYTES


def test_losses_one_after_another_end_at_two_packets(entry: Scheme) -> None:
    flow = make_flow(entry)
    for _ in range(20):
        numbers = flow.send(2)
        flow.wait()
        flow.lose(numbers[:1])
        flow.ack(numbers[1:])
        flow.wait()
        assert flow.scheme.cwnd_bytes >= MINIMUM_BYTES
    assert flow.scheme.cwnd_bytes == MINIMUM_BYTES


@pytest.mark.parametrize("in_avoidance", [False, True], ids=["slow start", "avoidance"])
def test_a_cut_reaches_what_may_be_in_flight_behind_large_acks(entry: Scheme, in_avoidance: bool) -> None:
    flow = make_flow(entry)
    flow.whole_window()
    if in_avoidance:
        flow.lose_one_window()
    numbers = flow.fill_window()
    flow.wait()
    before = window_bytes(flow)
    flow.lose(numbers[:1])
    assert flow.scheme.cwnd_bytes < before


def test_one_reduction_for_losses_of_one_flight(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:2])
    after_first = flow.scheme.cwnd_bytes
    assert MINIMUM_BYTES <= after_first < 10 * MSS
    assert flow.scheme.phase is Phase.RECOVERY
    flow.wait()
    flow.lose(numbers[2:5])
    assert flow.scheme.cwnd_bytes == after_first


def test_loss_of_a_packet_sent_after_the_reduction_reduces_again(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers)
    after_first = flow.scheme.cwnd_bytes
    flow.wait()
    later = flow.send(3)
    flow.wait()
    flow.lose(later[:1])
    assert flow.scheme.cwnd_bytes < after_first


def test_recovery_ends_when_a_packet_sent_in_it_is_acknowledged(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    after_loss = flow.scheme.cwnd_bytes
    flow.ack(numbers[1:])
    assert (flow.scheme.phase, flow.scheme.cwnd_bytes) == (Phase.RECOVERY, after_loss)
    flow.wait()
    later = flow.send(1)
    flow.wait()
    flow.ack(later)
    assert flow.scheme.phase is Phase.AVOIDANCE


@pytest.mark.parametrize("in_avoidance", [False, True], ids=["slow start", "avoidance"])
def test_no_growth_while_application_limited(entry: Scheme, in_avoidance: bool) -> None:
    flow = make_flow(entry)
    if in_avoidance:
        flow.lose_one_window()
    before = window_bytes(flow)
    for _ in range(20):
        flow.ledger.mark_app_limited()
        numbers = flow.send(1)
        flow.wait()
        event = flow.ack(numbers)
        assert event is not None
        assert event.is_app_limited
        assert window_bytes(flow) == before


def test_every_reset_of_the_window_is_counted_and_nothing_else(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    assert flow.scheme.window_resets == 0
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    assert flow.scheme.window_resets == 1
    flow.ack(numbers[1:])
    assert flow.scheme.window_resets == 1
    flow.wait()
    flow.lose(flow.send(1), is_persistent_congestion=True)
    assert flow.scheme.window_resets > 1
