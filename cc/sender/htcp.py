"""H-TCP: the longer ago the last loss is, the faster the window grows; a loss takes what empties the queue.

Source: D. Leith, R. Shorten: H-TCP: TCP for High-Speed and Long-Distance Networks, PFLDnet 2004, and
draft-leith-tcp-htcp-06:

- alpha is 1 for a second after a loss, then 1 + 10 (t - 1) + ((t - 1) / 2)^2, times 2 (1 - beta);
- beta is RTTmin / RTTmax, from 0.5 to 0.8, and 0.5 where the throughput at losses changed by more than a fifth;
- with the draft's scaling alpha is that of a round trip of 100 ms, so that flows with other round trips grow alike.

Deviations:

- The time in which the application is the limit does not count, as in CUBIC (RFC 9438 section 5.8).
- The throughput before a loss is the last delivery rate. RTTmax is the largest since the loss before.
- What is QUIC's: see `cc.sender.additive_increase`.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.additive_increase import AdditiveIncrease

LOW_SPEED_S = 1.0  # Delta_L
BETA_RANGE = (0.5, 0.8)
THROUGHPUT_CHANGE = 0.2  # Delta_B
REFERENCE_RTT_S = 0.1
SCALING_RANGE = (0.1, 2.0)  # of alpha by the round trip: those of 10 and of 200 ms


def alpha_after(elapsed_s: float) -> float:
    """Packets each round trip, so long after the last loss; before the factor 2 (1 - beta)."""
    beyond_s = max(0.0, elapsed_s - LOW_SPEED_S)
    return 1 + 10 * beyond_s + (beyond_s / 2) ** 2


class HTcp(AdditiveIncrease):
    """The clock since the last loss sets the pace."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._elapsed_s = 0.0
        """Since the last loss, without what does not count."""
        self._last_s: float | None = None
        self._beta = BETA_RANGE[0]
        self._largest_rtt_s: float | None = None
        self._smallest_rtt_s: float | None = None
        self._rate_bytes_per_s: float | None = None
        self._rate_at_loss_bytes_per_s: float | None = None

    def on_ack(self, event: AckEvent) -> None:
        if event.rtt is not None and event.has_rtt_sample:
            rtt_s = event.rtt.latest_s
            self._smallest_rtt_s = event.rtt.min_s
            self._largest_rtt_s = rtt_s if self._largest_rtt_s is None else max(self._largest_rtt_s, rtt_s)
        if event.delivery_rate is not None:
            self._rate_bytes_per_s = event.delivery_rate.bytes_per_s
        super().on_ack(event)

    def increase_packets(self, event: AckEvent) -> float:
        if self._last_s is not None:
            self._elapsed_s += event.now_s - self._last_s
        self._last_s = event.now_s
        alpha = alpha_after(self._elapsed_s)
        least, most = SCALING_RANGE
        if self._smallest_rtt_s is not None:
            alpha = max(1.0, alpha * max(least, min(self._smallest_rtt_s / REFERENCE_RTT_S, most)))
        return 2 * (1 - self._beta) * alpha

    def kept_share(self, event: LossEvent) -> float:
        rate, rate_before = self._rate_bytes_per_s, self._rate_at_loss_bytes_per_s
        least, most = BETA_RANGE
        self._beta = least
        is_steady = (
            rate is not None and rate_before is not None and abs(rate - rate_before) <= THROUGHPUT_CHANGE * rate_before
        )
        if is_steady and self._smallest_rtt_s is not None and self._largest_rtt_s is not None:
            self._beta = max(least, min(self._smallest_rtt_s / self._largest_rtt_s, most))
        self._rate_at_loss_bytes_per_s = rate
        self._largest_rtt_s = None
        self._elapsed_s = 0.0
        self._last_s = event.now_s
        return self._beta

    def on_window_collapse(self) -> None:
        self._rate_at_loss_bytes_per_s = self._rate_bytes_per_s = None

    def on_app_limited_ack(self, event: AckEvent) -> None:
        self._last_s = event.now_s

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if bytes_in_flight == packet.size_bytes and self._last_s is not None:  # idle until now
            self._last_s = now_s

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "alpha": alpha_after(self._elapsed_s), "beta": self._beta}


SCHEME = Scheme(
    name="htcp",
    title="H-TCP",
    control="sender",
    family="Loss-based",
    summary="Grows faster the longer no packet was lost; a loss takes what the round trips say the queue held.",
    source="Leith, Shorten: H-TCP, PFLDnet 2004",
    make_sender=HTcp,
)
