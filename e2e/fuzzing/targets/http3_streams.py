"""HTTP/3, QPACK, capsules, request lines and datagrams, in well-formed frames of QUIC."""

from __future__ import annotations

from e2e.fuzzing.target import Subject, Target
from e2e.fuzzing.targets.quic_frames import PING, SHARED
from e2e.fuzzing.wire_samples import datagram_frame, http_streams, integers, read_pieces, stream_frame

SESSION, REQUEST, OTHER_REQUEST, CONTROL, ENCODER, DECODER, UNIDIRECTIONAL, DATAGRAM, STOP, FRAMES = range(10)
STREAMS = {CONTROL: 2, ENCODER: 6, DECODER: 10}
LARGEST_PIECE_BYTES = 1100


class OpenSession(Subject):
    """Writes on the streams of an open session; each stream goes on where it was."""

    def __init__(self) -> None:
        self._session = SHARED.session()
        self._next_request = self._session.session_id + 4
        self._next_unidirectional = 14

    def feed(self, data: bytes) -> bool:
        is_understood = True
        for where, is_last, piece in read_pieces(data):
            if not self._session.is_open:
                break
            is_understood &= self._session.receive(self._frame(where % 10, piece[:LARGEST_PIECE_BYTES], is_last))
        self.is_spent = not self._session.is_open or self._next_request > 4 * 110 or self._next_unidirectional > 400
        return is_understood

    def _frame(self, where: int, data: bytes, is_last: bool) -> bytes:
        if where == DATAGRAM:
            return datagram_frame(data)
        if where == STOP:  # STOP_SENDING or RESET_STREAM, of the session or of the request to come
            stream_id = self._session.session_id if len(data) % 4 == 0 else self._next_request
            return integers(0x05, stream_id, 1) if len(data) % 2 else integers(0x04, stream_id, 1, 0)
        if where == FRAMES:
            return data or PING
        stream_id = self._stream(where)
        offset = self._session.offsets.get(stream_id, 0)
        self._session.offsets[stream_id] = offset + len(data)
        return stream_frame(stream_id, offset, data, is_last=is_last)

    def _stream(self, where: int) -> int:
        if where == SESSION:
            return self._session.session_id
        if where in (REQUEST, OTHER_REQUEST):
            self._next_request += 4
            return self._next_request - 4
        if where == UNIDIRECTIONAL:
            self._next_unidirectional += 4
            return self._next_unidirectional - 4
        return STREAMS[where]


TARGET = Target(
    "http3-streams",
    "HTTP/3 and QPACK, capsules, request lines and datagrams on the streams of an open session",
    OpenSession,
    http_streams,
    tokens=(b"\x41\x00", b"\x40\x41\x00", b"\x54\x00", b"\x28\x43", b'{"path":"', b'"range":[', b"\x01", b"\x04"),
    inputs_each=500,
    end=SHARED.close,
    test_inputs=1000,
)
