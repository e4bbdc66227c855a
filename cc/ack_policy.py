"""When Chromium's QUIC receiver acknowledges (google/quiche, QuicReceivedPacketManager): rarely, in bursts of ten.

A sender must be tried against this rather than against an ACK for every second packet: window growth, RTT
samples and delivery rates all come in lumps.
"""

from __future__ import annotations

PACKETS_BEFORE_DECIMATION = 100  # kMinReceivedBeforeAckDecimation
EARLY_PACKETS_PER_ACK = 2
PACKETS_PER_ACK = 10  # kMaxRetransmittablePacketsBeforeAck
DECIMATION_RTT_SHARE = 0.25
DELAYED_ACK_S = 0.025
PACKETS_AFTER_GAP = 4  # kMaxPacketsAfterNewMissing: a fresh gap is told at once


class AckPolicy:
    """Decides when the packets received so far are acknowledged."""

    def __init__(self, *, min_rtt_s: float) -> None:
        self._decimated_delay_s = min(DELAYED_ACK_S, DECIMATION_RTT_SHARE * min_rtt_s)
        self._received = 0
        self._unacknowledged = 0
        self._largest = -1
        self._gap_packets_left = 0
        self.due_s: float | None = None
        """When the next ACK is due; None if there is nothing to acknowledge."""

    def on_packet(self, packet_number: int, *, now_s: float) -> None:
        """A packet arrived, in the order of arrival."""
        self._received += 1
        self._unacknowledged += 1
        if packet_number > self._largest + 1:
            self._gap_packets_left = PACKETS_AFTER_GAP
        self._largest = max(self._largest, packet_number)
        is_early = self._received <= PACKETS_BEFORE_DECIMATION
        limit = EARLY_PACKETS_PER_ACK if is_early else PACKETS_PER_ACK
        if self._gap_packets_left > 0 or self._unacknowledged >= limit:
            self._gap_packets_left = max(0, self._gap_packets_left - 1)
            self.due_s = now_s
        elif self.due_s is None:
            self.due_s = now_s + (DELAYED_ACK_S if is_early else self._decimated_delay_s)

    def on_ack_sent(self) -> None:
        """Everything received so far is acknowledged."""
        self._unacknowledged = 0
        self.due_s = None
