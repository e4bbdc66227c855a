"""Well-formed messages to begin from: frames of QUIC and HTTP/3, and the wire's own vectors."""

from __future__ import annotations

import json
from pathlib import Path

from aioquic.buffer import Buffer, encode_uint_var  # type: ignore[attr-defined]
from pylsqpack import Encoder

from transport.wire_format.capsules import encode_close

ORIGIN = "http://localhost:8080"
"""Of the only pages that may open sessions."""
TESTDATA = Path(__file__).parents[2] / "transport" / "wire_format" / "testdata"
WEBTRANSPORT_STREAM = 0x41
LONGEST_INTEGER = 2**62 - 1
CONNECT = Encoder().encode(
    0,
    [
        (b":method", b"CONNECT"),
        (b":protocol", b"webtransport"),
        (b":scheme", b"https"),
        (b":authority", b"a"),
        (b":path", b"/v1/cubic"),
        (b"origin", ORIGIN.encode()),
    ],
)[1]


def vectors(name: str) -> list[bytes]:
    """The shared vectors of a message, good ones and bad ones."""
    return [bytes.fromhex(vector["hex"]) for vector in json.loads((TESTDATA / f"{name}.json").read_text("utf-8"))]


def integers(*values: int) -> bytes:
    """QUIC's integers of variable length (RFC 9000 section 16)."""
    return b"".join(encode_uint_var(value) for value in values)


def stream_frame(stream_id: int, offset: int, data: bytes, *, is_last: bool = False) -> bytes:
    """STREAM with offset and length (RFC 9000 section 19.8)."""
    return integers(0x0F if is_last else 0x0E, stream_id, offset, len(data)) + data


def datagram_frame(data: bytes) -> bytes:
    """DATAGRAM with a length (RFC 9221 section 4)."""
    return integers(0x31, len(data)) + data


def http_frame(kind: int, payload: bytes) -> bytes:
    """A frame of HTTP/3 (RFC 9114 section 7.1)."""
    return integers(kind, len(payload)) + payload


def request_stream(line: bytes, session_id: int = 0) -> bytes:
    """What a client's bidirectional stream of a session carries."""
    return integers(WEBTRANSPORT_STREAM, session_id) + line


def session_datagrams() -> list[bytes]:
    """Feedback and pings as datagrams of session 0."""
    return [integers(0) + message for name in ("feedback", "pings") for message in vectors(name)]


def quic_frames() -> list[bytes]:
    """One of each kind that a client may send in a 1-RTT packet, and some that it may not."""
    request = request_stream(b'{"path":"seg.m4s","range":[0,999],"priority":3}\n')
    token = bytes(range(16))
    return [
        integers(0x00, 0x00, 0x01),  # PADDING, PING
        integers(0x02, 5, 0, 1, 2, 0, 1),  # ACK with two ranges
        integers(0x03, 5, 0, 0, 5, 3, 2, 1),  # ACK with ECN counts
        integers(0x04, 4, 7, 100),  # RESET_STREAM
        integers(0x05, 4, 1),  # STOP_SENDING
        integers(0x06, 0, 4) + b"\x01\x00\x00\x00",  # CRYPTO
        integers(0x07, 4) + b"tokn",  # NEW_TOKEN, which only servers send
        stream_frame(4, 0, request, is_last=True),
        stream_frame(8, 0, request_stream(b'{"path":"generated/100000"}\n')),
        stream_frame(12, 16_000, b"far ahead"),
        stream_frame(0, 60, http_frame(0x00, encode_close(0, "over")), is_last=True),
        integers(0x08, 14) + b"no length",
        integers(0x10, LONGEST_INTEGER),  # MAX_DATA
        integers(0x11, 4, 2**20),  # MAX_STREAM_DATA
        integers(0x12, 128),  # MAX_STREAMS, bidirectional
        integers(0x13, 128),  # MAX_STREAMS, unidirectional
        integers(0x14, 1000),  # DATA_BLOCKED
        integers(0x15, 4, 1000),  # STREAM_DATA_BLOCKED
        integers(0x16, 128),  # STREAMS_BLOCKED
        integers(0x18, 7, 1, 8) + bytes(8) + token,  # NEW_CONNECTION_ID
        integers(0x19, 0),  # RETIRE_CONNECTION_ID
        integers(0x1A) + bytes(8),  # PATH_CHALLENGE
        integers(0x1B) + bytes(8),  # PATH_RESPONSE
        integers(0x1C, 10, 6, 3) + b"bye",  # CONNECTION_CLOSE
        integers(0x1D, 256, 3) + b"bye",  # CONNECTION_CLOSE of the application
        integers(0x1E),  # HANDSHAKE_DONE, which only servers send
        *(datagram_frame(datagram) for datagram in session_datagrams()),
    ]


def http_streams() -> list[bytes]:
    """Pieces of streams as `http3_streams` reads them: where, how long, what."""
    headers = bytes.fromhex("0000d1d7508b089d5c0b8170dc780b03c1")
    pieces = [
        (0, http_frame(0x00, encode_close(7, "enough"))),
        (0, http_frame(0x00, b"\x00\x05hello")),
        (1, request_stream(b'{"path":"seg.m4s"}\n')),
        (1, request_stream(b'{"path":"generated/5000","priority":0}\n', 4)),
        (2, http_frame(0x01, headers) + http_frame(0x00, b"body")),
        (3, http_frame(0x04, integers(1, 0, 6, 16_384, 0x33, 1))),  # a second SETTINGS
        (3, http_frame(0x07, integers(0)) + http_frame(0x0D, integers(9))),  # GOAWAY, MAX_PUSH_ID
        (4, bytes.fromhex("3fe11fc0")),  # the QPACK encoder's instructions
        (5, bytes.fromhex("8044")),  # the decoder's
        (6, integers(0x54, 0) + b"a unidirectional stream of the session"),
        (6, integers(0x21) + b"a reserved kind of stream"),
        (8, b"1234"),
        (8, b"123"),
        (9, integers(0x05, 4, 1) + integers(0x01)),
        *((7, datagram) for datagram in session_datagrams()),
    ]
    stopped = piece(8, b"123") + piece(1, http_frame(0x01, headers))
    connect = piece(8, b"1") + piece(1, http_frame(0x01, CONNECT))
    return [*(piece(where, data) for where, data in pieces), stopped, connect]


def piece(where: int, data: bytes, *, is_last: bool = False) -> bytes:
    """One piece of a stream."""
    return bytes([where | (0x80 if is_last else 0)]) + integers(len(data)) + data


def read_pieces(data: bytes) -> list[tuple[int, bool, bytes]]:
    """Where, whether it is the stream's last, and what; the rest of an input that ends early is a piece, too."""
    buffer = Buffer(data=data)
    pieces = []
    while not buffer.eof():
        first = buffer.pull_uint8()
        try:
            length = buffer.pull_uint_var()
        except ValueError:
            break
        rest = len(data) - buffer.tell()
        pieces.append((first & 0x7F, bool(first & 0x80), buffer.pull_bytes(min(length, rest))))
    return pieces
