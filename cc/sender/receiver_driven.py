"""The sender's half of a receiver-driven scheme: slow start and loss recovery stay, the receiver sets the rest.

The paper moves congestion avoidance alone to the receiver (section IV.A; `cc.receiver.nuwa` names it). Every request
passes the guard (`cc.core.guard`). Requests that do not yet know of the sender's latest cut are not
followed. While the guard distrusts the receiver, the window is NewReno's.

Deviation from the paper: after a loss the window is cut to CUBIC's 0.7 (RFC 9438 section 4.6), since the paper builds
on CUBIC without naming its factor.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent, Phase
from cc.core.guard import FeedbackGuard
from cc.core.random_source import RandomSource
from cc.core.receiver_base import Feedback
from cc.sender.newreno import NewReno

LOSS_REDUCTION_FACTOR = 0.7


class ReceiverDriven(NewReno):
    """Grows as slow start does until the receiver or a loss ends it, then holds the window that the guard grants."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.guard = FeedbackGuard(max_datagram_bytes=max_datagram_bytes)

    def on_feedback(self, feedback: Feedback, *, is_current: bool, now_s: float) -> None:
        """Follow a receiver's request as far as the guard and the phase allow."""
        was_trusting = self.guard.is_trusting
        granted_bytes = self.guard.on_feedback(feedback, now_s=now_s)
        if not was_trusting and self.guard.is_trusting:
            self.window_resets += 1  # the receiver starts again from the window as it has become
            return
        if granted_bytes is None or not is_current:
            return
        if self.phase is Phase.SLOW_START:
            if feedback.end_slow_start:
                self._hold(min(granted_bytes, self.cwnd_bytes))
        elif self.phase is Phase.RECOVERY:
            self._hold(min(granted_bytes, self.cwnd_bytes))
        else:
            self._hold(granted_bytes)

    def on_stamp_sent(self, *, now_s: float, is_first_after_idle: bool) -> None:
        """Feedback is due from now on."""
        self.guard.on_stamp_sent(now_s=now_s, is_first_after_idle=is_first_after_idle)

    def on_time(self, *, now_s: float) -> None:
        """Lower the window if feedback that was due is missing."""
        halvings = self.guard.halvings_due(now_s=now_s)
        if halvings > 0:
            self._hold(self._window_bytes / 2**halvings)
            self.window_resets += 1

    def on_ack(self, event: AckEvent) -> None:
        self.guard.on_ack(event)
        self.on_time(now_s=event.now_s)
        super().on_ack(event)

    def on_loss(self, event: LossEvent) -> None:
        resets_before = self.window_resets
        super().on_loss(event)
        if self.window_resets != resets_before:
            self.guard.on_loss(bound_bytes=self._bound_after(event))

    def _bound_after(self, event: LossEvent) -> int:
        """What may be asked for after a loss: the window as it was cut, or as that of the lost packets would have been.

        A receiver that saw the link slow down has lowered its window since. To grow from that by the guard's tenth a
        round trip would take seconds, where a window that the sender itself had kept is cut once.
        """
        if event.is_persistent_congestion:
            return self.cwnd_bytes
        flight_bytes = event.bytes_in_flight + event.lost_bytes
        return max(self.cwnd_bytes, int(LOSS_REDUCTION_FACTOR * flight_bytes))

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        """The receiver moves the window; without its trust, NewReno does."""
        if self.guard.is_trusting:
            return self._window_bytes
        return super().increased_window_bytes(event, acked_bytes)

    def reduced_window_bytes(self, event: LossEvent) -> float:
        return self._window_bytes * LOSS_REDUCTION_FACTOR

    def log_fields(self) -> Mapping[str, float | None]:
        """Adds what became of the receiver's requests."""
        counts = {f"feedback_{verdict.name.lower()}": float(n) for verdict, n in self.guard.counts.items()}
        return {**super().log_fields(), **counts}

    def _hold(self, window_bytes: float) -> None:
        """Set the window in congestion avoidance: ssthresh follows it, or a lower window would be slow start."""
        self._set_window(window_bytes)
        self._ssthresh_bytes = self._window_bytes
