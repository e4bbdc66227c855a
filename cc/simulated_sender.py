"""A sender in virtual time: a scheme, the ledger, the pacer and loss detection, as a QUIC server joins them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cc.base import SenderScheme
from cc.ledger import PacketLedger
from cc.loss_detection import detect_losses, is_persistent_congestion, probe_timeout_s
from cc.pacer import Pacer, window_rate_bytes_per_s
from cc.receiver_base import Feedback, Stamp
from cc.rtt import MAX_ACK_DELAY_S, RttEstimator
from cc.stamper import Stamper

TIMER_GRANULARITY_S = 0.001  # event loops round their timers up to a millisecond


@dataclass(frozen=True, slots=True)
class OutgoingPacket:
    """A packet that leaves; `stamp` leads its flight, None in the flight's other packets."""

    packet_number: int
    size_bytes: int
    stamp: Stamp | None


class SimulatedSender:
    """Sends a backlog as fast as its scheme allows."""

    def __init__(self, scheme: SenderScheme, *, backlog_bytes: int | None) -> None:
        """`backlog_bytes`: what there is to send; None is without end."""
        self.scheme = scheme
        self.ledger = PacketLedger(scheme.max_datagram_bytes)
        self.rtt = RttEstimator()
        self.packets_lost = 0
        self.spurious_losses = 0
        self.persistent_congestions = 0
        self.probes_sent = 0
        self._backlog_bytes = backlog_bytes
        self._pacer = Pacer(scheme.max_datagram_bytes)
        self._next_packet_number = 0
        self._stamper = Stamper()
        self._largest_acked = -1
        self._first_rtt_sample_s: float | None = None
        self._last_sent_s = 0.0
        self._probe_count = 0
        self._lost_numbers: set[int] = set()
        self._pacer_wake_s: float | None = None
        self._loss_check_s: float | None = None

    def add_backlog(self, size_bytes: int) -> None:
        """The application has more to send."""
        if self._backlog_bytes is not None:
            self._backlog_bytes += size_bytes

    def wake_s(self) -> float | None:
        """When the sender must be woken even if nothing arrives."""
        times = [time for time in (self._pacer_wake_s, self._loss_check_s) if time is not None]
        if self.ledger.packets_in_flight > 0:
            times.append(self._probe_s())
        return min(times, default=None)

    def on_wake(self, *, now_s: float) -> list[OutgoingPacket]:
        """The time that `wake_s` named has come, or something arrived."""
        if self._loss_check_s is not None and self._loss_check_s <= now_s:
            self._detect_losses(now_s)
        self._update_rate(now_s)
        packets = self._send_flight(now_s)
        if not packets and self.ledger.packets_in_flight > 0 and self._probe_s() <= now_s:
            self._probe_count += 1
            self.probes_sent += 1
            packets = [self._send_packet(self.scheme.max_datagram_bytes, None, now_s)]
        return packets

    def on_ack(self, packet_numbers: Sequence[int], *, ack_delay_s: float, now_s: float) -> None:
        """An ACK frame arrived; numbers in the order of arrival."""
        self.spurious_losses += sum(number in self._lost_numbers for number in packet_numbers)
        largest = max(packet_numbers)
        has_rtt_sample = largest > self._largest_acked and largest not in self._lost_numbers
        self._largest_acked = max(self._largest_acked, largest)
        if has_rtt_sample:
            self._sample_rtt(largest, ack_delay_s, now_s)
        event = self.ledger.on_packets_acked(
            packet_numbers,
            now_s=now_s,
            rtt=self.rtt.state,
            has_rtt_sample=has_rtt_sample,
            cwnd_bytes=self.scheme.cwnd_bytes,
        )
        if event is not None:
            self._probe_count = 0
            self.scheme.on_ack(event)
        self._detect_losses(now_s)

    def on_feedback(self, feedback: Feedback, *, now_s: float) -> None:
        """A feedback datagram arrived; a sender-side scheme has no use for it."""
        self.scheme.on_feedback(feedback, now_s=now_s)

    def _sample_rtt(self, packet_number: int, ack_delay_s: float, now_s: float) -> None:
        packet = self.ledger.find(packet_number)
        if packet is None:
            return
        self.rtt.on_sample(now_s - packet.sent_time_s, ack_delay_s=ack_delay_s)
        if self._first_rtt_sample_s is None:
            self._first_rtt_sample_s = now_s

    def _detect_losses(self, now_s: float) -> None:
        self._loss_check_s = None
        rtt = self.rtt.state
        if rtt is None or self._first_rtt_sample_s is None:
            return
        verdict = detect_losses(self.ledger.in_flight(), largest_acked=self._largest_acked, now_s=now_s, rtt=rtt)
        self._loss_check_s = verdict.next_check_s
        if not verdict.lost:
            return
        is_persistent = is_persistent_congestion(
            verdict.lost,
            rtt=rtt,
            max_ack_delay_s=MAX_ACK_DELAY_S,
            first_rtt_sample_s=self._first_rtt_sample_s,
        )
        numbers = [packet.packet_number for packet in verdict.lost]
        event = self.ledger.on_packets_lost(numbers, now_s=now_s, is_persistent_congestion=is_persistent)
        if event is not None:
            self._lost_numbers.update(numbers)
            self.packets_lost += len(numbers)
            self.persistent_congestions += is_persistent
            self.add_backlog(event.lost_bytes)
            self.scheme.on_loss(event)

    def _update_rate(self, now_s: float) -> None:
        rate = self.scheme.pacing_rate_bytes_per_s
        if rate is None:
            if self.rtt.state is None:
                return
            rate = window_rate_bytes_per_s(
                cwnd_bytes=self.scheme.cwnd_bytes,
                rtt=self.rtt.state,
                phase=self.scheme.phase,
            )
        self._pacer.set_rate(rate, now_s)

    def _send_flight(self, now_s: float) -> list[OutgoingPacket]:
        """Send what window, pacer and backlog allow."""
        packets: list[OutgoingPacket] = []
        self._pacer_wake_s = None
        while True:
            size_bytes = self.scheme.max_datagram_bytes
            if self._backlog_bytes is not None:
                size_bytes = min(size_bytes, self._backlog_bytes)
            has_room = self.ledger.bytes_in_flight + max(size_bytes, 1) <= self.scheme.cwnd_bytes
            if not has_room:
                return packets
            if size_bytes == 0:
                self.ledger.mark_app_limited()
                return packets
            next_s = self._pacer.next_send_time_s(now_s)
            if next_s is not None:
                ticks = math.ceil((next_s - now_s) / TIMER_GRANULARITY_S)
                self._pacer_wake_s = now_s + max(1, ticks) * TIMER_GRANULARITY_S
                return packets
            stamp = None
            if not packets and self._stamper.is_due(now_s=now_s, ledger=self.ledger):
                stamp = self._stamper.make(now_s=now_s, ledger=self.ledger, scheme=self.scheme, rtt=self.rtt.state)
            packets.append(self._send_packet(size_bytes, stamp, now_s))

    def _probe_s(self) -> float:
        """When a probe is due unless an ACK comes first (RFC 9002 section 6.2.1)."""
        pto_s = probe_timeout_s(self.rtt.state, max_ack_delay_s=MAX_ACK_DELAY_S)
        return self._last_sent_s + pto_s * 2.0**self._probe_count

    def _send_packet(self, size_bytes: int, stamp: Stamp | None, now_s: float) -> OutgoingPacket:
        number = self._next_packet_number
        self._next_packet_number += 1
        if self._backlog_bytes is not None:
            self._backlog_bytes = max(0, self._backlog_bytes - size_bytes)
        self._last_sent_s = now_s
        self._pacer.on_sent(size_bytes, now_s)
        packet = self.ledger.on_packet_sent(packet_number=number, size_bytes=size_bytes, now_s=now_s)
        self.scheme.on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=self.ledger.bytes_in_flight)
        return OutgoingPacket(number, size_bytes, stamp)
