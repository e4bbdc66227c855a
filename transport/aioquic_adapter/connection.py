"""What the server knows of, and forbids in, one of aioquic's connections."""

from __future__ import annotations

import random
from collections.abc import Callable

from aioquic.quic.connection import NetworkAddress, QuicConnection, QuicConnectionError, QuicConnectionState
from aioquic.quic.packet import QuicErrorCode, QuicFrameType
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.tls import Epoch

from cc.core.base import RttState, SenderScheme
from cc.core.decision import Learned
from cc.core.ledger import PacketLedger
from cc.core.network_report import NetworkAware, NetworkReport
from cc.core.path_throughput import PathThroughput
from cc.core.receiver_base import Feedback, Stamp
from cc.core.stamper import Stamper
from transport.aioquic_adapter.epochs import hash_by_identity
from transport.aioquic_adapter.fast_flights import FastFlights
from transport.aioquic_adapter.frame_limits import FrameLimits
from transport.aioquic_adapter.mark_reports import MarkReports
from transport.aioquic_adapter.path_answers import PathAnswers
from transport.aioquic_adapter.path_mtu import PathMtu
from transport.aioquic_adapter.peer_limits import PeerLimits
from transport.aioquic_adapter.qlog import ConnectionQlog
from transport.aioquic_adapter.recovery import SchemeRecovery
from transport.aioquic_adapter.scheme_pacer import SchemePacer
from transport.aioquic_adapter.send_buffer import SendBuffer
from transport.aioquic_adapter.size_search import BASE_BYTES
from transport.aioquic_adapter.wakings import Wakings
from transport.aioquic_adapter.window_probes import WindowProbes
from transport.aioquic_adapter.withheld import WithheldPackets
from transport.token_bucket import TokenBucket

hash_by_identity()

PACKETS_PER_KEY = 2**22  # of any kind, resent ones too; half of AES-GCM's limit (RFC 9001 section 6.6)

MOVES_PER_S = 1.0
MOVES_BURST = 8
"""Of a client to another host, each of which makes a scheme anew. A phone changes networks a few times a minute; a NAT
that rebinds changes the port alone, which is no move."""

BACK_REFERENCES = (
    *("_QuicConnection__frame_handlers", "_loss", "tls", "_cryptos", "_cryptos_initial"),
    *("_write_connection_limits", "_write_stream_limits", "_replenish_connection_ids", "_initialize"),
    *("_write_application", "_flush_builder", "_send_probing_frames", "_parse_transport_parameters"),
    "_serialize_transport_parameters",
)
"""Of aioquic's connection, that nothing asks for once it has ended."""

MakeScheme = Callable[[int], SenderScheme]
"""Makes the scheme of a path, for full packets of so many bytes; called again for another path, or another size."""


class _GuardedRecovery(SchemeRecovery):
    """Refuses acknowledgements of packets that were never sent (RFC 9000 sections 13.1 and 21.4)."""

    connection: ControlledConnection

    def on_ack_received(self, *, ack_rangeset: RangeSet, ack_delay: float, now: float, space: QuicPacketSpace) -> None:
        self.connection.check_ack(ack_rangeset)
        super().on_ack_received(ack_rangeset=ack_rangeset, ack_delay=ack_delay, now=now, space=space)
        self.connection.on_ack(now_s=now)

    def on_loss_detection_timeout(self, *, now: float) -> None:
        super().on_loss_detection_timeout(now=now)
        self.connection.review_size(now_s=now)


class ControlledConnection:
    """A QUIC connection whose congestion control is a scheme of cc/.

    Whatever the scheme is told is told through here, so that the window and the pacer follow.
    """

    def __init__(
        self,
        quic: QuicConnection,
        make_scheme: MakeScheme,
        rng: random.Random,
        *,
        most_datagram_bytes: int = BASE_BYTES,
        has_fast_flights: bool = True,
    ) -> None:
        """Take over a connection that has not begun.

        `most_datagram_bytes`: up to which size the path is asked; no socket may let them be cut into fragments.
        `has_fast_flights`: whether flights are built together (`fast_flights`), or by aioquic, packet by packet.
        """
        self.quic = quic
        self._make_scheme = make_scheme
        self.withheld = WithheldPackets(rng)
        recovery = _GuardedRecovery.take_over(quic._loss, make_scheme(quic._max_datagram_size), self.withheld)
        assert isinstance(recovery, _GuardedRecovery)
        recovery.connection = self
        self._recovery = recovery
        MarkReports(quic, recovery.controller.on_marks)
        self._stamper = Stamper()
        self.has_forged = False
        """Whether the peer has acknowledged what was never sent; the connection ends then."""
        self.on_forged: Callable[[], None] = _tell_nobody
        """Called when the peer acknowledges what was never sent, before the connection ends."""
        self.on_moved: Callable[[str], None] = lambda host: None
        """Called with the host that the peer is at now, where that has changed."""
        self._key_update_at = PACKETS_PER_KEY
        self._path_host: str | None = None
        self._moves = TokenBucket(per_s=MOVES_PER_S, burst=MOVES_BURST)
        self.limits = PeerLimits(quic)
        self.frame_limits = FrameLimits(quic)
        PathAnswers(quic)
        if has_fast_flights:
            FastFlights(quic, recovery, self.limits)
        self._path_mtu = PathMtu(quic, recovery, most_bytes=most_datagram_bytes)
        self._window_probes = WindowProbes(quic, recovery)
        self._wakings = Wakings(quic, recovery)

    @property
    def qlog(self) -> ConnectionQlog | None:
        """What is told of this connection; None where nobody asked, and once it is over."""
        trace = self.quic._quic_logger
        return trace if isinstance(trace, ConnectionQlog) else None

    @property
    def scheme(self) -> SenderScheme:
        """The scheme in control."""
        return self._recovery.controller.scheme

    @property
    def ledger(self) -> PacketLedger:
        """What is in flight."""
        return self._recovery.controller.ledger

    @property
    def rtt(self) -> RttState | None:
        """The RTT estimate; None until the first sample."""
        return self._recovery.rtt

    @property
    def datagram_bytes(self) -> int:
        """What the path is known to carry in a datagram."""
        return self._recovery.packet_bytes

    @property
    def peer_address(self) -> NetworkAddress | None:
        """Where datagrams are sent to; None before the first has come."""
        return self.quic.get_peer_address()

    @property
    def proven_address(self) -> NetworkAddress | None:
        """Where the peer has shown that it is: the path in use once it is validated, else the last that was.

        One packet with a forged source makes its path the one in use (RFC 9000 section 9.3.1). None before a handshake.
        """
        return next((path.addr for path in self.quic._network_paths if path.is_validated), None)

    @property
    def peer_host(self) -> str | None:
        """Where datagrams are sent to, without the port; None before the first has come."""
        address = self.peer_address
        return None if address is None else str(address[0])

    def use_scheme(self, make_scheme: MakeScheme, *, now_s: float) -> None:
        """Change the congestion control; the session's path names it after the handshake."""
        self._make_scheme = make_scheme
        self._stamper = Stamper()
        self._recovery.use_scheme(make_scheme(self.datagram_bytes), now_s=now_s)

    def in_flight_bytes(self) -> int:
        """What is sent and not acknowledged."""
        return self._recovery.controller.bytes_in_flight

    def bound_flight(self, most_bytes: int) -> None:
        """Let no more be in flight, whatever the scheme asks for; two packets always may."""
        controller = self._recovery.controller
        if controller.most_in_flight_bytes != most_bytes:
            controller.most_in_flight_bytes = most_bytes
            controller.refresh()

    def watch_throughput(self) -> None:
        """Estimate what the path carries from now on."""
        self._recovery.controller.throughput = PathThroughput()

    @property
    def throughput_bytes_per_s(self) -> float | None:
        """What the path carries; None where that is not watched, or before the first sample."""
        throughput = self._recovery.controller.throughput
        return None if throughput is None else throughput.bytes_per_s

    def watch_acks(self, *, now_s: float) -> None:
        """Trust what is acknowledged only as far as withheld packets have shown it to be true."""
        self.withheld.watch(next_number=self.quic._packet_number)
        self._recovery.refresh(now_s=now_s)

    def limit_rate(self, limit_bytes_per_s: Callable[[], float | None]) -> None:
        """Never pace faster than this says, asked with every ACK; None for no limit."""
        self._recovery.rate_limit_bytes_per_s = limit_bytes_per_s

    def stamp_if_due(self, *, now_s: float) -> Stamp | None:
        """The stamp that the flight about to leave should carry; None where it needs none."""
        if not self._stamper.is_due(now_s=now_s, ledger=self.ledger):
            return None
        return self._stamper.make(now_s=now_s, ledger=self.ledger, scheme=self.scheme, rtt=self.rtt)

    def on_feedback(self, feedback: Feedback, *, now_s: float) -> None:
        """The receiver asked for a window."""
        self._stamper.hand_over(feedback, scheme=self.scheme, now_s=now_s)
        if self.qlog is not None:
            self.qlog.on_feedback(feedback, self.scheme)
        self._recovery.refresh(now_s=now_s)

    def on_network_report(self, report: NetworkReport, *, now_s: float) -> None:
        """What the network tells, for a scheme that listens."""
        if isinstance(self.scheme, NetworkAware):
            self.scheme.on_network_report(report, now_s=now_s)
            self._recovery.refresh(now_s=now_s)

    def on_decision(self, sequence: int, action: float | None, *, now_s: float) -> None:
        """A policy answered the scheme's request. Raises TypeError for a scheme that asks none."""
        if not isinstance(self.scheme, Learned):
            raise TypeError(f"scheme {type(self.scheme).__name__} asks no policy")
        self.scheme.on_decision(sequence, action)
        self._recovery.refresh(now_s=now_s)

    def may_send(self, *, now_s: float) -> bool:
        """Whether window and pacer allow a full packet now."""
        pacer = self._recovery._pacer
        assert isinstance(pacer, SchemePacer)
        return self._recovery.has_window_room and pacer.next_send_time(now_s) is None

    def sendable_bytes(self, *, now_s: float) -> int:
        """Of full packets: what window, pacer and turn allow now, which is much where the host was late."""
        recovery = self._recovery
        pacer = recovery._pacer
        assert isinstance(pacer, SchemePacer)
        room_packets = (recovery.congestion_window - recovery.controller.bytes_in_flight) // recovery.packet_bytes
        return recovery.packet_bytes * pacer.packets_now(now_s, most=max(0, room_packets))

    def let_probe_leave(self, *, now_s: float) -> bool:
        """Let one packet leave beyond the window if nothing else has told lately what became of the flight."""
        return self._window_probes.let_one_leave(now_s=now_s)

    def on_ack(self, *, now_s: float) -> None:
        """An ACK came, and the scheme was told."""
        self.review_size(now_s=now_s)
        self._window_probes.on_ack(now_s=now_s)

    def has_window_room(self) -> bool:
        """Whether the window alone allows a full packet."""
        return self._recovery.has_window_room

    def highest_sent_offset(self, stream_id: int) -> int | None:
        """How much of a stream has been sent at least once; None where the stream is finished and gone."""
        stream = self.quic._streams.get(stream_id)
        return None if stream is None else stream.sender.highest_offset

    def credit_bytes(self, stream_id: int) -> int:
        """What the client takes beyond what was sent on a stream, by its limits for stream and connection."""
        stream = self.quic._streams.get(stream_id)
        if stream is None:
            return 0
        connection_credit_bytes = self.quic._remote_max_data - self.quic._remote_max_data_used
        return min(connection_credit_bytes, stream.max_stream_data_remote - stream.sender.highest_offset)

    def can_write(self, stream_id: int) -> bool:
        """Whether the client still takes what is written: aioquic resets a stream before it tells of STOP_SENDING."""
        stream = self.quic._streams.get(stream_id)
        return stream is not None and stream.sender._reset_error_code is None and not stream.sender.is_finished

    def write(self, stream_id: int, data: bytes, *, is_last: bool) -> None:
        """Send on a stream that the peer has opened; the data is kept, not copied."""
        sender = self.quic._streams[stream_id].sender
        if not sender._buffer and not isinstance(sender._buffer, SendBuffer):
            sender._buffer = SendBuffer()  # type: ignore[assignment]
        self.quic.send_stream_data(stream_id, data, end_stream=is_last)

    def reset_stream(self, stream_id: int, error_code: int) -> None:
        """End a stream, and forget what it would still have sent."""
        self.quic.reset_stream(stream_id, error_code)
        self.limits.forget_response(stream_id)

    def is_held_back(self, *, now_s: float) -> bool:
        """Whether nothing may leave now, so that no flight need be built; the timer is that of the next that may."""
        return self._wakings.is_held_back(now_s=now_s)

    def take_probe(self, *, now_s: float) -> list[tuple[bytes, NetworkAddress]]:
        """What asks the path for larger datagrams, if that is due: one datagram, which the system may refuse."""
        return self._path_mtu.probe(now_s=now_s)

    def take_flight(self, *, now_s: float, most_packets: int | None = None) -> list[tuple[bytes, NetworkAddress]]:
        """What leaves now. Datagrams that found no room in it are forgotten: a late stamp would lie.

        `most_packets`: what leaves at a time, if others wait. The timer for the rest is set. A window that is open all
        the same is not what limits the session: it does not grow for it (RFC 9002 section 7.8).
        """
        quic = self.quic
        self._recovery.most_packets = most_packets
        self._change_keys_in_time()
        self._wakings.hasten_ack(now_s=now_s)
        first_number = quic._packet_number
        flight = quic.datagrams_to_send(now=now_s)
        quic._datagrams_pending.clear()
        if most_packets is not None and quic._packet_number - first_number >= most_packets and quic._pacing_at is None:
            quic._pacing_at = now_s
            if self._recovery.has_window_room:
                self.ledger.mark_app_limited()
        self._wakings.await_ack(now_s=now_s)
        withheld = self.withheld.due_among(range(first_number, quic._packet_number))
        if withheld is not None:
            self._withhold(withheld, flight, first_number)
        return flight

    def _withhold(self, number: int, flight: list[tuple[bytes, NetworkAddress]], first_number: int) -> None:
        """Take a packet out of the flight; not one that nothing would be missed from, nor one of the handshake."""
        quic = self.quic
        space = quic._spaces[Epoch.ONE_RTT]
        packet = space.sent_packets.get(number)
        is_one_a_datagram = len(flight) == quic._packet_number - first_number
        if packet is None or not packet.is_ack_eliciting or not is_one_a_datagram or not quic._handshake_confirmed:
            self.withheld.postpone(number)
            return
        del flight[number - first_number]
        self.withheld.add(number)
        if quic._quic_logger is not None:
            quic._quic_logger.log_event(category="transport", event="packet_withheld", data={"packet_number": number})

    def _change_keys_in_time(self) -> None:
        """Both directions' keys change together: whoever has used its key more counts (RFC 9001 section 6.6)."""
        space = self.quic._spaces.get(Epoch.ONE_RTT)
        received = 0 if space is None else space.largest_received_packet
        if max(self.quic._packet_number, received) >= self._key_update_at:
            self._key_update_at = max(self.quic._packet_number, received) + PACKETS_PER_KEY
            self.quic.request_key_update()

    def end(self, *, error_code: int, reason: str, now_s: float) -> list[tuple[bytes, NetworkAddress]]:
        """Skip the closing period; the last datagrams, none where the peer may be somebody else's address.

        At most three times what an unproven address sent may go there (RFC 9000 section 8.1).
        """
        self.quic.close(error_code=error_code, frame_type=QuicFrameType.PADDING, reason_phrase=reason)
        last_words: list[tuple[bytes, NetworkAddress]] = []
        has_begun = self.quic._state is QuicConnectionState.CONNECTED
        if has_begun and self.quic._network_paths[0].can_send(self.quic.configuration.max_datagram_size):
            last_words = self.quic.datagrams_to_send(now=now_s)
        if self.quic._state is not QuicConnectionState.TERMINATED:
            self.quic._close_end()
        return last_words

    def release(self) -> None:
        """Take an ended connection apart: what refers back to it would keep it until a full garbage collection."""
        for name in BACK_REFERENCES:
            vars(self.quic).pop(name, None)
        for own in ("_make_scheme", "on_forged", "on_moved"):
            vars(self).pop(own, None)
        self.limits.release()
        vars(self._recovery).pop("connection", None)

    def after_flight(self, *, now_s: float) -> None:
        """What the scheme set as its packets left counts from the next flight on, not from the next ACK."""
        if self._recovery.controller.hears_sends and self.scheme.may_change_on_send:
            self._recovery.refresh(now_s=now_s)

    def notice_path(self, *, now_s: float) -> None:
        """Start congestion control anew when the peer's host has changed; a new port alone is a NAT's doing.

        Who moves too often ends the connection.
        """
        host = self.peer_host
        if self._path_host is not None and host != self._path_host:
            if not self._moves.take(now_s=now_s):
                self.quic.close(error_code=QuicErrorCode.INTERNAL_ERROR, reason_phrase="too many changes of the path")
                return
            self._stamper.begin_path(self.scheme)
            self._path_mtu.begin_path()
            if self._recovery.controller.throughput is not None:
                self.watch_throughput()
            self._recovery.begin_path(self._make_scheme(self.datagram_bytes), now_s=now_s)
            if host is not None:
                self.on_moved(host)
        self._path_host = host

    def review_size(self, *, now_s: float) -> None:
        """Look at what became of larger packets. A scheme counts in packets of the size for which it was made.

        It is made again for another size until its first flight has left; then it keeps its own.
        """
        if self._path_mtu.fall_back():
            self._recovery.pace(now_s=now_s)
        if self.datagram_bytes != self.scheme.max_datagram_bytes and not self._stamper.has_begun:
            self._recovery.use_scheme(self._make_scheme(self.datagram_bytes), now_s=now_s)

    def check_ack(self, ack_rangeset: RangeSet) -> None:
        """Raise a connection error for an acknowledgement of a packet that was never sent."""
        largest = ack_rangeset[-1].stop - 1
        unsent = largest if largest >= self.quic._packet_number else self.withheld.acknowledged_in(ack_rangeset)
        if unsent is not None:
            if not self.has_forged:
                self.has_forged = True
                self.on_forged()
            raise QuicConnectionError(
                error_code=QuicErrorCode.PROTOCOL_VIOLATION,
                frame_type=QuicFrameType.ACK,
                reason_phrase=f"packet {unsent} was never sent",
            )


def _tell_nobody() -> None:
    """Nobody asked."""
