"""Stamps, feedback and heartbeats as datagrams (wire_format/PROTOCOL.md).

The only place where their bytes are known in Python.
"""

from __future__ import annotations

import struct

from cc.core.base import Phase
from cc.core.receiver_base import Feedback, Stamp

STAMP_TYPE = 1
FEEDBACK_TYPE = 2
PING_TYPE = 3
PONG_TYPE = 4
STAMP = struct.Struct(">BBHIQQIIIIH")
FEEDBACK = struct.Struct(">BBHIIIQIHI")
HEARTBEAT = struct.Struct(">BBHI")

FLAG_APP_LIMITED = 0b0001
PHASE_SHIFT = 1
PHASE_MASK = 0b11
FLAG_HAS_RTT = 0b1000
STAMP_FLAGS = 0b1111
FLAG_END_SLOW_START = 0b1

K_MILLI_MIN, K_MILLI_MAX = 1000, 9000
MAX_SAFE_INTEGER = 2**53 - 1  # what a browser's number holds exactly
U32_MAX = 2**32 - 1


class MalformedDatagramError(ValueError):
    """A datagram that is not one of this version."""


def encode_stamp(stamp: Stamp) -> bytes:
    """A stamp as 42 bytes."""
    flags = (FLAG_APP_LIMITED if stamp.is_app_limited else 0) | stamp.phase << PHASE_SHIFT
    smoothed_rtt_us = min_rtt_us = 0
    if stamp.smoothed_rtt_s is not None and stamp.min_rtt_s is not None:
        flags |= FLAG_HAS_RTT
        smoothed_rtt_us = _microseconds(stamp.smoothed_rtt_s)
        min_rtt_us = _microseconds(stamp.min_rtt_s)
    return STAMP.pack(
        STAMP_TYPE,
        flags,
        stamp.epoch,
        stamp.sequence,
        round(stamp.send_time_s * 1e6),
        stamp.bytes_sent,
        stamp.packets_sent & U32_MAX,
        smoothed_rtt_us,
        min_rtt_us,
        min(stamp.cwnd_bytes, U32_MAX),
        stamp.max_datagram_bytes,
    )


def decode_stamp(data: bytes) -> Stamp:
    """A stamp from its bytes; raises MalformedDatagramError."""
    if len(data) != STAMP.size:
        raise MalformedDatagramError(f"a stamp has {STAMP.size} bytes, not {len(data)}")
    (kind, flags, epoch, sequence, send_us, bytes_sent, packets_sent, srtt_us, min_rtt_us, cwnd_bytes, size_bytes) = (
        STAMP.unpack(data)
    )
    if kind != STAMP_TYPE:
        raise MalformedDatagramError(f"a stamp has type {STAMP_TYPE}, not {kind}")
    phase = flags >> PHASE_SHIFT & PHASE_MASK
    if flags & ~STAMP_FLAGS or phase > Phase.RECOVERY:
        raise MalformedDatagramError(f"the stamp's flags {flags:#04x} are not defined")
    if size_bytes == 0 or cwnd_bytes == 0 or send_us > MAX_SAFE_INTEGER or bytes_sent > MAX_SAFE_INTEGER:
        raise MalformedDatagramError("a field of the stamp is out of its range")
    has_rtt = bool(flags & FLAG_HAS_RTT)
    return Stamp(
        sequence=sequence,
        epoch=epoch,
        phase=Phase(phase),
        send_time_s=send_us / 1e6,
        bytes_sent=bytes_sent,
        packets_sent=packets_sent,
        smoothed_rtt_s=srtt_us / 1e6 if has_rtt else None,
        min_rtt_s=min_rtt_us / 1e6 if has_rtt else None,
        cwnd_bytes=cwnd_bytes,
        max_datagram_bytes=size_bytes,
        is_app_limited=bool(flags & FLAG_APP_LIMITED),
    )


def encode_feedback(feedback: Feedback) -> bytes:
    """Feedback as 34 bytes."""
    return FEEDBACK.pack(
        FEEDBACK_TYPE,
        FLAG_END_SLOW_START if feedback.end_slow_start else 0,
        feedback.epoch,
        feedback.sequence,
        feedback.last_stamp_sequence,
        min(feedback.window_bytes, U32_MAX),
        min(feedback.bandwidth_bits_per_s, MAX_SAFE_INTEGER),
        _microseconds(feedback.queueing_delay_s),
        0 if feedback.k is None else round(feedback.k * 1000),
        0 if feedback.target_delay_s is None else max(1, _microseconds(feedback.target_delay_s)),  # 0 says none
    )


def decode_feedback(data: bytes) -> Feedback:
    """Feedback from its bytes; raises MalformedDatagramError."""
    if len(data) != FEEDBACK.size:
        raise MalformedDatagramError(f"feedback has {FEEDBACK.size} bytes, not {len(data)}")
    (kind, flags, epoch, sequence, stamp_sequence, window_bytes, bandwidth, delay_us, k_milli, target_us) = (
        FEEDBACK.unpack(data)
    )
    if kind != FEEDBACK_TYPE:
        raise MalformedDatagramError(f"feedback has type {FEEDBACK_TYPE}, not {kind}")
    if flags & ~FLAG_END_SLOW_START:
        raise MalformedDatagramError(f"the feedback's flags {flags:#04x} are not defined")
    has_k = k_milli != 0
    if window_bytes == 0 or bandwidth > MAX_SAFE_INTEGER or (has_k and not K_MILLI_MIN <= k_milli <= K_MILLI_MAX):
        raise MalformedDatagramError("a field of the feedback is out of its range")
    return Feedback(
        sequence=sequence,
        epoch=epoch,
        last_stamp_sequence=stamp_sequence,
        window_bytes=window_bytes,
        end_slow_start=bool(flags & FLAG_END_SLOW_START),
        bandwidth_bits_per_s=bandwidth,
        queueing_delay_s=delay_us / 1e6,
        k=k_milli / 1000 if has_k else None,
        target_delay_s=target_us / 1e6 if target_us != 0 else None,
    )


def is_ping(data: bytes) -> bool:
    """Whether a datagram claims to be a ping."""
    return data[:1] == bytes([PING_TYPE])


def encode_ping(sequence: int) -> bytes:
    """A ping as 8 bytes."""
    return HEARTBEAT.pack(PING_TYPE, 0, 0, sequence)


def decode_ping(data: bytes) -> int:
    """A ping's sequence; raises MalformedDatagramError."""
    return _decode_heartbeat(data, PING_TYPE, "ping")


def is_pong(data: bytes) -> bool:
    """Whether a datagram claims to be a pong."""
    return data[:1] == bytes([PONG_TYPE])


def encode_pong(sequence: int) -> bytes:
    """A pong as 8 bytes."""
    return HEARTBEAT.pack(PONG_TYPE, 0, 0, sequence)


def decode_pong(data: bytes) -> int:
    """The sequence of the ping that a pong answers; raises MalformedDatagramError."""
    return _decode_heartbeat(data, PONG_TYPE, "pong")


def _decode_heartbeat(data: bytes, expected_kind: int, name: str) -> int:
    if len(data) != HEARTBEAT.size:
        raise MalformedDatagramError(f"a {name} has {HEARTBEAT.size} bytes, not {len(data)}")
    kind, flags, reserved, sequence = HEARTBEAT.unpack(data)
    if kind != expected_kind:
        raise MalformedDatagramError(f"a {name} has type {expected_kind}, not {kind}")
    if flags or reserved:
        raise MalformedDatagramError(f"the {name}'s flags {flags:#04x} and reserved bits {reserved:#06x} are not 0")
    return int(sequence)


def _microseconds(seconds: float) -> int:
    return min(U32_MAX, max(0, round(seconds * 1e6)))
