"""The streams that a peer has opened on one of aioquic's connections: what is written to them, and what may be."""

from __future__ import annotations

from aioquic.quic.connection import QuicConnection

from transport.aioquic_adapter.peer_limits import PeerLimits
from transport.aioquic_adapter.stream_sender import PiecewiseSender


class ConnectionStreams:
    """By their numbers, of one connection."""

    def __init__(self, quic: QuicConnection, limits: PeerLimits) -> None:
        self._quic = quic
        self._limits = limits

    def highest_sent_offset(self, stream_id: int) -> int | None:
        """How much of a stream has been sent at least once; None where the stream is finished and gone."""
        stream = self._quic._streams.get(stream_id)
        return None if stream is None else stream.sender.highest_offset

    def limit_offset(self, stream_id: int) -> int:
        """How far the client lets a stream go, by that stream's limit; 0 where it is finished and gone."""
        stream = self._quic._streams.get(stream_id)
        return 0 if stream is None else stream.max_stream_data_remote

    @property
    def credit_bytes(self) -> int:
        """What the client takes beyond what was sent, on all streams together."""
        return self._quic._remote_max_data - self._quic._remote_max_data_used

    @property
    def sent_bytes(self) -> int:
        """What was sent on all streams together, each byte once."""
        return self._quic._remote_max_data_used

    def can_write(self, stream_id: int) -> bool:
        """Whether the client still takes what is written: aioquic resets a stream before it tells of STOP_SENDING."""
        stream = self._quic._streams.get(stream_id)
        return stream is not None and stream.sender._reset_error_code is None and not stream.sender.is_finished

    def write(self, stream_id: int, data: bytes, *, is_last: bool) -> None:
        """Send on a stream; the data is kept, not copied."""
        sender = self._quic._streams[stream_id].sender
        PiecewiseSender.take_over(sender)
        self._quic.send_stream_data(stream_id, data, end_stream=is_last)

    def reset(self, stream_id: int, error_code: int) -> None:
        """End a stream, and forget what it would still have sent."""
        self._quic.reset_stream(stream_id, error_code)
        self._limits.forget_response(stream_id)
