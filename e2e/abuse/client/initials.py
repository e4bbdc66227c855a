"""First packets of connections that nobody means to finish: what a spoofed source can send."""

from __future__ import annotations

import random
import socket
from collections.abc import Sequence

from aioquic.buffer import Buffer, encode_uint_var  # type: ignore[attr-defined]
from aioquic.h3.connection import H3_ALPN
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.crypto import CryptoPair
from aioquic.quic.packet import QuicFrameType, QuicPacketType, QuicProtocolVersion
from aioquic.quic.packet_builder import QuicPacketBuilder

MAX_DATAGRAM_BYTES = 1200
CONNECTION_ID_BYTES = 8
LONG_HEADER_INITIAL = 0xC0
"""Of the first byte (RFC 9000 section 17.2.2)."""
PACKET_NUMBER_BYTES = 2
SMALLEST_PING = bytes([QuicFrameType.PING, *bytes(3)])
"""With as much padding as header protection wants (RFC 9001 section 5.4.2)."""
TAG_BYTES = 16
"""Of every cipher of QUIC (RFC 9001 section 5.3)."""


def plain_initial() -> bytes:
    """A whole and honest one."""
    quic = QuicConnection(configuration=QuicConfiguration(alpn_protocols=H3_ALPN, is_client=True, server_name="here"))
    quic.connect(("127.0.0.1", 9), now=0.0)
    return bytes(quic.datagrams_to_send(now=0.0)[0][0])


class InitialWriter:
    """The first packets of one connection, each a full datagram of frames that we choose."""

    def __init__(self, rng: random.Random) -> None:
        self._own_id, self._server_id = (rng.randbytes(CONNECTION_ID_BYTES) for _ in range(2))
        self._crypto = CryptoPair()
        self._crypto.setup_initial(cid=self._server_id, is_client=True, version=QuicProtocolVersion.VERSION_1)
        self._packet_number = 0

    def datagram_of(self, frame_type: int, content: bytes) -> bytes:
        """The next one, of this frame and what `content` has after it."""
        builder = QuicPacketBuilder(
            host_cid=self._own_id,
            peer_cid=self._server_id,
            version=QuicProtocolVersion.VERSION_1,
            is_client=True,
            max_datagram_size=MAX_DATAGRAM_BYTES,
            packet_number=self._packet_number,
        )
        builder.start_packet(QuicPacketType.INITIAL, self._crypto)
        builder.start_frame(frame_type).push_bytes(content)
        datagram: bytes = builder.flush()[0][0]
        self._packet_number = builder.packet_number
        return datagram

    def datagram_of_packets(self, count: int) -> bytes:
        """The next one, of so many packets, each of a PING."""
        datagram = b""
        for _ in range(count):
            ids = (self._server_id, self._own_id)
            datagram += _initial(self._crypto, ids, number=self._packet_number, payload=SMALLEST_PING)
            self._packet_number += 1
        return datagram.ljust(MAX_DATAGRAM_BYTES, b"\0")  # a server reads no Initial of a smaller datagram


def large_initial(payload: bytes, rng: random.Random) -> bytes:
    """The first packet of a connection with this payload, in a datagram that is larger than any honest one.

    Its length takes four bytes, of which aioquic's own packets have two.
    """
    own_id, server_id = (rng.randbytes(CONNECTION_ID_BYTES) for _ in range(2))
    crypto = CryptoPair()
    crypto.setup_initial(cid=server_id, is_client=True, version=QuicProtocolVersion.VERSION_1)
    return _initial(crypto, (server_id, own_id), number=0, payload=payload)


def _initial(crypto: CryptoPair, connection_ids: tuple[bytes, bytes], *, number: int, payload: bytes) -> bytes:
    """A packet without a token; `connection_ids`: the server's and one's own."""
    header = Buffer(capacity=64)
    header.push_uint8(LONG_HEADER_INITIAL | (PACKET_NUMBER_BYTES - 1))
    header.push_uint32(QuicProtocolVersion.VERSION_1)
    for connection_id in connection_ids:
        header.push_uint8(CONNECTION_ID_BYTES)
        header.push_bytes(connection_id)
    header.push_uint_var(0)  # no token
    header.push_uint_var(PACKET_NUMBER_BYTES + len(payload) + TAG_BYTES)
    header.push_uint16(number)
    packet: bytes = crypto.encrypt_packet(header.data, payload, number)
    return packet


def crypto_gap_initial(offset_bytes: int, rng: random.Random) -> bytes:
    """One byte of the handshake's stream at this offset: whoever keeps the gap keeps so much (RFC 9000 section 7.5)."""
    content = encode_uint_var(offset_bytes) + encode_uint_var(1) + b"\0"
    return InitialWriter(rng).datagram_of(QuicFrameType.CRYPTO, content)


def send_from(hosts: Sequence[str], datagrams: Sequence[bytes], port: int) -> None:
    """Each datagram from an address of its own, to a server on loopback; nobody waits for answers."""
    for host, datagram in zip(hosts, datagrams, strict=True):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.bind((host, 0))
            sock.sendto(datagram, ("127.0.0.1", port))
