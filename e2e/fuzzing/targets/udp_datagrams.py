"""Datagrams of strangers, to the port of the media server."""

from __future__ import annotations

from collections.abc import Callable
from ssl import CERT_NONE

from aioquic.h3.connection import H3_ALPN
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.crypto import CryptoPair
from aioquic.quic.packet import QuicPacketType, QuicProtocolVersion, encode_long_header_first_byte

from e2e.fuzzing.memory_server import MemoryServer
from e2e.fuzzing.target import Subject, Target
from e2e.fuzzing.wire_samples import integers

RAW, INITIAL, STRANGER, FOLLOWING = range(4)
WAIT_S = 0.05
"""Between datagrams: half-open connections time out after some hundred."""
VERSION = QuicProtocolVersion.VERSION_1
DESTINATION = bytes(range(8))
LEAST_INITIAL_BYTES = 1200
SERVER_ADDRESS = ("192.0.2.1", 4433)


class Port(Subject):
    """The first byte says what kind of datagram the rest is made into, and from which of few addresses it comes.

    A datagram as it is, the payload of an Initial with its keys, the same from an address of its own, or what damages
    the next datagram of an honest client that shakes hands.
    """

    def __init__(self) -> None:
        self._server = MemoryServer()
        self._count = 0
        self._kinds: tuple[Callable[[bytes], None], ...] = (self._raw, self._initial, self._initial, self._following)
        self._client = self._new_client()
        self._waiting: list[bytes] = []

    def feed(self, data: bytes) -> bool:
        kind, rest = (data[0] % 4, data[1:]) if data else (RAW, b"")
        self._count += 1
        self._host = f"198.51.100.{self._count % 4 if kind == RAW else self._count % 200 + 1}"
        self._kinds[kind](rest)
        return kind != RAW

    def close(self) -> None:
        self._server.close()

    def _deliver(self, datagram: bytes) -> list[bytes]:
        sent = self._server.deliver(datagram, (self._host, 1024 + self._count % 60_000), wait_s=WAIT_S)
        return [answer for answer, _ in sent]

    def _raw(self, data: bytes) -> None:
        self._deliver(data)

    def _initial(self, payload: bytes) -> None:
        destination = self._count.to_bytes(8, "big")
        pair = CryptoPair()
        pair.setup_initial(cid=destination, is_client=True, version=VERSION)
        plain = payload + bytes(max(0, LEAST_INITIAL_BYTES - 60 - len(payload)))
        first = encode_long_header_first_byte(VERSION, QuicPacketType.INITIAL, 1)
        header = (
            bytes([first])
            + VERSION.to_bytes(4, "big")
            + bytes([8])
            + destination
            + bytes([8])
            + DESTINATION
            + integers(0)
            + (len(plain) + 2 + 16 | 0x4000).to_bytes(2, "big")
            + bytes(2)
        )
        self._deliver(pair.encrypt_packet(header, plain, 0))

    def _following(self, damage: bytes) -> None:
        """A position and what stands there instead; without it the datagram is whole."""
        if not self._waiting:
            now_s = self._server.loop.time()
            self._waiting = [datagram for datagram, _ in self._client.datagrams_to_send(now=now_s)]
        if not self._waiting:
            self._client = self._new_client()
            return
        datagram = bytearray(self._waiting.pop(0))
        if len(damage) > 2:
            at = int.from_bytes(damage[:2], "big") % len(datagram)
            datagram[at : at + len(damage) - 2] = damage[2:]
        for answer in self._deliver(bytes(datagram)):
            self._client.receive_datagram(answer, SERVER_ADDRESS, now=self._server.loop.time())

    def _new_client(self) -> QuicConnection:
        client = QuicConnection(
            configuration=QuicConfiguration(
                alpn_protocols=H3_ALPN, is_client=True, server_name="192.0.2.1", verify_mode=CERT_NONE
            )
        )
        client.connect(SERVER_ADDRESS, now=self._server.loop.time())
        return client


def samples() -> list[bytes]:
    """Of each kind."""
    long_header = bytes([0xC3]) + VERSION.to_bytes(4, "big") + bytes([8]) + DESTINATION + bytes([8]) + DESTINATION
    raw = [
        long_header + integers(0, 1200) + bytes(1160),
        bytes([0xC0]) + bytes.fromhex("1a2a3a4a") + bytes([8]) + DESTINATION + bytes([0]) + bytes(1185),
        bytes([0x80]) + bytes(4) + bytes([8]) + DESTINATION + bytes([8]) + DESTINATION + VERSION.to_bytes(4, "big"),
        bytes([0xF0]) + long_header[1:] + b"token" + bytes(16),
        bytes([0xE0]) + long_header[1:] + integers(40) + bytes(40),
        bytes([0x43]) + DESTINATION + bytes(40),
    ]
    hello = (
        bytes.fromhex("010000430303")
        + bytes(32)
        + bytes.fromhex("00000413011302010000160033000401001d00002b0003020304")
    )
    payloads = [
        integers(0x06, 0, len(hello)) + hello,
        integers(0x06, 0, 4) + hello[:4] + integers(0x06, 60, 10) + hello[60:70],
        integers(0x06, 524_287, 1) + b"\x00",
        integers(0x06, 0, 1) + b"\x01" + integers(0x02, 0, 0, 0, 0),
        integers(0x06, 0, 0, 0x01),
        integers(0x1C, 0, 0, 3) + b"bye",
        integers(0x0E, 0, 0, 3) + b"abc",
    ]
    damages = [b"", b"\x00\x00\xc0", b"\x00\x05\x14", b"\x04\xaf\x00\x00", b"\x00\x32\xff\xff\xff"]
    return [
        *(bytes([RAW]) + data for data in raw),
        *(bytes([kind]) + data for kind in (INITIAL, STRANGER) for data in payloads),
        *(bytes([FOLLOWING]) + data for data in (*damages, b"", b"", b"")),
    ]


TARGET = Target(
    "udp-datagrams",
    "datagrams to the media server's port: raw, Initials with the right keys, and damaged handshakes",
    Port,
    samples,
    tokens=(VERSION.to_bytes(4, "big"), integers(0x06, 0), b"\x00\x2b\x00\x03\x02\x03\x04", b"\x1c", b"\x02"),
    inputs_each=20_000,
)
