"""Withheld packets: no honest client is taken for a liar, liars are found, and nothing tells them which to spare."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from aioquic.quic.packet import QuicErrorCode
from aioquic.quic.rangeset import RangeSet
from aioquic.tls import Epoch
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.core.base import LossEvent
from cc.sender.newreno import NewReno
from transport.aioquic_adapter import withheld
from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.withheld import (
    FIRST_NUMBER,
    FIRST_PERIOD_PACKETS,
    LONGEST_PERIOD_PACKETS,
    WithheldPackets,
)
from transport.tests.conversation import ONE_WAY_S, Conversation

SEGMENT_BYTES = 100_000


class Listening(NewReno):
    """Counts what it is told of losses."""

    losses = 0

    def __init__(self) -> None:
        super().__init__(max_datagram_bytes=1200, rng=random.Random(1))

    def on_loss(self, event: LossEvent) -> None:
        self.losses += 1
        super().on_loss(event)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dozen in a segment."""
    monkeypatch.setattr(withheld, "FIRST_PERIOD_PACKETS", 16)
    monkeypatch.setattr(withheld, "LONGEST_PERIOD_PACKETS", 32)


@settings(max_examples=10)
@given(
    seed=st.integers(0, 2**32),
    loss=st.sampled_from([0.0, 0.02, 0.1]),
    jitter_s=st.sampled_from([0.0, 0.001, 0.1]),
    duplicated=st.sampled_from([0.0, 0.2]),
)
def test_no_honest_client_is_taken_for_a_liar(seed: int, loss: float, jitter_s: float, duplicated: float) -> None:
    rng = random.Random(seed)

    def fate(is_from_server: bool) -> Sequence[float]:
        copies = 0 if rng.random() < loss else 2 if rng.random() < duplicated else 1
        return [ONE_WAY_S + rng.random() * jitter_s for _ in range(copies)]

    conversation = Conversation(Listening, rng=random.Random(seed), fate=fate)
    conversation.run(SEGMENT_BYTES)
    assert conversation.end is None
    assert len(conversation.received) == SEGMENT_BYTES
    assert not conversation.has_forged


def test_a_scheme_hears_of_no_loss_where_the_network_loses_nothing() -> None:
    scheme = Listening()
    conversation = Conversation(lambda: scheme, rng=random.Random(3))
    conversation.run(SEGMENT_BYTES)
    assert conversation.server.guard.withheld.survived > 5
    assert scheme.losses == 0


def test_who_hides_losses_is_found() -> None:
    scheme = Listening()
    conversation = Conversation(lambda: scheme, rng=random.Random(3))
    conversation.client.hides_losses = True
    conversation.run(100 * SEGMENT_BYTES)
    assert conversation.has_forged
    assert conversation.end is not None
    assert conversation.end.error_code == QuicErrorCode.PROTOCOL_VIOLATION
    assert "was never sent" in conversation.end.reason_phrase
    assert conversation.sent_bytes < 100_000


def test_nothing_tells_a_withheld_packet_from_a_lost_one() -> None:
    """A liar would hide a gap where stamps count a packet, where bytes of a stream are missing, or within a flight."""
    places = Counter[str]()
    uncounted, counted_before = 0, 0

    def watch(server: ControlledConnection, numbers: range, left: int) -> None:
        nonlocal uncounted, counted_before
        ledger = server.ledger
        counted, counted_before = ledger.packets_sent_total - counted_before, ledger.packets_sent_total
        for number in (number for number in numbers if number in server.guard.withheld):
            uncounted += len(numbers) - counted
            packet, booked = server.quic._spaces[Epoch.ONE_RTT].sent_packets[number], ledger.find(number)
            assert left == len(numbers) - 1
            assert any("on_data_delivery" in repr(handler) for handler, _ in packet.delivery_handlers)
            assert booked is not None, "it is in flight as long as a lost one"
            places["first" if number == numbers.start else "later"] += 1

    conversation = Conversation(Listening, rng=random.Random(3), on_flight=watch)
    conversation.run(5 * SEGMENT_BYTES)
    assert uncounted == 0
    assert places["first"] > 3
    assert places["later"] > 0


def test_the_first_comes_early_and_later_ones_within_a_longer_period(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    firsts: list[int] = []
    later: list[int] = []
    for seed in range(300):
        packets = WithheldPackets(random.Random(seed))
        last = 0
        for count in range(6):
            number = packets.due_among(range(last, 10**6))
            assert number is not None
            if count in (0, 5):
                (later if count else firsts).append(number - last)
            packets.add(number)
            packets.on_lost()
            last = number
    assert max(firsts) <= FIRST_PERIOD_PACKETS
    assert FIRST_NUMBER <= min(firsts) < FIRST_NUMBER + 20
    assert 1024 < max(later) <= LONGEST_PERIOD_PACKETS
    assert min(later) < 100


def test_an_old_one_is_remembered() -> None:
    packets = WithheldPackets(random.Random(1))
    for number in (10, 20, 30):
        packets.add(number)
    assert packets.acknowledged_in(RangeSet([range(0, 10), range(11, 20), range(21, 30)])) is None
    assert packets.acknowledged_in(RangeSet([range(21, 30), range(31, 40)])) is None
    assert packets.acknowledged_in(RangeSet([range(0, 11)])) == 10
    assert packets.acknowledged_in(RangeSet([range(0, 10), range(15, 21)])) == 20
    assert 20 in packets
    assert 21 not in packets


def test_a_client_under_watch_starts_small_and_grows_by_what_survives() -> None:
    packets = WithheldPackets(random.Random(1))
    assert packets.window_limit_packets is None
    packets.watch(next_number=100)
    limits: list[int] = []
    number = 100
    while packets.window_limit_packets is not None:
        limits.append(packets.window_limit_packets)
        due = packets.due_among(range(number, 10**6))
        assert due is not None
        assert 0 < due - number <= withheld.WATCHED_PERIOD_PACKETS
        packets.add(due)
        packets.on_lost()
        number = due
    assert limits == [10, 20, 40, 80]


@pytest.mark.parametrize("hides_losses", [False, True])
def test_under_watch_an_honest_client_gets_all_and_a_liar_next_to_nothing(hides_losses: bool) -> None:
    conversation = Conversation(Listening, rng=random.Random(3))
    conversation.server.watch_acks(now_s=0.0)
    conversation.client.hides_losses = hides_losses
    conversation.run(5 * SEGMENT_BYTES)
    assert conversation.has_forged is hides_losses
    if hides_losses:
        assert conversation.sent_bytes < 64 * 1200 + 10 * 1200
