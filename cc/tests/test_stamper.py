"""Which flights carry a stamp."""

from __future__ import annotations

import random

import pytest

from cc.core.ledger import PacketLedger
from cc.core.stamper import MAX_INTERVAL_S, MIN_INTERVAL_S, MIN_PACKETS, Stamper
from cc.sender.newreno import NewReno

PACKET_BYTES = 1200


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
    send(ledger, MIN_PACKETS - 1)
    assert not stamper.is_due(now_s=0.9 * MAX_INTERVAL_S, ledger=ledger)
    assert stamper.is_due(now_s=MAX_INTERVAL_S, ledger=ledger)


def test_after_an_idle_time_the_first_flight_is_stamped(ledger: PacketLedger) -> None:
    stamper = stamped(ledger)
    ledger.on_packets_discarded([0])
    assert stamper.is_due(now_s=0.0001, ledger=ledger)


def test_stamps_say_what_was_sent_before_them(ledger: PacketLedger) -> None:
    stamper = stamped(ledger)
    send(ledger, 9)
    scheme = NewReno(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    stamp = stamper.make(now_s=0.5, ledger=ledger, scheme=scheme, rtt=None)
    assert (stamp.sequence, stamp.packets_sent, stamp.bytes_sent) == (1, 10, 10 * PACKET_BYTES)
    assert (stamp.cwnd_bytes, stamp.send_time_s, stamp.smoothed_rtt_s) == (scheme.cwnd_bytes, 0.5, None)
