"""DCTCP: gives back as much of the window as packets were marked, for links whose queue marks early.

Source: RFC 8257 (its sections are cited below). A window falls by alpha/2 once a round trip in which something was
marked; alpha is the share of bytes that were marked, smoothed by 1/16. The queue's half is
`cc.links.queueing.ce_threshold`. Where nothing marks packets it is NewReno.

Choices and deviations:

- An observation window (section 3.3) ends with the first ACK of a packet that was sent after it began. What was marked
  in it cuts the window then, when alpha is up to date.
- QUIC counts packets with marks (RFC 9000 section 13.4), not bytes: an ACK's packets are taken to be of one size.
- A first mark ends slow start. A loss halves the window (section 3.5).
- A flight with both is cut once, by the larger of the two (RFC 3168 section 6.1.2, RFC 9002 section 7.3.1): marks on
  packets sent before a loss was answered cut nothing, and a loss of a packet sent before marks were answered leaves
  half of the window that there was before.
- RFC 8257 is for data centres. On the Internet a queue must mark for this alone (RFC 8257 section 5), and flows without
  marks take the link: use it in simulations, or behind a relay that marks. Chromium reports no marks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent
from cc.core.random_source import RandomSource
from cc.core.rounds import RoundCounter
from cc.core.scheme import Scheme
from cc.sender.newreno import LOSS_REDUCTION_FACTOR, NewReno

GAIN = 1 / 16  # g, section 4.2
FIRST_ALPHA = 1.0  # section 3.3


class Dctcp(NewReno):
    """NewReno, and the share of bytes that were marked."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.alpha = FIRST_ALPHA
        self._rounds = RoundCounter()
        self._acked_bytes = 0.0
        self._marked_bytes = 0.0
        """Both of the observation window."""
        self._marked_sent_s = -math.inf
        """When the newest packet left that may have been marked."""
        self._marks_answered_s = -math.inf
        self._before_marks_bytes = 0.0
        """The window that was cut then."""

    def on_ack(self, event: AckEvent) -> None:
        self._acked_bytes += event.acked_bytes
        if event.ecn is not None:
            self._marked_bytes += event.acked_bytes * min(1.0, event.ecn.ce / len(event.acked))
            if event.ecn.ce > 0:
                self._marked_sent_s = event.acked[-1].sent_time_s
        super().on_ack(event)
        if self._rounds.on_ack(event):
            self._end_observation(event.now_s)

    def reduced_window_bytes(self, event: LossEvent) -> float:
        if event.lost[-1].sent_time_s > self._marks_answered_s:
            return super().reduced_window_bytes(event)
        return min(self._window_bytes, self._before_marks_bytes * LOSS_REDUCTION_FACTOR)

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "alpha": self.alpha}

    def _end_observation(self, now_s: float) -> None:
        """Steps 4 to 9 of section 3.3."""
        marked = self._marked_bytes / self._acked_bytes
        is_marked = self._marked_bytes > 0
        self._acked_bytes = self._marked_bytes = 0.0
        self.alpha += GAIN * (marked - self.alpha)
        if not is_marked or (self._reduced_s is not None and self._marked_sent_s <= self._reduced_s):
            return
        self._marks_answered_s = now_s
        self._before_marks_bytes = self._window_bytes
        self._set_window(self._window_bytes * (1 - self.alpha / 2))
        self._ssthresh_bytes = self._window_bytes
        self.window_resets += 1


SCHEME = Scheme(
    name="dctcp",
    title="DCTCP",
    control="sender",
    family="Marked by routers",
    summary="Gives back as much of the window as packets were marked; for queues that mark early. NewReno elsewhere.",
    source="RFC 8257",
    make_sender=Dctcp,
)
