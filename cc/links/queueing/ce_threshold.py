"""A droptail queue that marks "congestion experienced" what arrives when it holds more than K packets.

Source: Alizadeh et al.: Data Center TCP, SIGCOMM 2010, section 3.1, and RFC 8257 section 3.1. K is the paper's for
links of 1 Gbit/s. It is to be more than a seventh of the bandwidth-delay product (its eq. 13), which 20 packets are up
to 40 Mbit/s and 40 ms.

A switch's queue holds the packet that is being sent, too. Here, as in mahimahi, that one has left the queue: it holds
more than K where a packet finds K waiting.

Deviation: it marks packets of all flows. Schemes that know nothing of marks go on until it drops.
"""

from __future__ import annotations

from typing import TypeVar

from cc.links.link import QueueLimit
from cc.links.queueing.discipline import Discipline, DropTail, Mark, QueuedPacket

THRESHOLD_PACKETS = 20  # K

TokenT = TypeVar("TokenT")


class CeThreshold(DropTail[TokenT]):
    """The queue's length as it is, not as it was on average."""

    def __init__(self, limit: QueueLimit | None = None, *, threshold_packets: int = THRESHOLD_PACKETS) -> None:
        super().__init__(limit)
        self._threshold_packets = threshold_packets

    def enter(self, packet: QueuedPacket[TokenT], *, now_s: float) -> bool:
        if len(self) >= self._threshold_packets:  # and one is being sent
            packet.mark = Mark.CONGESTION
        return super().enter(packet, now_s=now_s)


DISCIPLINE = Discipline("ce-threshold", lambda limit, _opportunities_ms, _rng: CeThreshold(limit), marks=True)
