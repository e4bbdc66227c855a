"""Which flights carry a stamp."""

from __future__ import annotations

import random

import pytest

from cc.core.base import SenderScheme
from cc.core.ledger import PacketLedger
from cc.core.receiver_base import Feedback
from cc.core.stamper import EPOCH_MODULUS, MAX_INTERVAL_S, MIN_INTERVAL_S, Stamper
from cc.core.wrapping_count import COUNT_MODULUS
from cc.sender.newreno import NewReno

PACKET_BYTES = 1200


class Hearing(NewReno):
    """Notes whether what it is asked for knew of its latest reset."""

    def __init__(self, window_resets: int = 0) -> None:
        super().__init__(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
        self.window_resets = window_resets
        self.heard: list[bool] = []
        self.stamped_after_idle: list[bool] = []

    def on_stamp_sent(self, *, now_s: float, is_first_after_idle: bool) -> None:
        self.stamped_after_idle.append(is_first_after_idle)

    def on_feedback(self, feedback: Feedback, *, is_current: bool, now_s: float) -> None:
        self.heard.append(is_current)


def feedback(epoch: int) -> Feedback:
    """An answer to a stamp of this epoch."""
    return Feedback(
        sequence=0,
        epoch=epoch,
        last_stamp_sequence=0,
        window_bytes=12_000,
        end_slow_start=False,
        bandwidth_bits_per_s=0,
        queueing_delay_s=0.0,
        k=None,
        target_delay_s=None,
    )


def epoch_of(stamper: Stamper, scheme: SenderScheme) -> int:
    """What the next stamp says."""
    return stamper.make(now_s=0.0, ledger=PacketLedger(PACKET_BYTES), scheme=scheme, rtt=None).epoch


@pytest.fixture
def ledger() -> PacketLedger:
    """One packet in flight."""
    ledger = PacketLedger(PACKET_BYTES)
    ledger.on_packet_sent(packet_number=0, size_bytes=PACKET_BYTES, now_s=0.0)
    return ledger


def stamped(ledger: PacketLedger) -> Stamper:
    """A stamper that has just stamped a flight at time 0."""
    stamper = Stamper()
    stamper.make(
        now_s=0.0, ledger=ledger, scheme=NewReno(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), rtt=None
    )
    return stamper


def send(ledger: PacketLedger, packets: int) -> None:
    """More packets."""
    first = ledger.packets_sent_total
    for number in range(first, first + packets):
        ledger.on_packet_sent(packet_number=number, size_bytes=PACKET_BYTES, now_s=0.0)


def test_the_first_flight_is_stamped(ledger: PacketLedger) -> None:
    assert Stamper().is_due(now_s=0.0, ledger=ledger)


def test_soon_after_a_stamp_no_flight_is(ledger: PacketLedger) -> None:
    stamper = stamped(ledger)
    send(ledger, 100)
    assert not stamper.is_due(now_s=0.9 * MIN_INTERVAL_S, ledger=ledger)
    assert stamper.is_due(now_s=MIN_INTERVAL_S, ledger=ledger)


def test_on_a_slow_link_stamps_wait_for_packets_but_not_for_long(ledger: PacketLedger) -> None:
    stamper = stamped(ledger)
    send(ledger, 3)
    assert not stamper.is_due(now_s=0.9 * MAX_INTERVAL_S, ledger=ledger)
    assert stamper.is_due(now_s=MAX_INTERVAL_S, ledger=ledger)
    send(ledger, 1)
    assert stamper.is_due(now_s=0.9 * MAX_INTERVAL_S, ledger=ledger)


def test_after_an_idle_time_the_first_flight_is_stamped(ledger: PacketLedger) -> None:
    stamper = stamped(ledger)
    ledger.on_packets_discarded([0])
    assert stamper.is_due(now_s=0.0001, ledger=ledger)


def test_a_scheme_hears_of_each_stamp_and_whether_it_ends_an_idle_time(ledger: PacketLedger) -> None:
    stamper, scheme = Stamper(), Hearing()
    stamper.make(now_s=0.0, ledger=ledger, scheme=scheme, rtt=None)
    ledger.on_packets_discarded([0])
    stamper.make(now_s=1.0, ledger=ledger, scheme=scheme, rtt=None)
    assert scheme.stamped_after_idle == [False, True]


def test_sequences_begin_again_at_0(ledger: PacketLedger) -> None:
    stamper, scheme = Stamper(), Hearing()
    stamper._sequence = COUNT_MODULUS - 1
    stamps = [stamper.make(now_s=now_s, ledger=ledger, scheme=scheme, rtt=None) for now_s in (0.0, 1.0)]
    assert [stamp.sequence for stamp in stamps] == [COUNT_MODULUS - 1, 0]


def test_stamps_say_what_was_sent_before_them(ledger: PacketLedger) -> None:
    stamper = stamped(ledger)
    send(ledger, 9)
    scheme = NewReno(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    stamp = stamper.make(now_s=0.5, ledger=ledger, scheme=scheme, rtt=None)
    assert (stamp.sequence, stamp.packets_sent, stamp.bytes_sent) == (1, 10, 10 * PACKET_BYTES)
    assert (stamp.cwnd_bytes, stamp.send_time_s, stamp.smoothed_rtt_s) == (scheme.cwnd_bytes, 0.5, None)


def test_an_epoch_begins_with_each_reset_and_with_each_path() -> None:
    stamper, scheme = Stamper(), Hearing()
    epochs = [epoch_of(stamper, scheme)]
    scheme.window_resets += 1
    epochs.append(epoch_of(stamper, scheme))
    stamper.begin_path(scheme)
    scheme = Hearing()
    epochs.append(epoch_of(stamper, scheme))
    scheme.window_resets += 1
    epochs.append(epoch_of(stamper, scheme))
    assert epochs == [0, 1, 2, 3]


def test_a_scheme_hears_what_answers_its_own_paths_stamps() -> None:
    stamper = Stamper()
    stamper.begin_path(Hearing(window_resets=4))
    scheme = Hearing(window_resets=2)  # epochs 5, 6 and 7
    for epoch in (3, 4, 5, 6, 7, 8):
        stamper.hand_over(feedback(epoch), scheme=scheme, now_s=1.0)
    assert scheme.heard == [False, False, True]


@pytest.mark.parametrize("resets_before", [EPOCH_MODULUS - 2, 3 * EPOCH_MODULUS - 2])
def test_epochs_begin_again_at_0(resets_before: int) -> None:
    stamper = Stamper()
    stamper.begin_path(Hearing(resets_before))
    scheme = Hearing()
    assert epoch_of(stamper, scheme) == EPOCH_MODULUS - 1
    scheme.window_resets += 1
    assert epoch_of(stamper, scheme) == 0
    for epoch in (EPOCH_MODULUS - 2, EPOCH_MODULUS - 1, 0):
        stamper.hand_over(feedback(epoch), scheme=scheme, now_s=1.0)
    assert scheme.heard == [False, True]
