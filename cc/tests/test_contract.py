"""What holds for every scheme in the registry; `test_window_contract.py` has what holds for windows alone."""

from __future__ import annotations

import math
import random
import statistics
import time

import pytest

from cc.core.base import INITIAL_WINDOW_PACKETS, MINIMUM_WINDOW_PACKETS, Phase, SenderScheme
from cc.core.scheme import Scheme
from cc.registry import DEFAULT_SCHEME, SCHEMES, UnknownSchemeError, scheme
from cc.tests.flow import MSS, Flow

pytestmark = pytest.mark.parametrize("entry", SCHEMES, ids=lambda entry: entry.name)

MINIMUM_BYTES = MINIMUM_WINDOW_PACKETS * MSS
MOST_CPU_OF_AN_ACK_S = 0.005
INITIAL_BYTES = INITIAL_WINDOW_PACKETS * MSS


def make_scheme(entry: Scheme) -> SenderScheme:
    return entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1))


def make_flow(entry: Scheme) -> Flow:
    return Flow(make_scheme(entry))


def make_moved_flow(entry: Scheme) -> Flow:
    """On its second path; of the first one, which lost much, packets are acknowledged and lost afterwards."""
    flow = make_flow(entry)
    flow.lose_one_window()
    old = flow.send(60)
    flow.wait()
    flow.ack(old[:5])
    flow.lose(old[5:20])
    flow.change_path(make_scheme(entry))
    flow.wait()
    assert flow.ack(old[40:], rtt_s=7.0) is None
    assert flow.lose(old[20:40], is_persistent_congestion=True) is None
    return flow


def test_starts_with_no_more_than_ten_packets(entry: Scheme) -> None:
    sender = entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1))
    assert isinstance(sender, SenderScheme)
    assert MINIMUM_BYTES <= sender.cwnd_bytes <= INITIAL_BYTES
    assert sender.phase in Phase


def test_window_is_a_whole_number_of_bytes(entry: Scheme) -> None:
    flow = make_flow(entry)
    for _ in range(5):
        numbers = flow.send(3, size_bytes=333)
        flow.wait()
        flow.ack(numbers)
        assert type(flow.scheme.cwnd_bytes) is int


def test_acknowledgement_of_unknown_packets_changes_nothing(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.send(5)
    flow.wait()
    flow.ack(numbers)
    before = (flow.scheme.cwnd_bytes, flow.scheme.phase, flow.ledger.bytes_in_flight)
    assert flow.ack(numbers) is None
    assert flow.ack([10**9]) is None
    assert flow.lose([10**9]) is None
    assert (flow.scheme.cwnd_bytes, flow.scheme.phase, flow.ledger.bytes_in_flight) == before


def test_pacing_rate_is_positive_and_finite(entry: Scheme) -> None:
    flow = make_flow(entry)
    for _ in range(5):
        rate = flow.scheme.pacing_rate_bytes_per_s
        assert rate is None or (math.isfinite(rate) and rate > 0)
        flow.lose_one_window()


def test_log_fields_keep_their_names(entry: Scheme) -> None:
    flow = make_flow(entry)
    names = list(flow.scheme.log_fields())
    flow.lose_one_window()
    assert list(flow.scheme.log_fields()) == names
    flow.lose(flow.send(1), is_persistent_congestion=True)
    assert list(flow.scheme.log_fields()) == names


def test_persistent_congestion_ends_below_the_initial_window(entry: Scheme) -> None:
    flow = make_flow(entry)
    flow.lose_one_window()
    for _ in range(20):
        numbers = flow.send(1)
        flow.wait()
        before = flow.scheme.cwnd_bytes
        flow.lose(numbers, is_persistent_congestion=True)
        assert MINIMUM_BYTES <= flow.scheme.cwnd_bytes <= before
    assert flow.scheme.cwnd_bytes < INITIAL_BYTES


def test_an_application_limited_sender_learns_no_larger_network(entry: Scheme) -> None:
    flow = make_flow(entry)
    flow.lose_one_window()
    before = flow.scheme.cwnd_bytes
    for _ in range(100):
        flow.ledger.mark_app_limited()
        numbers = flow.send(1)
        flow.wait()
        flow.ack(numbers)
    assert flow.scheme.cwnd_bytes <= 2 * max(before, INITIAL_BYTES)


def test_on_a_second_path_it_is_as_on_a_first_one(entry: Scheme) -> None:
    moved, first = make_moved_flow(entry), make_flow(entry)
    first.now_s = moved.now_s
    for round_trip in range(40):
        for flow in (moved, first):
            numbers = flow.send(20) if round_trip % 3 else flow.fill_window(most_packets=2000)
            flow.wait()
            flow.ack(numbers[1:], rtt_s=0.1 + 0.01 * (round_trip % 5))
            if round_trip % 7 == 6:
                flow.lose(numbers[:1])
            else:
                flow.ack(numbers[:1])
        for figures in ("cwnd_bytes", "pacing_rate_bytes_per_s", "phase", "window_resets"):
            assert getattr(moved.scheme, figures) == getattr(first.scheme, figures)
        assert moved.scheme.log_fields() == first.scheme.log_fields()


def test_a_scheme_that_takes_over_hears_of_packets_that_it_did_not_send(entry: Scheme) -> None:
    """As a session's scheme does, which is known after the handshake."""
    flow = make_flow(scheme(DEFAULT_SCHEME))
    numbers = flow.send(60)
    flow.scheme = make_scheme(entry)
    for first in range(0, 40, 4):
        flow.wait()
        flow.ack(numbers[first : first + 3])
        flow.lose(numbers[first + 3 : first + 4])
    for _ in range(10):
        flow.whole_window()
    assert flow.scheme.cwnd_bytes >= MINIMUM_BYTES


def test_the_same_events_and_seed_give_the_same_windows(entry: Scheme) -> None:
    flows = [make_flow(entry) for _ in range(2)]
    for flow in flows:
        for round_trip in range(40):
            numbers = flow.send(20)
            flow.wait()
            flow.ack(numbers[1:], rtt_s=0.1 + 0.01 * (round_trip % 5))
            flow.lose(numbers[:1])
    assert flows[0].scheme.cwnd_bytes == flows[1].scheme.cwnd_bytes
    assert flows[0].scheme.pacing_rate_bytes_per_s == flows[1].scheme.pacing_rate_bytes_per_s


def test_registry_finds_it_by_name(entry: Scheme) -> None:
    assert scheme(entry.name) is entry
    assert [known.name for known in SCHEMES].count(entry.name) == 1
    assert entry.name == entry.name.lower()
    assert "/" not in entry.name
    assert (entry.make_receiver is not None) == (entry.control == "receiver")
    for other in ("", entry.name.upper(), entry.name + "x"):
        with pytest.raises(UnknownSchemeError, match=f"known schemes: .*{entry.name}"):
            scheme(other)
    assert DEFAULT_SCHEME


def test_an_ack_after_a_pause_costs_the_host_little(entry: Scheme) -> None:
    flow = make_flow(entry)
    costs_s = []
    for number in flow.send(12):
        flow.wait(0.5)
        began_s = time.thread_time()
        flow.ack([number])
        costs_s.append(time.thread_time() - began_s)
    assert statistics.median(costs_s) < MOST_CPU_OF_AN_ACK_S, "a client chooses the scheme, and how often it is silent"
