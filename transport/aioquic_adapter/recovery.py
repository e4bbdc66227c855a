"""A scheme of cc/ in the place of aioquic's congestion controller and pacer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aioquic.quic.packet_builder import QuicSentPacket
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketRecovery, QuicPacketSpace

from cc.core.base import RttState, SenderScheme
from cc.core.pacer import BURST_PACKETS_MIN, window_rate_bytes_per_s
from transport.aioquic_adapter.acked_runs import RoundTripMark, Unbooked, take_acked
from transport.aioquic_adapter.flight_packet import AnySentPacket
from transport.aioquic_adapter.qlog import ConnectionQlog
from transport.aioquic_adapter.scheme_controller import SchemeController
from transport.aioquic_adapter.scheme_pacer import SchemePacer
from transport.aioquic_adapter.withheld import WithheldPackets

MOST_PACKETS_AWAITED = 4
"""Room for more is not waited for: whole turns of 10 ms made the queue 2 ms longer at 24 Mbit/s."""
GRANULARITY_S = 0.001  # of a round trip, the least that aioquic takes one for
RTT_ESTIMATE = ("_rtt_initialized", "_rtt_latest", "_rtt_min", "_rtt_smoothed", "_rtt_variance")


class SchemeRecovery(QuicPacketRecovery):
    """aioquic's loss detection with a scheme's window and pacing."""

    controller: SchemeController
    _own_pacer: SchemePacer
    _unpaced_since_s: float | None
    """When the scheme last changed, if the pacer does not know yet."""
    told_s: float
    """The newest time that the scheme was told."""
    _known_rtt: RttState | None
    """The estimate as it was last asked for, which is several times an ACK."""
    most_packets: int | None
    """Of a flight; None for no such limit."""
    _set_aside: dict[int, QuicSentPacket] | None
    """What is still sent, while aioquic books what an ACK has left for it: it copies the numbers of all it is shown."""
    rate_limit_bytes_per_s: Callable[[], float | None]
    """What the pacer's rate may not pass, whatever the scheme says; None for no limit."""

    @classmethod
    def take_over(cls, recovery: QuicPacketRecovery, scheme: SenderScheme, withheld: WithheldPackets) -> SchemeRecovery:
        """Replace the controller of a recovery that has not sent anything yet."""
        assert not recovery.spaces, "the connection has begun"
        recovery.__class__ = cls
        assert isinstance(recovery, cls)
        recovery.controller = SchemeController(scheme=scheme, withheld=withheld)
        recovery.told_s = 0.0
        recovery._known_rtt = None
        recovery.most_packets = None
        recovery._set_aside = None
        recovery.rate_limit_bytes_per_s = _no_limit
        recovery._cc = recovery.controller
        del vars(recovery)["_pacer"]
        recovery._unpaced_since_s = None
        recovery._own_pacer = SchemePacer(max_datagram_bytes=scheme.max_datagram_bytes)
        return recovery

    @property
    def _pacer(self) -> SchemePacer:  # type: ignore[override]
        """aioquic's own name for it. An ACK and the feedback beside it change the scheme twice, and the rate once."""
        if self._unpaced_since_s is not None:
            self._set_rate(self._unpaced_since_s)
        return self._own_pacer

    @property
    def rtt(self) -> RttState | None:
        """The RTT estimate; None until the first sample."""
        if not self._rtt_initialized:
            return None
        known = self._known_rtt
        if (
            known is None
            or known.latest_s != self._rtt_latest
            or known.smoothed_s != self._rtt_smoothed
            or known.min_s != self._rtt_min
            or known.variance_s != self._rtt_variance
        ):
            known = self._known_rtt = RttState(
                latest_s=self._rtt_latest,
                smoothed_s=self._rtt_smoothed,
                min_s=self._rtt_min,
                variance_s=self._rtt_variance,
            )
        return known

    @property
    def has_window_room(self) -> bool:
        """Whether the window allows a full packet."""
        return self.has_room_for(self.controller.packet_bytes)

    @property
    def has_room_for_turn(self) -> bool:
        """Whether the window allows what is worth a waking: a turn, or the first packets of a long one.

        A packet is worth one where no queue stands, or nothing is in flight. Behind a queue of eight turns the link
        does not idle while less than one waits for the next ACK. What waits leaves together with what the ACK frees,
        behind the stamp that measures: so it is few packets.
        """
        controller = self.controller
        packet_bytes, in_flight_bytes = controller.packet_bytes, controller.bytes_in_flight
        turn_bytes = min(self._pacer.turn_bytes, MOST_PACKETS_AWAITED * packet_bytes)
        is_long = in_flight_bytes > 0 and turn_bytes > BURST_PACKETS_MIN * packet_bytes
        return in_flight_bytes + (int(turn_bytes) if is_long else packet_bytes) <= controller.granted_window_bytes

    @property
    def packet_bytes(self) -> int:
        """Of full packets."""
        return self.controller.packet_bytes

    def has_room_for(self, size_bytes: int) -> bool:
        """Whether the window allows a packet of this size."""
        controller = self.controller
        return controller.bytes_in_flight + size_bytes <= controller.granted_window_bytes

    @property
    def room_packets(self) -> int:
        """How many full packets the window, and the turn, allow now; below zero where more is in flight."""
        controller = self.controller
        room_packets = (controller.granted_window_bytes - controller.bytes_in_flight) // controller.packet_bytes
        return room_packets if self.most_packets is None else min(room_packets, self.most_packets)

    @property
    def congestion_window(self) -> int:
        """What aioquic may fill: flight and whole packets, since it cuts a flight's last one to what is left.

        Such a one costs a turn of the pacer's, and the place of a whole one in queues that count packets.
        """
        controller = self.controller
        return controller.bytes_in_flight + self.room_packets * controller.packet_bytes

    def on_flight_sent(self, packets: Sequence[AnySentPacket], *, now_s: float, space: QuicPacketSpace) -> None:
        """As aioquic notes a packet sent, for consecutive numbers that leave together, after the handshake."""
        sent: dict[int, AnySentPacket] = space.sent_packets  # type: ignore[assignment]
        in_flight = []
        eliciting = 0
        for packet in packets:
            packet.sent_time = now_s
            sent[packet.packet_number] = packet
            if packet.in_flight:
                in_flight.append(packet)
            eliciting += packet.is_ack_eliciting
        if in_flight:
            self.controller.on_flight_sent(in_flight, now_s=now_s)
        if eliciting:
            space.ack_eliciting_in_flight += eliciting
            self._time_of_last_sent_ack_eliciting_packet = now_s

    def on_ack_received(
        self, *, ack_rangeset: Sequence[range], ack_delay: float, now: float, space: QuicPacketSpace
    ) -> None:
        self._pacer.on_ack(now)
        ledger = self.controller.ledger
        largest = ack_rangeset[-1].stop - 1
        is_old = ledger.is_of_old_path(largest)
        before = [getattr(self, name) for name in RTT_ESTIMATE] if is_old else []
        booked, unbooked = take_acked(ack_rangeset, space)
        self.controller.on_packets_acked(booked)
        mark = self._mark_alone(unbooked)
        if mark is None:
            self._book_slowly(ack_rangeset, unbooked, ack_delay=ack_delay, now_s=now, space=space)
        else:
            self._book(mark, largest=largest, ack_delay=ack_delay, now_s=now, space=space)
        if is_old:  # what it told of the round trip is of the old path (RFC 9000 section 9.4)
            for name, value in zip(RTT_ESTIMATE, before, strict=True):
                setattr(self, name, value)
            self.controller.has_rtt_sample = False
        self._tell(now_s=now)

    def _mark_alone(self, unbooked: Unbooked) -> RoundTripMark | None:
        """What measures the round trip, where it is all that is left of an ACK, and not the first."""
        if len(unbooked) != 1 or not self._rtt_initialized or self._quic_logger is not None:
            return None
        (left,) = unbooked.values()
        return left if isinstance(left, RoundTripMark) else None

    def _book(
        self, mark: RoundTripMark, *, largest: int, ack_delay: float, now_s: float, space: QuicPacketSpace
    ) -> None:
        """What aioquic does where all packets are booked: to the last bit."""
        space.largest_acked_packet = max(space.largest_acked_packet, largest)
        space.ack_eliciting_in_flight -= 1
        if mark.packet_number == largest:
            latest_s = max(now_s - mark.sent_time, GRANULARITY_S)
            self._rtt_min = min(self._rtt_min, latest_s)
            ack_delay = min(ack_delay, self.max_ack_delay)
            if latest_s > self._rtt_min + ack_delay:
                latest_s -= ack_delay
            self._rtt_latest = latest_s
            self._rtt_variance = 3 / 4 * self._rtt_variance + 1 / 4 * abs(self._rtt_min - latest_s)
            self._rtt_smoothed = 7 / 8 * self._rtt_smoothed + 1 / 8 * latest_s
            self.controller.has_rtt_sample = True
        self._detect_loss(now=now_s, space=space)
        if self.peer_completed_address_validation:
            self._pto_count = 0

    def _book_slowly(
        self,
        ack_rangeset: Sequence[range],
        unbooked: Unbooked,
        *,
        ack_delay: float,
        now_s: float,
        space: QuicPacketSpace,
    ) -> None:
        ranges = ack_rangeset if isinstance(ack_rangeset, RangeSet) else RangeSet(ack_rangeset)
        self._set_aside, space.sent_packets = space.sent_packets, unbooked  # type: ignore[assignment]
        try:
            super().on_ack_received(ack_rangeset=ranges, ack_delay=ack_delay, now=now_s, space=space)
        finally:
            self._show_all_sent(space)

    def _detect_loss(self, *, now: float, space: QuicPacketSpace) -> None:
        self._show_all_sent(space)
        super()._detect_loss(now=now, space=space)

    def _show_all_sent(self, space: QuicPacketSpace) -> None:
        if self._set_aside is not None:
            space.sent_packets, self._set_aside = self._set_aside, None

    def _in_persistent_congestion(self, *, packets: list[QuicSentPacket]) -> bool:
        if not packets:
            return False
        probes = self.controller.size_probes
        counted = [packet for packet in packets if packet.packet_number not in probes] if probes else packets
        return super()._in_persistent_congestion(packets=counted)

    def on_loss_detection_timeout(self, *, now: float) -> None:
        super().on_loss_detection_timeout(now=now)
        self._tell(now_s=now)

    def _tell(self, *, now_s: float) -> None:
        """Tell the scheme what aioquic found.

        An ACK that waited to be read has its RTT from when it arrived. A scheme's time goes on, never back: to it the
        ACK came after what has left, or was told, meanwhile.
        """
        now_s = max(now_s, self.told_s, self._time_of_last_sent_ack_eliciting_packet)
        self.controller.deliver(now_s=now_s, rtt=self.rtt)
        self.pace(now_s=now_s)

    def refresh(self, *, now_s: float) -> None:
        """Let aioquic and the pacer see what the scheme has changed."""
        self.controller.refresh()
        self.pace(now_s=now_s)

    def pace(self, *, now_s: float) -> None:
        """The pacer's rate is to be set from the scheme, before it is asked for anything."""
        self.told_s = max(self.told_s, now_s)
        self._unpaced_since_s = now_s
        if isinstance(self._quic_logger, ConnectionQlog):
            rate = self._set_rate(now_s)
            self._quic_logger.on_control(self.controller.scheme, pacing_bytes_per_s=rate)

    def _set_rate(self, now_s: float) -> float | None:
        """The rate, bytes/s; until an RTT is known nothing is paced (RFC 9002 section 7.7)."""
        self._unpaced_since_s = None
        scheme = self.controller.scheme
        rate = scheme.pacing_rate_bytes_per_s
        rtt = self.rtt
        if rate is None and rtt is not None:
            rate = window_rate_bytes_per_s(cwnd_bytes=scheme.cwnd_bytes, rtt=rtt, phase=scheme.phase)
        limit = self.rate_limit_bytes_per_s()
        if limit is not None:
            rate = limit if rate is None else min(rate, limit)
        if rate is not None:
            self._own_pacer.set_rate(rate, now_s, rtt=rtt)
        return rate

    def use_scheme(self, scheme: SenderScheme, *, now_s: float) -> None:
        """Replace the scheme; what is in flight stays booked."""
        self.controller.use_scheme(scheme)
        self.pace(now_s=now_s)

    def use_packet_bytes(self, size_bytes: int) -> None:
        """Full packets have this size from now on; the next ACK sets the new pacer's rate, if `pace` is not called."""
        self.controller.packet_bytes = size_bytes
        self._own_pacer = SchemePacer(max_datagram_bytes=size_bytes)

    def begin_path(self, scheme: SenderScheme, *, now_s: float) -> None:
        """The peer's address changed: this scheme begins, and RTT and pacer begin anew (RFC 9000 section 9.4)."""
        self._own_pacer = SchemePacer(max_datagram_bytes=self.packet_bytes)
        self._rtt_initialized = False
        self._rtt_min = float("inf")
        self.controller.ledger.begin_path()
        self.use_scheme(scheme, now_s=now_s)


def _no_limit() -> None:
    """As fast as the scheme says."""
