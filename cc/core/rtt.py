"""RTT estimation (RFC 9002 section 5), for senders that have no transport to do it for them."""

from __future__ import annotations

from cc.core.base import RttState

MAX_ACK_DELAY_S = 0.025  # RFC 9000 section 18.2, the default


class RttEstimator:
    """Keeps `state` up to date; None until the first sample.

    Deviation: `latest_s` has the ACK's own delay taken off, as section 5.3 does for the smoothed RTT alone. Schemes ask
    it for what the path takes. The time threshold of section 6.1.2 is shorter by as much.
    """

    def __init__(self, *, max_ack_delay_s: float = MAX_ACK_DELAY_S) -> None:
        self._max_ack_delay_s = max_ack_delay_s
        self.state: RttState | None = None

    def on_sample(self, rtt_s: float, *, ack_delay_s: float) -> None:
        """A packet sent `rtt_s` ago was the largest in an ACK that the peer held back for `ack_delay_s`."""
        state = self.state
        if state is None:
            self.state = RttState(latest_s=rtt_s, smoothed_s=rtt_s, min_s=rtt_s, variance_s=rtt_s / 2)
            return
        min_s = rtt_s if rtt_s < state.min_s else state.min_s
        ack_delay_s = min(ack_delay_s, self._max_ack_delay_s)
        adjusted_s = rtt_s - ack_delay_s if rtt_s >= min_s + ack_delay_s else rtt_s
        self.state = RttState(
            latest_s=adjusted_s,
            smoothed_s=7 / 8 * state.smoothed_s + adjusted_s / 8,
            min_s=min_s,
            variance_s=3 / 4 * state.variance_s + abs(state.smoothed_s - adjusted_s) / 4,
        )
