"""A sender in virtual time: a scheme, the ledger, the pacer and loss detection, as our QUIC server joins them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cc.core.base import EcnCounts, SenderScheme
from cc.core.decision import Learned
from cc.core.ledger import PacketLedger
from cc.core.pacer import Pacer, Timer
from cc.core.receiver_base import Feedback
from cc.core.rtt import RttEstimator
from cc.core.stamper import Stamper
from cc.simulation.checked_scheme import CheckedScheme
from cc.simulation.copies import Copies
from cc.simulation.flight import Flight
from cc.simulation.recovery import QuicRecovery, Recovery
from cc.simulation.sources import Source

NEVER_S = math.inf
FLOW_CONTROL_BYTES = 64 * 2**20
"""A receiver's flow control: no window, however wild, puts more in flight."""


class SimulatedSender:
    """Sends what its source hands over as fast as its scheme allows."""

    def __init__(
        self,
        scheme: SenderScheme,
        *,
        name: str,
        source: Source,
        timer_quantum_s: float,
        has_stamps: bool,
        recovery: type[Recovery] = QuicRecovery,
    ) -> None:
        """`has_stamps`: whether a receiver reads them. Raises SchemeError, as all that follows does."""
        self.scheme = CheckedScheme(scheme, name=name)
        self.ledger = PacketLedger(scheme.max_datagram_bytes)
        self.rtt = RttEstimator()
        self.rtt_samples = 0
        self.rtt_sum_s = 0.0
        self.rtt_smallest_s = NEVER_S
        self.packets_lost = 0
        self.spurious_losses = 0
        self.persistent_congestions = 0
        self.probes_sent = 0
        self.copied_bytes = 0
        """Acknowledged of probes that repeated what had arrived."""
        self.wake_s = NEVER_S
        """When it must be woken even if nothing arrives."""
        self._copies = Copies()
        self._source = source
        self._backlog_bytes: int | None = None if source.is_endless else 0
        self._timer = Timer(timer_quantum_s)
        self._runs_dry = False
        self._packet_bytes = scheme.max_datagram_bytes
        self._pacer = Pacer(scheme.max_datagram_bytes)
        self._stamper = Stamper()
        self._has_stamps = has_stamps or self.scheme.needs_stamps
        self._looks_at_each_train = self._has_stamps or self.scheme.may_change_on_send
        self.next_number = 0
        """Number of the next packet."""
        self._largest_acked = -1
        self._largest_lost = -1
        self._lowest_open = 0
        """All packets below are acknowledged or lost."""
        self._lost_numbers: set[int] = set()
        self._first_rtt_sample_s: float | None = None
        self.recovery = recovery(self.ledger, self.rtt, self._timer)
        self._pacer_wake_s = NEVER_S
        self._loss_check_s = NEVER_S

    @property
    def cwnd_bytes(self) -> int:
        """The scheme's window."""
        return self.scheme.cwnd_bytes

    @property
    def rate_bytes_per_s(self) -> float | None:
        """The rate that it paces at; None while it does not."""
        return self._pacer.rate_bytes_per_s

    def on_wake(self, flight: Flight, *, now_s: float, until_s: float) -> None:
        """The time that `wake_s` named has come, or something arrived: what leaves now goes to the flight.

        And what leaves at the pacer's wakings before `until_s`; nothing may arrive until then.
        """
        if self._loss_check_s <= now_s:
            self._detect_losses(now_s)
            self._tell_if_all_delivered(now_s)  # of what is lost a copy may have arrived
        if self._source.due_s <= now_s:
            self._hand_over(now_s)
        recovery = self.recovery
        if recovery.times_out(now_s):
            self._lose([packet.packet_number for packet in self.ledger.in_flight()], now_s, is_persistent=True)
        until_s = min(until_s, self._loss_check_s, self._source.due_s, recovery.settled_until_s(now_s))
        while True:
            begin = len(flight.sent_s)
            self._send_permitted(flight, now_s, now_s if self._looks_at_each_train else until_s)
            if recovery.takes_probe(now_s, has_room=self._has_room()):
                self._probe(flight, now_s)
            if flight.marks_steps:
                flight.end_step(begin, now_s)
            if self._runs_dry:
                self.ledger.mark_app_limited()
            now_s = self._pacer_wake_s
            recovery_due_s = recovery.due_s
            if now_s >= until_s or now_s >= recovery_due_s:
                break
        self.wake_s = min(now_s, self._loss_check_s, self._source.due_s, recovery_due_s)

    def on_ack(
        self, packet_numbers: Sequence[int], *, ack_delay_s: float, now_s: float, ecn: EcnCounts | None = None
    ) -> None:
        """An ACK frame arrived; numbers in the order of arrival, which is that of sending."""
        if packet_numbers[0] <= self._largest_lost:
            self.spurious_losses += sum(number in self._lost_numbers for number in packet_numbers)
        largest = packet_numbers[-1]
        self._largest_acked = max(self._largest_acked, largest)
        newest = self.ledger.find(largest)
        if newest is not None:
            self._sample_rtt(now_s - newest.sent_time_s, self.recovery.ack_delay_s(ack_delay_s), now_s)
        event = self.ledger.on_packets_acked(
            packet_numbers,
            now_s=now_s,
            rtt=self.rtt.state,
            has_rtt_sample=newest is not None,
            cwnd_bytes=self.scheme.cwnd_bytes,
            ecn=ecn,
        )
        if event is not None:
            self.recovery.on_ack(now_s)
            self.scheme.on_ack(event)
            self.copied_bytes += sum(
                packet.size_bytes for packet in event.acked if self._copies.brings_nothing_new(packet.packet_number)
            )
            count = len(event.acked)
            if event.acked[0].packet_number == self._lowest_open and largest == self._lowest_open + count - 1:
                self._lowest_open += count
        self._detect_losses(now_s)
        self.recovery.on_ack_read(now_s, has_room=self._has_room())
        self._tell_if_all_delivered(now_s)

    def on_feedback(self, feedback: Feedback, *, now_s: float) -> None:
        """A feedback datagram arrived; a sender-side scheme has no use for it."""
        self.scheme.on_feedback(self._stamper, feedback, now_s=now_s)

    def on_source(self, *, now_s: float) -> None:
        """The source has more, or has it earlier, than it said."""
        self.wake_s = max(now_s, min(self.wake_s, self._source.due_s))

    @property
    def backlog_bytes(self) -> int:
        """What was handed over and is still to be sent; 0 of an endless source."""
        return 0 if self._backlog_bytes is None else self._backlog_bytes

    def withdraw(self, size_bytes: int) -> None:
        """Take so much off the backlog, which need not be sent any more."""
        if self._backlog_bytes is not None:
            self._backlog_bytes = max(0, self._backlog_bytes - size_bytes)

    def on_decision(self, learned: Learned, sequence: int, action: float | None, *, now_s: float) -> None:
        """A policy answered: go on from the window and the rate as they are now."""
        self.scheme.on_decision(learned, sequence, action)
        self.wake_s = min(self.wake_s, now_s)

    def _sample_rtt(self, rtt_s: float, ack_delay_s: float, now_s: float) -> None:
        self.rtt.on_sample(rtt_s, ack_delay_s=ack_delay_s)
        self.rtt_samples += 1
        self.rtt_sum_s += rtt_s
        self.rtt_smallest_s = min(self.rtt_smallest_s, rtt_s)
        if self._first_rtt_sample_s is None:
            self._first_rtt_sample_s = now_s

    def _detect_losses(self, now_s: float) -> None:
        self._loss_check_s = NEVER_S
        if self._is_settled():
            return
        rtt = self.rtt.state
        if rtt is None or self._first_rtt_sample_s is None:
            return
        verdict = self.recovery.detect_losses(
            self.ledger.in_flight(), largest_acked=self._largest_acked, now_s=now_s, rtt=rtt
        )
        if verdict.next_check_s is not None:
            self._loss_check_s = verdict.next_check_s
        if not verdict.lost:
            return
        is_persistent = self.recovery.is_persistent(verdict.lost, rtt=rtt, first_rtt_sample_s=self._first_rtt_sample_s)
        self._lose([packet.packet_number for packet in verdict.lost], now_s, is_persistent=is_persistent)

    def _lose(self, numbers: list[int], now_s: float, *, is_persistent: bool) -> None:
        event = self.ledger.on_packets_lost(numbers, now_s=now_s, is_persistent_congestion=is_persistent)
        if event is not None:
            self._largest_lost = max(self._largest_lost, numbers[-1])
            self._lost_numbers.update(numbers)
            self.packets_lost += len(numbers)
            self.persistent_congestions += is_persistent
            if self._backlog_bytes is not None:
                self._backlog_bytes += sum(
                    packet.size_bytes for packet in event.lost if self._copies.must_be_resent(packet.packet_number)
                )
            self.scheme.on_loss(event)

    def _tell_if_all_delivered(self, now_s: float) -> None:
        if self._backlog_bytes == 0 and self.ledger.bytes_in_flight == 0:
            self._source.on_all_delivered(now_s)

    def _is_settled(self) -> bool:
        """Whether no packet up to the largest acknowledged is still in flight."""
        number = self._lowest_open
        find = self.ledger.find
        while number <= self._largest_acked and find(number) is None:
            number += 1
        self._lowest_open = number
        return number > self._largest_acked

    def _send_permitted(self, flight: Flight, now_s: float, until_s: float) -> None:
        """Send what window, pacer and backlog allow to leave now or before `until_s`."""
        size_bytes = self._packet_bytes
        room_bytes = min(self.scheme.cwnd_bytes, FLOW_CONTROL_BYTES) - self.ledger.bytes_in_flight
        backlog_bytes = self._backlog_bytes
        if backlog_bytes is None:
            wanted = room_bytes // size_bytes
            times_s = self._pace(wanted, now_s, until_s)
            if times_s:
                self._send([size_bytes] * len(times_s), times_s, flight)
            return
        sizes_bytes = _packets_of(backlog_bytes, size_bytes, room_bytes)
        times_s = self._pace(len(sizes_bytes), now_s, until_s)
        self._runs_dry = len(times_s) == len(sizes_bytes) and backlog_bytes == sum(sizes_bytes) < room_bytes
        if times_s:
            self._send(sizes_bytes[: len(times_s)], times_s, flight)

    def _pace(self, wanted: int, now_s: float, until_s: float) -> list[float]:
        """When the packets leave that the pacer lets go before `until_s`; for the next it sets its timer."""
        if wanted <= 0:
            self._pacer_wake_s = NEVER_S
            return []
        pacer = self._pacer
        rate = self.scheme.rate_bytes_per_s
        if rate is not None and rate != pacer.rate_bytes_per_s:
            pacer.set_rate(rate, now_s)
        times_s, self._pacer_wake_s = pacer.schedule(wanted, now_s=now_s, until_s=until_s, timer=self._timer)
        return times_s

    def _probe(self, flight: Flight, now_s: float) -> None:
        """Send a packet in spite of the window (RFC 9002 section 6.2.4): new data, or a copy where there is none."""
        self.probes_sent += 1
        size_bytes = self._packet_bytes
        if self._backlog_bytes is not None:
            size_bytes = min(size_bytes, self._backlog_bytes)
            oldest = next(iter(self.ledger.in_flight()))
            if size_bytes == 0:
                size_bytes = oldest.size_bytes
                self._copies.note(oldest.packet_number, self.next_number)
        self._pacer.on_sent(size_bytes, now_s)
        self._send([size_bytes], [now_s], flight)

    def _has_room(self) -> bool:
        return self.ledger.bytes_in_flight + self._packet_bytes <= self.scheme.cwnd_bytes

    def _send(self, sizes_bytes: list[int], times_s: list[float], flight: Flight) -> None:
        number = self.next_number
        ledger = self.ledger
        if self._has_stamps and self._stamper.is_due(now_s=times_s[0], ledger=ledger):
            stamp = self.scheme.make_stamp(self._stamper, ledger=ledger, rtt=self.rtt.state, now_s=times_s[0])
            flight.stamps.append((number, stamp))
        self.next_number = number + len(sizes_bytes)
        if self._backlog_bytes is not None:
            self._backlog_bytes = max(0, self._backlog_bytes - sum(sizes_bytes))
        self._timer.last_sent_s = times_s[-1]
        packets = ledger.on_packets_sent(first_number=number, sizes_bytes=sizes_bytes, times_s=times_s)
        self.scheme.on_packets_sent(packets)
        self.recovery.on_sent(times_s[-1])
        flight.sizes_bytes += sizes_bytes
        flight.sent_s += times_s

    def _hand_over(self, now_s: float) -> None:
        assert self._backlog_bytes is not None
        self._backlog_bytes += self._source.take_due(now_s)


def _packets_of(backlog_bytes: int, packet_bytes: int, room_bytes: int) -> list[int]:
    """Cut into packets what there is to send, as far as there is room; the last may be smaller."""
    full = min(backlog_bytes, room_bytes) // packet_bytes
    sizes_bytes = [packet_bytes] * full
    rest_bytes = backlog_bytes - full * packet_bytes
    if 0 < rest_bytes < packet_bytes and rest_bytes <= room_bytes - full * packet_bytes:
        sizes_bytes.append(rest_bytes)
    return sizes_bytes
