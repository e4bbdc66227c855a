"""What Indigo's state is made of: delay, and rates of delivery and sending, as moving averages over ACKs.

Source: Yan et al.: Pantheon, USENIX ATC 2018, section 5, and Indigo's code. Rates are what was delivered, or sent,
between a packet's sending and its ACK, over that time; a new value counts for an eighth.

The rate of sending leaves out the packet itself, which theirs counts, and what its ACK lets out. Where ACKs are of
several packets it is therefore below the rate of delivery in the steadiest state, by up to a fifth on short paths.
"""

from __future__ import annotations

from cc.core.base import AckEvent, SentPacket

EWMA_SHARE = 1 / 8


class PathRates:
    """One sender's path; None until something is known."""

    def __init__(self) -> None:
        self.delay_s: float | None = None
        """Round-trip time above the smallest."""
        self.delivery_bytes_per_s: float | None = None
        self.send_bytes_per_s: float | None = None

    def forget(self) -> None:
        """Let averages begin anew."""
        self.delay_s = self.delivery_bytes_per_s = self.send_bytes_per_s = None

    def on_ack(self, event: AckEvent) -> None:
        """Packets arrived."""
        newest = event.acked[-1]
        elapsed_s = event.now_s - newest.sent_time_s
        if elapsed_s <= 0:
            return
        round_trip_bytes = event.delivered_bytes - newest.delivered_bytes
        sent_bytes = event.delivered_bytes + event.total_lost_bytes + event.bytes_in_flight - _sent_bytes_until(newest)
        self.delivery_bytes_per_s = _ewma(self.delivery_bytes_per_s, round_trip_bytes / elapsed_s)
        self.send_bytes_per_s = _ewma(self.send_bytes_per_s, max(0, sent_bytes) / elapsed_s)
        if event.rtt is not None and event.has_rtt_sample:
            self.delay_s = _ewma(self.delay_s, event.rtt.latest_s - event.rtt.min_s)


def _sent_bytes_until(packet: SentPacket) -> int:
    """What had been sent on the connection when it was, itself included."""
    return packet.delivered_bytes + packet.lost_bytes + packet.bytes_in_flight


def _ewma(old: float | None, new: float) -> float:
    return new if old is None else old + EWMA_SHARE * (new - old)
