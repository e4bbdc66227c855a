"""What a sender in virtual time does about packets that it hears nothing of: QUIC's way, and TCP's."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from cc.core.base import RttState, SentPacket
from cc.core.blocked_probe import BlockedProbe
from cc.core.ledger import PacketLedger
from cc.core.loss_detection import (
    PACKET_THRESHOLD,
    LossVerdict,
    detect_losses,
    is_persistent_congestion,
    probe_timeout_s,
)
from cc.core.pacer import Timer
from cc.core.rtt import MAX_ACK_DELAY_S, RttEstimator
from cc.simulation.retransmission_timer import LEAST_TIMEOUT_S, RetransmissionTimer


class Recovery(ABC):
    """Of one sender, whose ledger, RTT and timer it reads. What one way alone has does nothing here."""

    def __init__(self, ledger: PacketLedger, rtt: RttEstimator, timer: Timer) -> None:
        self._ledger = ledger
        self._rtt = rtt
        self._timer = timer

    @property
    @abstractmethod
    def due_s(self) -> float:
        """When the sender must be woken unless an ACK comes first."""

    def settled_until_s(self, now_s: float) -> float:
        """What leaves from now on makes nothing due before this."""
        del now_s
        return math.inf

    def ack_delay_s(self, told_s: float) -> float:
        """How long the receiver held an ACK back, as far as the sender is told."""
        return told_s

    def on_sent(self, sent_s: float) -> None:
        """Packets left, the last of them at this time."""

    def on_ack(self, now_s: float) -> None:
        """Packets in flight were acknowledged; ledger and RTT have it."""

    def on_ack_read(self, now_s: float, *, has_room: bool) -> None:
        """Scheme and ledger know all that an ACK tells; whether the window has room for a packet."""

    @abstractmethod
    def detect_losses(
        self, in_flight: Iterable[SentPacket], *, largest_acked: int, now_s: float, rtt: RttState
    ) -> LossVerdict:
        """Which packets are lost because later ones were acknowledged."""

    def is_persistent(self, lost: Sequence[SentPacket], *, rtt: RttState, first_rtt_sample_s: float) -> bool:
        """Whether losses that were detected make the window collapse."""
        del lost, rtt, first_rtt_sample_s
        return False

    def times_out(self, now_s: float) -> bool:
        """Whether all that is in flight is lost now, and the window collapses."""
        del now_s
        return False

    def takes_probe(self, now_s: float, *, has_room: bool) -> bool:
        """Whether one packet leaves now in spite of the window."""
        del now_s, has_room
        return False


class QuicRecovery(Recovery):
    """RFC 9002: packets are lost by number or by time, and a probe leaves where no ACK comes."""

    def __init__(self, ledger: PacketLedger, rtt: RttEstimator, timer: Timer) -> None:
        super().__init__(ledger, rtt, timer)
        self._probe_count = 0
        self._blocked_probe = BlockedProbe()
        self._is_to_probe = False
        self._set_patience()

    @property
    def due_s(self) -> float:
        return self._timer.last_sent_s + self._timer.patience_s if self._ledger.bytes_in_flight > 0 else math.inf

    def on_ack(self, now_s: float) -> None:
        del now_s
        self._probe_count = 0
        self._set_patience()

    def on_ack_read(self, now_s: float, *, has_room: bool) -> None:
        self._is_to_probe = self._is_blocked(now_s, has_room=has_room)

    def detect_losses(
        self, in_flight: Iterable[SentPacket], *, largest_acked: int, now_s: float, rtt: RttState
    ) -> LossVerdict:
        return detect_losses(in_flight, largest_acked=largest_acked, now_s=now_s, rtt=rtt)

    def is_persistent(self, lost: Sequence[SentPacket], *, rtt: RttState, first_rtt_sample_s: float) -> bool:
        return is_persistent_congestion(
            lost, rtt=rtt, max_ack_delay_s=MAX_ACK_DELAY_S, first_rtt_sample_s=first_rtt_sample_s
        )

    def takes_probe(self, now_s: float, *, has_room: bool) -> bool:
        """After a probe timeout, or where the window has held everything back for long."""
        if self.due_s <= now_s:
            self._probe_count += 1
        elif not (self._is_to_probe and self._is_blocked(now_s, has_room=has_room)):
            return False
        self._is_to_probe = False
        self._set_patience()
        return True

    def _is_blocked(self, now_s: float, *, has_room: bool) -> bool:
        last_sent_s = self._timer.last_sent_s
        return self._blocked_probe.is_due(has_room=has_room, last_sent_s=last_sent_s, rtt=self._rtt.state, now_s=now_s)

    def _set_patience(self) -> None:
        """The probe timeout, doubled for each probe without an answer (section 6.2.1)."""
        timeout_s = probe_timeout_s(self._rtt.state, max_ack_delay_s=MAX_ACK_DELAY_S)
        self._timer.patience_s = timeout_s * 2.0**self._probe_count


class TcpRecovery(Recovery):
    """RFC 5681 without RACK: three later packets tell of a loss, or RFC 6298's timeout; ACKs tell no delay."""

    def __init__(self, ledger: PacketLedger, rtt: RttEstimator, timer: Timer) -> None:
        super().__init__(ledger, rtt, timer)
        self.retransmission = RetransmissionTimer()

    @property
    def due_s(self) -> float:
        return self.retransmission.due_s

    def settled_until_s(self, now_s: float) -> float:
        return min(self.retransmission.due_s, now_s + LEAST_TIMEOUT_S)  # the first packet may start the timer

    def ack_delay_s(self, told_s: float) -> float:
        del told_s
        return 0.0

    def on_sent(self, sent_s: float) -> None:
        self.retransmission.on_sent(sent_s, self._rtt.state)

    def on_ack(self, now_s: float) -> None:
        self.retransmission.on_ack(now_s, self._rtt.state, is_in_flight=self._ledger.bytes_in_flight > 0)

    def detect_losses(
        self, in_flight: Iterable[SentPacket], *, largest_acked: int, now_s: float, rtt: RttState
    ) -> LossVerdict:
        del now_s, rtt
        lost = takewhile(lambda packet: packet.packet_number <= largest_acked - PACKET_THRESHOLD, in_flight)
        return LossVerdict(tuple(lost), None)

    def times_out(self, now_s: float) -> bool:
        """RFC 5681 section 3.1."""
        if self.retransmission.due_s > now_s:
            return False
        self.retransmission.on_timeout()
        return True


RECOVERIES: Mapping[str, type[Recovery]] = {"quic": QuicRecovery, "tcp": TcpRecovery}
"""By the names that requests have for them."""
