"""The one place that keeps a connection's packets in flight, and tells the scheme what became of them.

Delivery-rate samples follow draft-cheng-iccrg-delivery-rate-estimation-02, section 3. One deviation: of the
packets of one ACK, the sample is the most recently sent packet's (Linux does the same since 2022); the draft
takes the first of those that share `delivered`, whose send interval may be too short.

This runs for every packet of a server, so it keeps one dictionary and plain attributes. The public ones are
to be read, never written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from cc.core.base import AckEvent, DeliveryRate, EcnCounts, LossEvent, RttState, SentPacket

WINDOW_IN_USE_SLACK_PACKETS = 3  # a window short of this little is in use; packets are not of one size


class PacketLedger:
    """Packets and bytes in flight of one connection; delivered bytes and application-limited mark of its path."""

    __slots__ = (
        "_app_limited_until_bytes",
        "_delivered_time_s",
        "_first_sent_time_s",
        "_in_flight",
        "_max_datagram_bytes",
        "_of_old_paths",
        "bytes_in_flight",
        "bytes_sent_total",
        "delivered_bytes",
        "lost_bytes_total",
        "packets_sent_total",
    )

    def __init__(self, max_datagram_bytes: int) -> None:
        self._max_datagram_bytes = max_datagram_bytes
        self._in_flight: dict[int, SentPacket] = {}
        self._of_old_paths: dict[int, int] = {}
        """Sizes in bytes, by packet number."""
        self._app_limited_until_bytes: int | None = None
        self._delivered_time_s = 0.0
        self._first_sent_time_s = 0.0
        self.bytes_in_flight = 0
        self.bytes_sent_total = 0
        self.delivered_bytes = 0
        self.lost_bytes_total = 0
        self.packets_sent_total = 0

    @property
    def packets_in_flight(self) -> int:
        """How many packets are in flight."""
        return len(self._in_flight) + len(self._of_old_paths)

    @property
    def is_app_limited(self) -> bool:
        """Whether the application-limited mark stands: a packet sent now would carry it."""
        return self._app_limited_until_bytes is not None

    def find(self, packet_number: int) -> SentPacket | None:
        """The path's packet in flight with this number; None if there is none."""
        return self._in_flight.get(packet_number)

    def is_of_old_path(self, packet_number: int) -> bool:
        """Whether a packet with this number is in flight that was sent before the path was taken."""
        return packet_number in self._of_old_paths

    def in_flight(self) -> Iterable[SentPacket]:
        """The path's packets in flight, in the order of sending; do not change the ledger while reading them."""
        return self._in_flight.values()

    def begin_path(self) -> None:
        """What was sent until now says nothing of the path that is taken from now on (RFC 9000 section 9.4).

        It stays in flight until it is acknowledged or lost, of which no event tells: a peer that goes back and forth
        between two addresses must not draw a window each time.
        """
        for packet in self._in_flight.values():
            self._of_old_paths[packet.packet_number] = packet.size_bytes
        self._in_flight.clear()
        self._app_limited_until_bytes = None
        self.delivered_bytes = self.lost_bytes_total = 0

    def on_packet_sent(self, *, packet_number: int, size_bytes: int, now_s: float) -> SentPacket:
        """Book a packet that counts towards bytes in flight; numbers never repeat (RFC 9000 section 12.3)."""
        if not self._in_flight:  # the pipe was empty: a sampling interval starts here (draft section 3.2)
            self._first_sent_time_s = self._delivered_time_s = now_s
        self.bytes_in_flight += size_bytes
        packet = SentPacket(
            packet_number,
            size_bytes,
            now_s,
            self.delivered_bytes,
            self._delivered_time_s,
            self._first_sent_time_s,
            self._app_limited_until_bytes is not None,
            self.bytes_in_flight,
            self.lost_bytes_total,
        )
        self._in_flight[packet_number] = packet
        self.bytes_sent_total += size_bytes
        self.packets_sent_total += 1
        return packet

    def on_packets_sent(
        self, *, first_number: int, sizes_bytes: Sequence[int], times_s: Sequence[float]
    ) -> list[SentPacket]:
        """`on_packet_sent` for consecutive numbers, at these times, while nothing arrives."""
        in_flight = self._in_flight
        if not in_flight:
            self._first_sent_time_s = self._delivered_time_s = times_s[0]
        bytes_in_flight = self.bytes_in_flight
        delivered_bytes = self.delivered_bytes
        delivered_time_s = self._delivered_time_s
        first_sent_time_s = self._first_sent_time_s
        is_app_limited = self._app_limited_until_bytes is not None
        lost_bytes = self.lost_bytes_total
        packets = []
        number = first_number
        for size_bytes, now_s in zip(sizes_bytes, times_s, strict=True):
            bytes_in_flight += size_bytes
            packet = in_flight[number] = SentPacket(
                number,
                size_bytes,
                now_s,
                delivered_bytes,
                delivered_time_s,
                first_sent_time_s,
                is_app_limited,
                bytes_in_flight,
                lost_bytes,
            )
            packets.append(packet)
            number += 1
        self.bytes_sent_total += bytes_in_flight - self.bytes_in_flight
        self.bytes_in_flight = bytes_in_flight
        self.packets_sent_total += len(packets)
        return packets

    def on_packets_acked(
        self,
        packet_numbers: Collection[int],
        *,
        now_s: float,
        rtt: RttState | None,
        has_rtt_sample: bool,
        cwnd_bytes: int,
        ecn: EcnCounts | None = None,
    ) -> AckEvent | None:
        """Book one ACK frame; None if none of its packets was in flight on the path.

        `rtt` is already updated by this ACK. `cwnd_bytes` is the window before it. `ecn` counts its new packets' marks.
        """
        self._release(packet_numbers)
        prior_bytes_in_flight = self.bytes_in_flight
        acked = self._take(packet_numbers)
        if not acked:
            return None
        acked_bytes = prior_bytes_in_flight - self.bytes_in_flight
        self.delivered_bytes += acked_bytes
        self._delivered_time_s = now_s
        if self._app_limited_until_bytes is not None and self.delivered_bytes > self._app_limited_until_bytes:
            self._app_limited_until_bytes = None
        newest = acked[-1]
        self._first_sent_time_s = newest.sent_time_s
        slack_bytes = WINDOW_IN_USE_SLACK_PACKETS * self._max_datagram_bytes
        return AckEvent(
            now_s=now_s,
            acked=acked,
            acked_bytes=acked_bytes,
            rtt=rtt,
            has_rtt_sample=has_rtt_sample,
            delivery_rate=self._delivery_rate(newest, now_s, rtt),
            delivered_bytes=self.delivered_bytes,
            total_lost_bytes=self.lost_bytes_total,
            prior_bytes_in_flight=prior_bytes_in_flight,
            bytes_in_flight=self.bytes_in_flight,
            is_app_limited=newest.is_app_limited and prior_bytes_in_flight + slack_bytes < cwnd_bytes,
            ecn=ecn,
        )

    def on_packets_lost(
        self, packet_numbers: Collection[int], *, now_s: float, is_persistent_congestion: bool
    ) -> LossEvent | None:
        """Book packets declared lost together; None if none of them was in flight on the path."""
        self._release(packet_numbers)
        prior_bytes_in_flight = self.bytes_in_flight
        lost = self._take(packet_numbers)
        if not lost:
            return None
        lost_bytes = prior_bytes_in_flight - self.bytes_in_flight
        self.lost_bytes_total += lost_bytes
        return LossEvent(
            now_s=now_s,
            lost=lost,
            lost_bytes=lost_bytes,
            total_lost_bytes=self.lost_bytes_total,
            bytes_in_flight=self.bytes_in_flight,
            is_persistent_congestion=is_persistent_congestion,
        )

    def on_packets_discarded(self, packet_numbers: Collection[int]) -> None:
        """Forget packets whose fate says nothing of the path: keys discarded, or resent as a probe."""
        self._release(packet_numbers)
        self._take(packet_numbers)

    def mark_app_limited(self) -> None:
        """The sender ran dry: window and pacer allowed a packet, but there was nothing to send.

        Call it whenever that happens, also where flow control forbids sending. What is sent until all that is
        now in flight is delivered measures the application, not the path (draft section 3.4).

        RFC 9002 section 7.8 forbids the window to grow when it was underused for want of data, but not when
        pacing alone delayed the packets: hence the mark rather than a comparison of bytes in flight with the
        window. An ACK is application-limited if its newest packet was sent under the mark, unless the window
        was full all the same when the ACK came (`WINDOW_IN_USE_SLACK_PACKETS`).
        """
        old_bytes = sum(self._of_old_paths.values())
        self._app_limited_until_bytes = self.delivered_bytes + self.bytes_in_flight - old_bytes

    def _release(self, packet_numbers: Collection[int]) -> None:
        """Take those of these packets out of flight that were sent on an old path."""
        if self._of_old_paths:
            self.bytes_in_flight -= sum(self._of_old_paths.pop(number, 0) for number in packet_numbers)

    def _take(self, packet_numbers: Collection[int]) -> tuple[SentPacket, ...]:
        """Remove the known ones of these packets from flight, in order of packet number."""
        pop = self._in_flight.pop
        taken = [packet for number in sorted(packet_numbers) if (packet := pop(number, None)) is not None]
        self.bytes_in_flight -= sum([packet.size_bytes for packet in taken])
        return tuple(taken)

    def _delivery_rate(self, newest: SentPacket, now_s: float, rtt: RttState | None) -> DeliveryRate | None:
        # The slower of sending and acknowledging, or compressed ACKs would overstate it (section 2.2).
        interval_s = max(newest.sent_time_s - newest.first_sent_time_s, now_s - newest.delivered_time_s)
        # Less than a round trip is no measure of the path (section 3.3).
        if rtt is None or interval_s <= 0 or interval_s < rtt.min_s:
            return None
        delivered_bytes = self.delivered_bytes - newest.delivered_bytes
        return DeliveryRate(delivered_bytes / interval_s, interval_s, delivered_bytes, newest.is_app_limited)
