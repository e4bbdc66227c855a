"""The server's side of the bargain: a receiver's window is a request, and this turns it into a safe one.

A receiver may be broken or hostile, so what it says is held against what its acknowledgements prove:

- whole bytes, between two packets and a cap;
- never above twice the most that was acknowledged in one round trip during the last ten seconds (the bound of slow
  start), so that a window survives the pause between two segments but nobody draws more than it proved to take;
- after a loss the window that was cut bounds the request, and the bound grows by `LOSS_BOUND_GROWTH` a round trip;
- no more than `FEEDBACKS_PER_S` requests a second are looked at, and none older than the newest;
- when feedback that is due does not come although acknowledgements do, the window is halved each time the silence has
  lasted another max(4 RTT, 500 ms) (RFC 5348 section 4.4), and after two seconds the sender controls the window itself
  until three requests have come.

Invariants, tested: the granted window is an int within [2 packets, cap]; silence never raises it.
"""

from __future__ import annotations

from enum import Enum

from cc.core.base import INITIAL_WINDOW_PACKETS, MINIMUM_WINDOW_PACKETS, AckEvent
from cc.core.receiver_base import Feedback
from cc.core.rounds import RoundCounter
from cc.core.token_bucket import TokenBucket
from cc.core.windowed_filter import WindowedMaximum
from cc.core.wrapping_count import is_later

WINDOW_CAP_BYTES = 16 * 2**20  # of a request; what is in flight has lower bounds where it is served
PROVEN_FACTOR = 2
PROOF_LIFETIME_S = 10.0
LOSS_BOUND_GROWTH = 1.1  # at 1.25 a greedy receiver would hold a third of its packets lost, at 1.1 a twentieth
FEEDBACKS_PER_S = 500.0  # receivers send one in 4 ms at most
FEEDBACK_BURST = 50
SILENCE_RTTS = 4
SILENCE_MIN_S = 0.5
SELF_CONTROL_AFTER_S = 2.0
REQUESTS_TO_TRUST_AGAIN = 3


class Verdict(Enum):
    """What became of a request."""

    GRANTED = "granted"
    LOWERED = "lowered"
    STALE = "stale"
    TOO_MANY = "too many"
    DISTRUSTED = "distrusted"


class FeedbackGuard:
    """Judges feedback for one connection."""

    def __init__(self, *, max_datagram_bytes: int) -> None:
        self._minimum_bytes = MINIMUM_WINDOW_PACKETS * max_datagram_bytes
        self._initial_bytes = INITIAL_WINDOW_PACKETS * max_datagram_bytes
        self._smoothed_rtt_s = 0.0
        self._proven_bytes = WindowedMaximum(PROOF_LIFETIME_S)
        """The most delivered in one round trip."""
        self._rounds = RoundCounter()
        self._loss_bound_bytes: float | None = None
        # requests
        self._newest_sequence: int | None = None
        self._allowance = TokenBucket(per_s=FEEDBACKS_PER_S, burst=FEEDBACK_BURST)
        # silence
        self._stamp_sent_s: float | None = None
        self._waiting_since_s: float | None = None
        self._halvings = 0
        self._requests_since_silence = REQUESTS_TO_TRUST_AGAIN
        self.counts: dict[Verdict, int] = dict.fromkeys(Verdict, 0)
        self.latest: tuple[Verdict, int | None] | None = None
        """What became of the newest request, for logs."""

    @property
    def is_trusting(self) -> bool:
        """Whether the receiver controls the window; otherwise the sender does."""
        return self._requests_since_silence >= REQUESTS_TO_TRUST_AGAIN

    def on_ack(self, event: AckEvent) -> None:
        """Note what was proven by acknowledgements."""
        if event.rtt is not None:
            self._smoothed_rtt_s = event.rtt.smoothed_s
        newest = event.acked[-1]
        if self._stamp_sent_s is not None and newest.sent_time_s >= self._stamp_sent_s:
            # the stamp's flight arrived, so its feedback is due; in an outage neither comes, and that is no silence
            self._stamp_sent_s = None
            if self._waiting_since_s is None:
                self._waiting_since_s = event.now_s
        self._proven_bytes.update(event.delivered_bytes - newest.delivered_bytes, at=event.now_s)
        if self._rounds.on_ack(event) and self._loss_bound_bytes is not None:
            self._loss_bound_bytes *= LOSS_BOUND_GROWTH
            if self._loss_bound_bytes > WINDOW_CAP_BYTES:
                self._loss_bound_bytes = None

    def on_loss(self, *, bound_bytes: int) -> None:
        """The sender cut its window after a loss: at most `bound_bytes` are granted, and more with each round trip."""
        self._loss_bound_bytes = bound_bytes

    def bound_bytes(self, *, now_s: float) -> int:
        """The largest window that may be granted at `now_s`."""
        self._proven_bytes.expire(at=now_s)
        proven = PROVEN_FACTOR * (self._proven_bytes.best or 0)
        bound: float = min(WINDOW_CAP_BYTES, max(self._initial_bytes, proven))
        if self._loss_bound_bytes is not None:
            bound = min(bound, self._loss_bound_bytes)
        return max(self._minimum_bytes, int(bound))

    def on_feedback(self, feedback: Feedback, *, now_s: float) -> int | None:
        """The window to use, in bytes; None where the request is not to be followed."""
        self.latest = verdict, granted_bytes = self._judge(feedback, now_s=now_s)
        self.counts[verdict] += 1
        return granted_bytes

    def _judge(self, feedback: Feedback, *, now_s: float) -> tuple[Verdict, int | None]:
        if not self._allowance.take(now_s=now_s):
            return Verdict.TOO_MANY, None
        if self._newest_sequence is not None and not is_later(feedback.sequence, self._newest_sequence):
            return Verdict.STALE, None
        self._newest_sequence = feedback.sequence
        self._stamp_sent_s = None
        self._waiting_since_s = None
        self._halvings = 0
        if not self.is_trusting:
            self._requests_since_silence += 1
            if not self.is_trusting:
                return Verdict.DISTRUSTED, None
        bound = self.bound_bytes(now_s=now_s)
        granted = max(self._minimum_bytes, min(int(feedback.window_bytes), bound))
        return (Verdict.LOWERED if granted < feedback.window_bytes else Verdict.GRANTED), granted

    def on_stamp_sent(self, *, now_s: float, is_first_after_idle: bool) -> None:
        """A stamp left: once its flight is acknowledged feedback is due. An idle time forgets what was due before."""
        if is_first_after_idle:
            self._waiting_since_s = None
            self._halvings = 0
        if self._stamp_sent_s is None or is_first_after_idle:
            self._stamp_sent_s = now_s

    def halvings_due(self, *, now_s: float) -> int:
        """How often the window must be halved now because feedback is missing; each is reported once."""
        if self._waiting_since_s is None:
            return 0
        silence_s = now_s - self._waiting_since_s
        if silence_s >= SELF_CONTROL_AFTER_S:
            self._requests_since_silence = 0
            return 0
        due = int(silence_s / max(SILENCE_RTTS * self._smoothed_rtt_s, SILENCE_MIN_S))
        halvings = max(0, due - self._halvings)
        self._halvings += halvings
        return halvings
