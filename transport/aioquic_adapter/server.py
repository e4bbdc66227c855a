"""aioquic's server with a gate: somebody else judges newcomers, and what belongs to nobody."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Callable

from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.asyncio.server import QuicServer
from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.configuration import SMALLEST_MAX_DATAGRAM_SIZE, QuicConfiguration
from aioquic.quic.connection import NetworkAddress
from aioquic.quic.packet import QuicHeader, QuicPacketType, encode_quic_retry, pull_quic_header
from aioquic.quic.retry import QuicRetryTokenHandler

from transport.aioquic_adapter.protocol import BatchedProtocol
from transport.aioquic_adapter.size_search import MOST_TAKEN_BYTES
from transport.aioquic_adapter.verdict import Verdict

LONG_HEADER = 0x80  # of the first byte (RFC 9000 section 17.2)
MOST_PACKETS = 6
"""Of a datagram: each takes time, whoever sent it. Clients send one of a kind, of four kinds (section 12.2)."""


class GatedServer(QuicServer):
    """Hands packets to their connections; asks a subclass what to do with all others."""

    def __init__(
        self,
        *,
        configuration: QuicConfiguration,
        create_protocol: Callable[..., BatchedProtocol],
        name_id: Callable[[bytes], bytes] = bytes,
    ) -> None:
        """`name_id` makes of a random connection ID one that leads here."""
        super().__init__(configuration=configuration, create_protocol=create_protocol)
        self._name_id = name_id
        self._id_bytes = configuration.connection_id_length
        self._tokens = QuicRetryTokenHandler()

    @property
    def connections(self) -> set[BatchedProtocol]:
        """Those that live: a connection that has ended, or was dismissed, is not among them."""
        return set(self._protocols.values())  # type: ignore[arg-type]

    @abstractmethod
    def on_newcomer(self, addr: NetworkAddress, *, is_proven: bool) -> Verdict:
        """An Initial that would make a connection.

        `is_proven`: it brought a token that was sent to its address (RFC 9000 section 8.1.2).
        """

    @abstractmethod
    def may_answer(self) -> bool:
        """Whether to answer what makes no connection.

        An Initial whose token is none of ours, or too old (RFC 9000 section 8.1.3), or a version that is not spoken
        (section 6.1).
        """

    @abstractmethod
    def on_stray(self, connection_id: bytes, data: bytes, addr: NetworkAddress) -> None:
        """A short header for a connection that is not known (RFC 9000 section 10.3)."""

    @abstractmethod
    def on_ended(self, protocol: BatchedProtocol) -> None:
        """A connection is not known any more."""

    def datagram_received(self, data: bytes | str, addr: NetworkAddress) -> None:
        assert isinstance(data, bytes)
        if not 0 < len(data) <= MOST_TAKEN_BYTES:
            return
        if data[0] & LONG_HEADER:
            self._on_long_header(data, addr)
            return
        connection_id = data[1 : 1 + self._id_bytes]
        protocol = self._protocols.get(connection_id)
        if protocol is not None:
            protocol.datagram_received(data, addr)
        elif len(connection_id) == self._id_bytes:
            self.on_stray(connection_id, data, addr)

    def _on_long_header(self, data: bytes, addr: NetworkAddress) -> None:
        buffer = Buffer(data=data)
        try:
            header = pull_quic_header(buffer, host_cid_length=self._id_bytes)
        except ValueError:
            return
        if self._packets_in(buffer, header.packet_length) > MOST_PACKETS:
            return
        if self._is_newcomer(header, data) and not self._let_in(header, addr):
            return
        if self._is_of_unknown_version(header) and not (_is_full(data) and self.may_answer()):
            return
        super().datagram_received(data, addr)

    def _packets_in(self, buffer: Buffer, end: int) -> int:
        """Of a datagram whose first packet ends there; beyond the limit nobody counts."""
        packets = 1
        while end < buffer.capacity and packets <= MOST_PACKETS:
            buffer.seek(end)
            try:
                end += pull_quic_header(buffer, host_cid_length=self._id_bytes).packet_length
            except ValueError:
                break
            packets += 1
        return packets

    def _is_newcomer(self, header: QuicHeader, data: bytes) -> bool:
        return (
            header.packet_type == QuicPacketType.INITIAL
            and _is_full(data)
            and header.version in self._configuration.supported_versions
            and header.destination_cid not in self._protocols
        )

    def _is_of_unknown_version(self, header: QuicHeader) -> bool:
        is_negotiation = header.packet_type == QuicPacketType.VERSION_NEGOTIATION
        return not is_negotiation and header.version not in self._configuration.supported_versions

    def _let_in(self, header: QuicHeader, addr: NetworkAddress) -> bool:
        """Whether aioquic gets to see the packet: where it would ask for tokens, it takes those that come."""
        self._retry = self._tokens if header.token else None  # type: ignore[assignment]
        if header.token and not self._is_ours(header, addr):
            return self.may_answer()
        verdict = self.on_newcomer(addr, is_proven=bool(header.token))
        if verdict is Verdict.RETRY:
            self._ask_for_token(header, addr)
        return verdict is Verdict.ACCEPT

    def _ask_for_token(self, header: QuicHeader, addr: NetworkAddress) -> None:
        """As aioquic does it (RFC 9000 section 8.1.2), with an ID that leads here: nobody else takes the token."""
        assert header.version is not None
        assert self._transport is not None
        source_id = self._name_id(secrets.token_bytes(self._id_bytes))
        token = self._tokens.create_token(
            address=addr,
            original_destination_connection_id=header.destination_cid,
            retry_source_connection_id=source_id,
            now=self._loop.time(),
        )
        retry = encode_quic_retry(
            version=header.version,
            source_cid=source_id,
            destination_cid=header.source_cid,
            original_destination_cid=header.destination_cid,
            retry_token=token,
        )
        self._transport.sendto(retry, addr)

    def _is_ours(self, header: QuicHeader, addr: NetworkAddress) -> bool:
        try:
            self._tokens.validate_token(
                address=addr,
                destination_cid=header.destination_cid,
                token=header.token,
                now=self._loop.time(),
            )
        except ValueError:
            return False
        return True

    def _connection_id_retired(self, cid: bytes, protocol: QuicConnectionProtocol) -> None:
        # Who retires an ID in the batch in which it was made retires one that was never issued.
        self._protocols.pop(cid, None)

    def _connection_terminated(self, protocol: BatchedProtocol) -> None:  # type: ignore[override]
        super()._connection_terminated(protocol)
        self.on_ended(protocol)
        self._loop.call_soon(protocol.release)  # once its last events are handled


def _is_full(data: bytes) -> bool:
    """Whether a datagram is as large as those that make connections; smaller ones get no answer."""
    return len(data) >= SMALLEST_MAX_DATAGRAM_SIZE
