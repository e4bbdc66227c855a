"""ACKs and datagrams, which are most of what a viewer sends, read as they come; anything else is left to aioquic.

aioquic has a handler looked up and called for each frame, and sorts an ACK's ranges into a set. What is read here has
the same effect: `tests/test_fast_reads.py` holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable

from aioquic.buffer import Buffer, BufferReadError  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection, QuicReceiveContext
from aioquic.quic.events import DatagramFrameReceived
from aioquic.quic.packet import QuicFrameType
from aioquic.tls import Epoch

from transport.aioquic_adapter.frame_limits import FrameLimits
from transport.aioquic_adapter.recovery import SchemeRecovery

MOST_RANGES = 8
"""Of an ACK, beside the first; longer ones are rare, and left to aioquic."""
ACK, DATAGRAM_WITH_LENGTH = int(QuicFrameType.ACK), int(QuicFrameType.DATAGRAM_WITH_LENGTH)


class FastPayloads:
    """Of one connection."""

    def __init__(self, quic: QuicConnection, recovery: SchemeRecovery, limits: FrameLimits) -> None:
        """Take over the reading of payloads in a connection that has not begun."""
        self._quic = quic
        self._recovery = recovery
        self._limits = limits
        self._read_slowly: Callable[..., tuple[bool, bool]] = quic._payload_received
        quic._payload_received = self._read  # type: ignore[method-assign]

    def _read(
        self, context: QuicReceiveContext, plain: bytes, crypto_frame_required: bool = False
    ) -> tuple[bool, bool]:
        """Whether the payload asks for an ACK, and whether it only probes a path. Raises QuicConnectionError."""
        if context.epoch is not Epoch.ONE_RTT or context.quic_logger_frames is not None:
            return self._read_slowly(context, plain, crypto_frame_required=crypto_frame_required)
        buffer = Buffer(data=plain)
        size_bytes = len(plain)
        is_ack_eliciting = False
        at = 0
        while True:
            kind = plain[at] if at < size_bytes else None
            if kind == ACK and self._take_ack(buffer, context):
                pass
            elif kind == DATAGRAM_WITH_LENGTH and self._take_datagram(buffer, size_bytes):
                is_ack_eliciting = True
            else:
                break
            at = buffer.tell()
        if at == size_bytes and at > 0:
            return is_ack_eliciting, False
        is_rest_eliciting, is_probing = self._read_slowly(context, plain[at:])
        return is_ack_eliciting or is_rest_eliciting, is_probing and at == 0

    def _take_ack(self, buffer: Buffer, context: QuicReceiveContext) -> bool:
        """Whether it was one that could be taken."""
        begin = buffer.tell()
        buffer.seek(begin + 1)
        ranges, delay = _pull_ranges(buffer)
        if not ranges or not self._recovery.peer_completed_address_validation:
            buffer.seek(begin)
            return False
        self._limits.count_ack(ranges=len(ranges) - 1)
        self._recovery.on_ack_received(
            ack_rangeset=ranges,
            ack_delay=(delay << self._quic._remote_ack_delay_exponent) / 1000000,
            now=context.time,
            space=self._quic._spaces[Epoch.ONE_RTT],
        )
        return True

    def _take_datagram(self, buffer: Buffer, size_bytes: int) -> bool:
        most_bytes = self._quic._configuration.max_datagram_frame_size
        if most_bytes is None or size_bytes >= most_bytes:
            return False
        begin = buffer.tell()
        buffer.seek(begin + 1)
        try:
            data = buffer.pull_bytes(buffer.pull_uint_var())
        except BufferReadError:
            buffer.seek(begin)
            return False
        self._limits.count(DATAGRAM_WITH_LENGTH)
        self._quic._events.append(DatagramFrameReceived(data))
        return True


def _pull_ranges(buffer: Buffer) -> tuple[list[range], int]:
    """Of an ACK, in order, and its delay as it is encoded (RFC 9000 section 19.3); none where aioquic has to look."""
    try:
        stop = buffer.pull_uint_var() + 1
        delay = buffer.pull_uint_var()
        more = buffer.pull_uint_var()
        start = stop - 1 - buffer.pull_uint_var()
        if more > MOST_RANGES:
            return [], delay
        ranges = [range(start, stop)]
        for _ in range(more):
            stop = start - 1 - buffer.pull_uint_var()
            start = stop - 1 - buffer.pull_uint_var()
            ranges.append(range(start, stop))
    except BufferReadError:
        return [], 0
    ranges.reverse()
    return (ranges, delay) if start >= 0 else ([], delay)
