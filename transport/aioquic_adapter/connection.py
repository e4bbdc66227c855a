"""What the server knows of, and forbids in, one of aioquic's connections."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from aioquic.quic.connection import NetworkAddress, QuicConnection, QuicConnectionState
from aioquic.quic.packet import QuicFrameType
from aioquic.quic.recovery import QuicPacketSpace

from cc.core.base import RttState, SenderScheme
from cc.core.decision import Learned
from cc.core.ledger import PacketLedger
from cc.core.network_report import NetworkAware, NetworkReport
from cc.core.path_throughput import PathThroughput
from cc.core.receiver_base import Feedback, Stamp
from cc.core.stamper import Stamper
from transport.aioquic_adapter.close_reasons import cut_reasons
from transport.aioquic_adapter.connection_guard import ConnectionGuard
from transport.aioquic_adapter.connection_path import ConnectionPath
from transport.aioquic_adapter.connection_streams import ConnectionStreams
from transport.aioquic_adapter.epochs import hash_by_identity
from transport.aioquic_adapter.fast_flights import FastFlights
from transport.aioquic_adapter.fast_payloads import FastPayloads
from transport.aioquic_adapter.fast_reads import FastReads
from transport.aioquic_adapter.frame_limits import FrameLimits
from transport.aioquic_adapter.hello_limits import bound_hellos
from transport.aioquic_adapter.mark_reports import MarkReports
from transport.aioquic_adapter.next_keys import remember_next_keys
from transport.aioquic_adapter.path_answers import PathAnswers
from transport.aioquic_adapter.path_mtu import PathMtu
from transport.aioquic_adapter.peer_limits import PeerLimits
from transport.aioquic_adapter.qlog import ConnectionQlog
from transport.aioquic_adapter.recovery import SchemeRecovery
from transport.aioquic_adapter.size_search import BASE_BYTES
from transport.aioquic_adapter.unread_limits import UnreadLimits
from transport.aioquic_adapter.wakings import Wakings
from transport.aioquic_adapter.window_probes import WindowProbes

hash_by_identity()
remember_next_keys()
bound_hellos()

BACK_REFERENCES = (
    *("_QuicConnection__frame_handlers", "_loss", "tls", "_cryptos", "_cryptos_initial"),
    *("_write_connection_limits", "_write_stream_limits", "_replenish_connection_ids", "_initialize"),
    *("_write_application", "_flush_builder", "_send_probing_frames", "_parse_transport_parameters"),
    *("_serialize_transport_parameters", "_payload_received", "close"),
)
"""Of aioquic's connection, that nothing asks for once it has ended."""

MakeScheme = Callable[[int], SenderScheme]
"""Makes the scheme of a path, for full packets of so many bytes; called again for another path, or another size."""


class _ConnectionRecovery(SchemeRecovery):
    """Has each acknowledgement checked first, and tells the connection of it last."""

    connection: ControlledConnection

    def on_ack_received(
        self, *, ack_rangeset: Sequence[range], ack_delay: float, now: float, space: QuicPacketSpace
    ) -> None:
        self.connection.guard.check_ack(ack_rangeset)
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
        is_fast: bool = True,
    ) -> None:
        """Take over a connection that has not begun.

        `most_datagram_bytes`: up to which size the path is asked; no socket may let them be cut into fragments.
        `is_fast`: whether flights are built together (`fast_flights`) and what comes is read straight (`fast_reads`,
        `fast_payloads`), or all by aioquic, packet by packet and frame by frame.
        """
        self.quic = quic
        self._make_scheme = make_scheme
        cut_reasons(quic)
        self.guard = ConnectionGuard(quic, rng)
        self.path = ConnectionPath(quic)
        scheme = make_scheme(quic._max_datagram_size)
        recovery = _ConnectionRecovery.take_over(quic._loss, scheme, self.guard.withheld)
        assert isinstance(recovery, _ConnectionRecovery)
        recovery.connection = self
        self._recovery = recovery
        self.ledger: PacketLedger = recovery.controller.ledger
        """What is in flight."""
        MarkReports(quic, recovery.controller.on_marks)
        self._stamper = Stamper()
        self.limits = PeerLimits(quic)
        self.frame_limits = FrameLimits(quic)
        self._unread_limits = UnreadLimits(quic)
        self.streams = ConnectionStreams(quic, self.limits)
        PathAnswers(quic)
        self._fast_reads: FastReads | None = None
        if is_fast:
            FastFlights(quic, recovery, self.limits)
            FastPayloads(quic, recovery, self.frame_limits)
            self._fast_reads = FastReads(quic)
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
    def rtt(self) -> RttState | None:
        """The RTT estimate; None until the first sample."""
        return self._recovery.rtt

    @property
    def datagram_bytes(self) -> int:
        """What the path is known to carry in a datagram."""
        return self._recovery.packet_bytes

    def use_scheme(self, make_scheme: MakeScheme, *, now_s: float) -> None:
        """Change the congestion control; the session's path names it after the handshake."""
        self._make_scheme = make_scheme
        self._stamper = Stamper()
        self._recovery.use_scheme(make_scheme(self.datagram_bytes), now_s=now_s)

    @property
    def bytes_in_flight(self) -> int:
        """What is sent and not acknowledged."""
        return self._recovery.controller.bytes_in_flight

    def bound_flight(self, most_bytes: int) -> None:
        """Let no more be in flight, whatever the scheme asks for; two packets always may."""
        controller = self._recovery.controller
        if controller.most_in_flight_bytes != most_bytes:
            controller.most_in_flight_bytes = most_bytes
            controller.refresh()

    def bound_work(self, per_s: float) -> None:
        """Let the peer ask for no more in the long run, beside what it earns; its handshake comes first."""
        if self.quic._handshake_confirmed:
            self.frame_limits.bound_work(per_s)

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
        self.guard.watch()
        self._recovery.refresh(now_s=now_s)

    def limit_rate(self, limit_bytes_per_s: Callable[[], float | None]) -> None:
        """Never pace faster than this says, asked with every ACK; None for no limit."""
        self._recovery.rate_limit_bytes_per_s = limit_bytes_per_s

    def receive_datagram(self, data: bytes, address: NetworkAddress, *, now_s: float) -> bool:
        """One of the peer, or in its name; whether it brought anything, so that there may be something to answer."""
        if not self.path.may_come_from(address):
            return False
        if not self._may_be_read(data[0], now_s=now_s):
            self._unread_limits.on_unread()
            return False
        if self._fast_reads is None or not self._fast_reads.read(data, address, now_s=now_s):
            self.quic.receive_datagram(data, address, now=now_s)
        self.guard.notice_new_keys(now_s=now_s)
        if not self._is_established:
            return True
        if self.frame_limits.has_read:
            self._unread_limits.on_read(now_s=now_s)
        return self.frame_limits.has_read

    @property
    def _is_established(self) -> bool:
        """Whether the handshake is over, and neither side has closed it."""
        quic = self.quic
        is_open = quic._state is QuicConnectionState.CONNECTED and not quic._close_pending
        return is_open and quic._handshake_confirmed

    def _may_be_read(self, first_byte: int, *, now_s: float) -> bool:
        return self.frame_limits.begin_datagram(
            first_byte,
            now_s=now_s,
            bytes_sent=self.ledger.bytes_sent_total,
            bytes_in_flight=self.bytes_in_flight,
        )

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
        return self._recovery.has_window_room and self._recovery._pacer.next_send_time(now_s) is None

    def sendable_bytes(self, *, now_s: float) -> int:
        """Of full packets: what window, pacer and turn allow now, which is much where the host was late."""
        recovery = self._recovery
        return recovery.packet_bytes * recovery._pacer.packets_now(now_s, most=max(0, recovery.room_packets))

    def let_probe_leave(self, *, now_s: float) -> bool:
        """Let one packet leave beyond the window if nothing else has told lately what became of the flight."""
        return self._window_probes.let_one_leave(now_s=now_s)

    def on_ack(self, *, now_s: float) -> None:
        """An ACK came, and the scheme was told."""
        self.review_size(now_s=now_s)
        self._window_probes.on_ack(now_s=now_s)

    @property
    def has_window_room(self) -> bool:
        """Whether the window alone allows a full packet."""
        return self._recovery.has_window_room

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
        self.guard.change_keys_in_time()
        self._wakings.hasten_ack(now_s=now_s)
        first_number = quic._packet_number
        flight = quic.datagrams_to_send(now=now_s)
        quic._datagrams_pending.clear()
        if most_packets is not None and quic._packet_number - first_number >= most_packets and quic._pacing_at is None:
            quic._pacing_at = now_s
            if self._recovery.has_window_room:
                self.ledger.mark_app_limited()
        self._wakings.await_ack(now_s=now_s)
        self.guard.withhold_from(flight, first_number=first_number)
        return flight

    def end(self, *, error_code: int, reason: str, now_s: float) -> list[tuple[bytes, NetworkAddress]]:
        """Close and end it; the last datagrams, none where the peer may be somebody else's address.

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

    def skip_closing_period(self) -> bool:
        """End it where either side has closed it; whether that was so.

        The period would be three timeouts (RFC 9000 section 10.2): 49 s where the peer claims to acknowledge that late.
        """
        is_closed = self.quic._state in (QuicConnectionState.CLOSING, QuicConnectionState.DRAINING)
        if is_closed:
            self.quic._close_end()
        return is_closed

    def release(self) -> None:
        """Take an ended connection apart: what refers back to it would keep it until a full garbage collection."""
        for name in BACK_REFERENCES:
            vars(self.quic).pop(name, None)
        vars(self).pop("_make_scheme", None)
        vars(self.guard).pop("on_forged", None)
        vars(self.path).pop("on_moved", None)
        self.limits.release()
        vars(self._recovery).pop("connection", None)

    def after_flight(self, *, now_s: float) -> None:
        """What the scheme set as its packets left counts from the next flight on, not from the next ACK."""
        if self._recovery.controller.hears_sends and self.scheme.may_change_on_send:
            self._recovery.refresh(now_s=now_s)

    def notice_path(self, *, now_s: float) -> None:
        """Start congestion control anew when the peer's host has changed."""
        host = self.path.moved_to(now_s=now_s)
        if host is None:
            return
        self._stamper.begin_path(self.scheme)
        self._path_mtu.begin_path()
        if self._recovery.controller.throughput is not None:
            self.watch_throughput()
        self._recovery.begin_path(self._make_scheme(self.datagram_bytes), now_s=now_s)
        self.path.on_moved(host)

    def review_size(self, *, now_s: float) -> None:
        """Look at what became of larger packets. A scheme counts in packets of the size for which it was made.

        It is made again for another size until its first flight has left; then it keeps its own.
        """
        if self._path_mtu.fall_back():
            self._recovery.pace(now_s=now_s)
        if self.datagram_bytes != self.scheme.max_datagram_bytes and not self._stamper.has_begun:
            self._recovery.use_scheme(self._make_scheme(self.datagram_bytes), now_s=now_s)
