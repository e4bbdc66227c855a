"""Datagrams as large as the path carries: Datagram Packetization Layer PMTU Discovery (RFC 8899, RFC 9000 section 14).

A probe is a packet of PING and PADDING that leaves before a flight, where the window has room for it. Its loss is told
to no scheme. Once one is acknowledged, packets are as large as that.
"""

from __future__ import annotations

from aioquic.buffer import Buffer, encode_uint_var  # type: ignore[attr-defined]
from aioquic.quic.connection import NetworkAddress, QuicConnection, QuicConnectionState, QuicNetworkPath
from aioquic.quic.packet import QuicFrameType, QuicPacketType, pull_quic_transport_parameters
from aioquic.quic.packet_builder import QuicDeliveryState, QuicPacketBuilder
from aioquic.tls import Epoch

from transport.aioquic_adapter.black_hole import BlackHoleWatch
from transport.aioquic_adapter.recovery import SchemeRecovery
from transport.aioquic_adapter.size_search import BASE_BYTES, MOST_BYTES_IPV6, MOST_TAKEN_BYTES, SizeSearch

MAPPED_IPV4 = "::ffff:"
MAX_UDP_PAYLOAD_SIZE = 0x03
"""The transport parameter (RFC 9000 section 18.2)."""


class PathMtu:
    """Of one connection."""

    def __init__(self, quic: QuicConnection, recovery: SchemeRecovery, *, most_bytes: int) -> None:
        """Take over the datagrams' size in a connection that has not begun; `BASE_BYTES` never asks for more."""
        self._quic = quic
        self._recovery = recovery
        self._most_bytes = most_bytes
        self._search: SizeSearch | None = None
        self._tell_limit()
        if most_bytes > BASE_BYTES:
            self._listen_to_parameters()
            self._keep_other_paths_small()

    def begin_path(self) -> None:
        """Nothing is known of the path that is taken from now on."""
        self._search = None
        self._use(BASE_BYTES)

    def fall_back(self) -> bool:
        """To the base size, where the larger packets vanish; then the path is asked anew. Whether that happened."""
        recovery = self._recovery
        watch, ledger = recovery.controller.black_hole, recovery.controller.ledger
        if watch is None or not watch.has_found_one(timeouts=recovery._pto_count, in_flight=ledger.in_flight()):
            return False
        self.begin_path()
        return True

    def probe(self, *, now_s: float) -> list[tuple[bytes, NetworkAddress]]:
        """The datagram that asks for a larger size, where one is due."""
        quic = self._quic
        if self._most_bytes <= BASE_BYTES or not quic._handshake_confirmed:
            return []
        path = quic._network_paths[0]
        if quic._state is not QuicConnectionState.CONNECTED or not path.is_validated:
            return []
        if self._search is None:
            self._search = SizeSearch(self._most_for(path))
        size_bytes = self._search.due_bytes(now_s=now_s)
        if size_bytes is None or not self._recovery.has_room_for(size_bytes):
            return []
        return self._send(self._search, path, size_bytes, now_s=now_s)

    def _send(
        self, search: SizeSearch, path: QuicNetworkPath, size_bytes: int, *, now_s: float
    ) -> list[tuple[bytes, NetworkAddress]]:
        quic = self._quic
        assert quic._version is not None
        builder = QuicPacketBuilder(
            host_cid=quic.host_cid,
            is_client=False,
            max_datagram_size=size_bytes,
            packet_number=quic._packet_number,
            peer_cid=quic._peer_cid.cid,
            quic_logger=quic._quic_logger,
            spin_bit=quic._spin_bit,
            version=quic._version,
        )
        number = builder.packet_number
        builder.start_packet(QuicPacketType.ONE_RTT, quic._cryptos[Epoch.ONE_RTT])
        builder.start_frame(QuicFrameType.PING, handler=self._on_delivery, handler_args=(search, size_bytes, number))
        if quic._quic_logger is not None and builder.quic_logger_frames is not None:
            builder.quic_logger_frames.append(quic._quic_logger.encode_ping_frame())
        builder._datagram_needs_padding = True
        search.on_sent()
        self._recovery.controller.size_probes.add(number)
        datagrams = quic._flush_builder(builder=builder, network_path=path, peer_cid=quic._peer_cid.cid, now=now_s)
        self._recovery._pacer.update_after_send(now=now_s)
        return datagrams

    def _on_delivery(self, state: QuicDeliveryState, search: SizeSearch, size_bytes: int, number: int) -> None:
        if state is not QuicDeliveryState.LOST:
            self._recovery.controller.size_probes.discard(number)
        if search is not self._search:
            return  # of an old path, or from before a black hole
        if state is QuicDeliveryState.LOST:
            search.on_lost(size_bytes)
        else:
            search.on_arrived(size_bytes)
            self._use(size_bytes)

    def _use(self, size_bytes: int) -> None:
        """Packets have this size from now on, when they are full."""
        quic, recovery = self._quic, self._recovery
        before_bytes = recovery.packet_bytes
        if size_bytes == before_bytes:
            return
        quic._max_datagram_size = size_bytes
        recovery.use_packet_bytes(size_bytes)
        recovery.controller.black_hole = BlackHoleWatch(quic._packet_number) if size_bytes > BASE_BYTES else None
        if quic._quic_logger is not None:
            is_done = self._search is not None and self._search.is_done
            data = {"old": before_bytes, "new": size_bytes, "done": is_done}
            quic._quic_logger.log_event(category="connectivity", event="mtu_updated", data=data)

    def _most_for(self, path: QuicNetworkPath) -> int:
        host = str(path.addr[0])
        is_ipv6 = ":" in host and not host.startswith(MAPPED_IPV4)
        return min(self._most_bytes, MOST_BYTES_IPV6) if is_ipv6 else self._most_bytes

    def _listen_to_parameters(self) -> None:
        """Once: the peer says in its hello what it takes (RFC 9000 section 18.2)."""
        quic, parse = self._quic, self._quic._parse_transport_parameters

        def parse_and_listen(data: bytes, from_session_ticket: bool = False) -> None:
            del quic._parse_transport_parameters
            parse(data, from_session_ticket)
            limit_bytes = pull_quic_transport_parameters(Buffer(data=data)).max_udp_payload_size
            if limit_bytes is not None:
                self._most_bytes = min(self._most_bytes, limit_bytes)

        quic._parse_transport_parameters = parse_and_listen  # type: ignore[method-assign]

    def _tell_limit(self) -> None:
        """What the server takes, so that nobody probes for more; aioquic tells nothing of it."""
        quic, serialize = self._quic, self._quic._serialize_transport_parameters
        value = encode_uint_var(MOST_TAKEN_BYTES)

        def serialize_with_limit() -> bytes:
            del quic._serialize_transport_parameters
            return serialize() + encode_uint_var(MAX_UDP_PAYLOAD_SIZE) + encode_uint_var(len(value)) + value

        quic._serialize_transport_parameters = serialize_with_limit  # type: ignore[method-assign]

    def _keep_other_paths_small(self) -> None:
        """aioquic pads what validates another path to a full datagram, which that path may not carry."""
        quic, send = self._quic, self._quic._send_probing_frames

        def send_small(network_path: QuicNetworkPath, now: float) -> list[tuple[bytes, NetworkAddress]]:
            before_bytes, quic._max_datagram_size = quic._max_datagram_size, BASE_BYTES
            try:
                return send(network_path=network_path, now=now)
            finally:
                quic._max_datagram_size = before_bytes

        quic._send_probing_frames = send_small  # type: ignore[method-assign]
