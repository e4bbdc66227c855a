"""The ledger against books kept by hand."""

from __future__ import annotations

from operator import attrgetter

import pytest

from cc.core.base import AckEvent, SentPacket
from cc.core.ledger import PacketLedger
from cc.tests.flow import MSS, rtt_state

WINDOW_BYTES = 100 * MSS


@pytest.fixture
def ledger() -> PacketLedger:
    return PacketLedger(MSS)


def send(ledger: PacketLedger, *numbers: int, now_s: float) -> None:
    for number in numbers:
        ledger.on_packet_sent(packet_number=number, size_bytes=MSS, now_s=now_s)


def ack(
    ledger: PacketLedger, *numbers: int, now_s: float, min_rtt_s: float = 0.01, cwnd_bytes: int = WINDOW_BYTES
) -> AckEvent:
    event = ledger.on_packets_acked(
        numbers, now_s=now_s, rtt=rtt_state(min_rtt_s), has_rtt_sample=True, cwnd_bytes=cwnd_bytes
    )
    assert event is not None
    return event


def test_counts_bytes_and_packets(ledger: PacketLedger) -> None:
    send(ledger, 0, 1, 2, 3, 4, now_s=1.0)
    assert (ledger.bytes_in_flight, ledger.packets_in_flight) == (5 * MSS, 5)
    event = ack(ledger, 1, 0, now_s=1.1)
    assert [packet.packet_number for packet in event.acked] == [0, 1]
    assert (event.acked_bytes, event.prior_bytes_in_flight, event.bytes_in_flight) == (2 * MSS, 5 * MSS, 3 * MSS)
    lost = ledger.on_packets_lost([3, 2], now_s=1.2, is_persistent_congestion=False)
    assert lost is not None
    assert [packet.packet_number for packet in lost.lost] == [2, 3]
    assert (lost.lost_bytes, lost.bytes_in_flight) == (2 * MSS, MSS)
    ledger.on_packets_discarded([4])
    assert (ledger.bytes_in_flight, ledger.packets_in_flight) == (0, 0)
    assert (ledger.bytes_sent_total, ledger.packets_sent_total, ledger.delivered_bytes) == (5 * MSS, 5, 2 * MSS)


def test_packets_it_does_not_know_are_ignored(ledger: PacketLedger) -> None:
    send(ledger, 0, 1, now_s=1.0)
    event = ack(ledger, 1, 7, now_s=1.1)
    assert event.acked_bytes == MSS
    assert ledger.on_packets_lost([1, 7], now_s=1.2, is_persistent_congestion=False) is None
    ledger.on_packets_discarded([1, 7])
    assert ledger.bytes_in_flight == MSS


def test_delivery_rate(ledger: PacketLedger) -> None:
    send(ledger, 0, 1, now_s=1.00)
    ack(ledger, 0, now_s=1.10)
    send(ledger, 2, now_s=1.10)
    send(ledger, 3, now_s=1.15)
    rate = ack(ledger, 1, 2, 3, now_s=1.20).delivery_rate
    # Draft section 3.3, packet 3: sent 0.15 s after packet 0, which the last ACK had acknowledged; the ACK came 0.10 s
    # after that one. 3000 bytes were delivered since packet 3 was sent; over the longer of the two that is 20000 B/s.
    assert rate is not None
    assert (rate.bytes_per_s, rate.interval_s, rate.delivered_bytes) == pytest.approx((20_000, 0.15, 3000))
    assert not rate.is_app_limited


def test_the_send_interval_begins_at_the_last_acknowledged_packet(ledger: PacketLedger) -> None:
    send(ledger, 0, now_s=1.00)
    send(ledger, 1, 2, now_s=1.05)
    ack(ledger, 0, 1, now_s=1.10)
    send(ledger, 3, now_s=1.12)
    rate = ack(ledger, 2, 3, now_s=1.13).delivery_rate
    # Packet 3 was sent 0.07 s after packet 1; the ACK came 0.03 s after the one before; 2000 bytes in 0.07 s.
    assert rate is not None
    assert (rate.interval_s, rate.delivered_bytes) == pytest.approx((0.07, 2000))


def test_an_idle_time_does_not_lower_the_delivery_rate(ledger: PacketLedger) -> None:
    send(ledger, 0, now_s=1.0)
    ack(ledger, 0, now_s=1.1)
    send(ledger, 1, 2, now_s=100.0)
    rate = ack(ledger, 1, 2, now_s=100.1).delivery_rate
    assert rate is not None
    assert (rate.bytes_per_s, rate.interval_s) == pytest.approx((20_000, 0.1))


def test_an_interval_shorter_than_the_smallest_rtt_gives_no_rate(ledger: PacketLedger) -> None:
    send(ledger, 0, 1, now_s=1.0)
    assert ack(ledger, 0, now_s=1.05, min_rtt_s=0.06).delivery_rate is None
    assert ack(ledger, 1, now_s=1.06, min_rtt_s=0.06).delivery_rate is not None


def test_no_rtt_gives_no_rate(ledger: PacketLedger) -> None:
    send(ledger, 0, now_s=1.0)
    event = ledger.on_packets_acked([0], now_s=1.1, rtt=None, has_rtt_sample=False, cwnd_bytes=WINDOW_BYTES)
    assert event is not None
    assert event.delivery_rate is None


def test_the_mark_lasts_until_what_was_in_flight_is_delivered(ledger: PacketLedger) -> None:
    send(ledger, 0, 1, now_s=1.0)
    ledger.mark_app_limited()
    send(ledger, 2, now_s=1.0)
    assert ledger.is_app_limited
    assert not ack(ledger, 0, now_s=1.1).is_app_limited  # sent before the sender ran dry
    assert ledger.is_app_limited
    event = ack(ledger, 1, 2, now_s=1.2)
    assert event.is_app_limited
    assert event.delivery_rate is not None
    assert event.delivery_rate.is_app_limited
    assert not ledger.is_app_limited
    send(ledger, 3, now_s=1.2)
    assert not ack(ledger, 3, now_s=1.3).is_app_limited


def test_the_mark_needs_one_packet_more_than_was_in_flight(ledger: PacketLedger) -> None:
    send(ledger, 0, now_s=1.0)
    ledger.mark_app_limited()
    ack(ledger, 0, now_s=1.1)
    assert ledger.is_app_limited  # nothing sent after the mark has arrived yet (draft section 3.4)


def test_what_is_sent_first_after_an_idle_time_is_application_limited(ledger: PacketLedger) -> None:
    ledger.mark_app_limited()
    send(ledger, 0, now_s=1.0)
    assert ack(ledger, 0, now_s=1.1).is_app_limited


def test_a_full_window_is_in_use_even_under_the_mark(ledger: PacketLedger) -> None:
    ledger.mark_app_limited()
    send(ledger, *range(10), now_s=1.0)
    assert not ack(ledger, 0, now_s=1.1, cwnd_bytes=12 * MSS).is_app_limited
    assert ack(ledger, 1, now_s=1.1, cwnd_bytes=13 * MSS).is_app_limited


def test_without_the_mark_an_unused_window_is_the_pacers_doing(ledger: PacketLedger) -> None:
    send(ledger, 0, now_s=1.0)
    assert not ack(ledger, 0, now_s=1.1).is_app_limited  # RFC 9002 section 7.8


def test_packets_booked_together_are_booked_one_by_one() -> None:
    together, one_by_one = PacketLedger(MSS), PacketLedger(MSS)
    sizes_bytes, times_s = [MSS, MSS, 1], [1.0, 1.0, 1.002]
    packets = together.on_packets_sent(first_number=5, sizes_bytes=sizes_bytes, times_s=times_s)
    singly = [
        one_by_one.on_packet_sent(packet_number=5 + index, size_bytes=size_bytes, now_s=now_s)
        for index, (size_bytes, now_s) in enumerate(zip(sizes_bytes, times_s, strict=True))
    ]
    fields_of = attrgetter(*SentPacket.__slots__)
    assert list(map(fields_of, packets)) == list(map(fields_of, singly))
    events = [ack(ledger, 5, 6, now_s=1.1) for ledger in (together, one_by_one)]
    counts_of = attrgetter("acked_bytes", "delivered_bytes", "prior_bytes_in_flight", "bytes_in_flight")
    assert counts_of(events[0]) == counts_of(events[1])
    assert (together.bytes_sent_total, together.packets_sent_total) == (2 * MSS + 1, 3)


def test_an_old_paths_packets_stay_in_flight_and_tell_nothing(ledger: PacketLedger) -> None:
    send(ledger, 0, 1, 2, now_s=1.0)
    ledger.begin_path()
    assert (ledger.bytes_in_flight, ledger.packets_in_flight, ledger.find(0)) == (3 * MSS, 3, None)
    assert [ledger.is_of_old_path(number) for number in (0, 3)] == [True, False]
    assert ledger.on_packets_acked([0], now_s=1.1, rtt=None, has_rtt_sample=False, cwnd_bytes=WINDOW_BYTES) is None
    assert ledger.on_packets_lost([1], now_s=1.1, is_persistent_congestion=True) is None
    ledger.on_packets_discarded([2])
    assert (ledger.bytes_in_flight, ledger.packets_in_flight) == (0, 0)
    assert (ledger.delivered_bytes, ledger.lost_bytes_total, ledger.packets_sent_total) == (0, 0, 3)


def test_an_ack_of_both_paths_tells_of_the_new_one_alone(ledger: PacketLedger) -> None:
    send(ledger, 0, 1, now_s=1.0)
    ack(ledger, 0, now_s=1.1)
    ledger.begin_path()
    send(ledger, 2, 3, now_s=2.0)
    event = ack(ledger, 1, 2, now_s=2.1)
    assert [packet.packet_number for packet in event.acked] == [2]
    assert (event.acked_bytes, event.prior_bytes_in_flight, event.bytes_in_flight) == (MSS, 2 * MSS, MSS)
    assert (event.delivered_bytes, event.total_lost_bytes) == (MSS, 0)
    assert event.delivery_rate is not None
    assert event.delivery_rate.bytes_per_s == pytest.approx(MSS / 0.1)  # since the path's first packet left


def test_the_application_limited_mark_is_a_paths_own(ledger: PacketLedger) -> None:
    send(ledger, 0, 1, 2, now_s=1.0)
    ledger.mark_app_limited()
    ledger.begin_path()
    assert not ledger.is_app_limited
    send(ledger, 3, now_s=2.0)
    ledger.mark_app_limited()
    send(ledger, 4, now_s=2.0)
    ack(ledger, 3, 4, now_s=2.1)  # the old path's three packets are not waited for
    assert not ledger.is_app_limited
