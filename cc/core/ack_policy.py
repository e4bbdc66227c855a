"""When a receiver acknowledges: as Chromium does, rarely and in bursts of ten, or as the textbook has it.

A sender must be tried against Chromium's way (google/quiche, QuicReceivedPacketManager) rather than against an ACK for
every second packet: window growth, RTT samples and delivery rates all come in lumps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

DELAYED_ACK_S = 0.025  # Chromium's, and RFC 9000's default for max_ack_delay (section 18.2)
DECIMATION_RTT_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class AckRule:
    """How many packets an ACK waits for, and how long."""

    name: str
    packets_per_ack: int
    early_packets: int = 0
    """The first packets of a connection follow rules of their own."""
    early_packets_per_ack: int = 1
    rtt_share: float | None = None
    """An ACK waits for this share of the RTT at most; None for `delay_s` alone."""
    delay_s: float = DELAYED_ACK_S
    """No ACK waits for longer."""
    packets_after_gap: int = 1
    """A fresh gap in the numbers is told at once, in so many ACKs (RFC 9000 section 13.2.1)."""


CHROMIUM = AckRule(
    name="chromium",
    packets_per_ack=10,  # kMaxRetransmittablePacketsBeforeAck
    early_packets=100,  # kMinReceivedBeforeAckDecimation
    early_packets_per_ack=2,
    rtt_share=DECIMATION_RTT_SHARE,
    packets_after_gap=4,  # kMaxPacketsAfterNewMissing
)
EVERY_SECOND = AckRule(name="every-second", packets_per_ack=2)  # RFC 9000 section 13.2.2
EVERY_PACKET = AckRule(name="every-packet", packets_per_ack=1)
TCP = AckRule(name="tcp", packets_per_ack=2, delay_s=0.040)  # RFC 5681 section 4.2; Linux's least delay
ACK_RULES = {rule.name: rule for rule in (CHROMIUM, EVERY_SECOND, EVERY_PACKET, TCP)}


class Ack:
    """An ACK frame that leaves the receiver."""

    __slots__ = ("ack_delay_s", "packet_numbers", "sent_s")

    def __init__(self, sent_s: float, packet_numbers: list[int], ack_delay_s: float) -> None:
        self.sent_s = sent_s
        self.packet_numbers = packet_numbers
        """Packets acknowledged, in the order of arrival."""
        self.ack_delay_s = ack_delay_s


class AckPolicy:
    """Turns arrivals into ACKs. Times must not go back, and packets must not overtake one another."""

    __slots__ = (
        "_delay_s",
        "_early_left",
        "_expected",
        "_gap_packets_left",
        "_last_arrival_s",
        "_late_delay_s",
        "_limit",
        "_pending",
        "_rule",
        "due_s",
    )

    def __init__(self, *, min_rtt_s: float, rule: AckRule = CHROMIUM) -> None:
        self.due_s = math.inf
        """When the next ACK leaves if nothing more arrives until then; infinite if there is nothing to acknowledge."""
        self._rule = rule
        self._late_delay_s = _late_delay_s(rule, min_rtt_s)
        self._early_left = rule.early_packets
        self._limit = rule.early_packets_per_ack if rule.early_packets > 0 else rule.packets_per_ack
        self._delay_s = rule.delay_s if rule.early_packets > 0 else self._late_delay_s
        self._pending: list[int] = []
        self._expected = 0
        self._gap_packets_left = 0
        self._last_arrival_s = 0.0

    def on_min_rtt(self, min_rtt_s: float) -> None:
        """The receiver's smallest RTT is another now, for ACKs that are not waiting yet."""
        self._late_delay_s = _late_delay_s(self._rule, min_rtt_s)
        if self._early_left == 0:
            self._delay_s = self._late_delay_s

    def on_arrivals(self, first_number: int, arrivals_s: list[float | None]) -> list[Ack]:
        """Packets with consecutive numbers arrived, or will (None: never); the ACKs that are certain now."""
        acks: list[Ack] = []
        pending = self._pending
        due_s = self.due_s
        expected = self._expected
        gap_packets_left = self._gap_packets_left
        for number, arrival_s in enumerate(arrivals_s, first_number):
            if arrival_s is None:
                continue
            if arrival_s > due_s:
                acks.append(Ack(due_s, pending, due_s - self._last_arrival_s))
                pending = []
                due_s = math.inf
            if number > expected:
                gap_packets_left = self._rule.packets_after_gap
            expected = number + 1
            pending.append(number)
            if gap_packets_left > 0 or len(pending) >= self._limit:
                if gap_packets_left > 0:
                    gap_packets_left -= 1
                acks.append(Ack(arrival_s, pending, 0.0))
                pending = []
                due_s = math.inf
            else:
                self._last_arrival_s = arrival_s
                if due_s == math.inf:
                    due_s = arrival_s + self._delay_s
            if self._early_left > 0:
                self._count_early()
        self._pending = pending
        self.due_s = due_s
        self._expected = expected
        self._gap_packets_left = gap_packets_left
        return acks

    def take_timed(self) -> Ack:
        """The ACK that leaves at `due_s`: nothing more arrived until then."""
        ack = Ack(self.due_s, self._pending, self.due_s - self._last_arrival_s)
        self._pending = []
        self.due_s = math.inf
        return ack

    def _count_early(self) -> None:
        self._early_left -= 1
        if self._early_left == 0:
            self._limit = self._rule.packets_per_ack
            self._delay_s = self._late_delay_s


def _late_delay_s(rule: AckRule, min_rtt_s: float) -> float:
    """How long an ACK waits once the early packets are over."""
    return rule.delay_s if rule.rtt_share is None else min(rule.delay_s, rule.rtt_share * min_rtt_s)
