"""Loss detection (RFC 9002 section 6 and 7.6), for senders that have no transport to do it for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cc.core.base import RttState, SentPacket

PACKET_THRESHOLD = 3  # section 6.1.1
TIME_THRESHOLD = 9 / 8  # section 6.1.2
GRANULARITY_S = 0.001  # section 6.1.2
INITIAL_RTT_S = 0.333  # section 6.2.2
PERSISTENT_CONGESTION_THRESHOLD = 3  # section 7.6.1


@dataclass(frozen=True, slots=True)
class LossVerdict:
    """Which packets are lost, and when to look again."""

    lost: tuple[SentPacket, ...]
    next_check_s: float | None
    """When the next packet would be lost by time; None if no packet waits for that."""


def detect_losses(in_flight: Iterable[SentPacket], *, largest_acked: int, now_s: float, rtt: RttState) -> LossVerdict:
    """Judge the packets in flight, given in the order of sending (section 6.1)."""
    delay_s = max(TIME_THRESHOLD * max(rtt.latest_s, rtt.smoothed_s), GRANULARITY_S)
    lost = []
    for packet in in_flight:
        if packet.packet_number > largest_acked:
            break
        lost_at_s = packet.sent_time_s + delay_s
        if packet.packet_number <= largest_acked - PACKET_THRESHOLD or lost_at_s <= now_s:
            lost.append(packet)
        else:
            return LossVerdict(tuple(lost), lost_at_s)  # later packets were sent later
    return LossVerdict(tuple(lost), None)


def probe_timeout_s(rtt: RttState | None, *, max_ack_delay_s: float) -> float:
    """The PTO without backoff (section 6.2.1)."""
    if rtt is None:
        return 2 * INITIAL_RTT_S
    return rtt.smoothed_s + max(4 * rtt.variance_s, GRANULARITY_S) + max_ack_delay_s


def is_persistent_congestion(
    lost: Sequence[SentPacket], *, rtt: RttState, max_ack_delay_s: float, first_rtt_sample_s: float
) -> bool:
    """Whether a run of lost packets, none acknowledged in between, spans the duration of section 7.6.1.

    A gap in packet numbers counts as an acknowledged packet.
    """
    duration_s = PERSISTENT_CONGESTION_THRESHOLD * probe_timeout_s(rtt, max_ack_delay_s=max_ack_delay_s)
    run_began_s: float | None = None
    previous_number: int | None = None
    for packet in lost:
        if previous_number is not None and packet.packet_number != previous_number + 1:
            run_began_s = None
        previous_number = packet.packet_number
        if packet.sent_time_s <= first_rtt_sample_s:
            continue
        if run_began_s is None:
            run_began_s = packet.sent_time_s
        elif packet.sent_time_s - run_began_s > duration_s:
            return True
    return False
