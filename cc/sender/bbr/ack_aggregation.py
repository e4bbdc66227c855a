"""How much more is acknowledged at once than the bandwidth explains: what must be in flight to send on in silences.

Source: draft-ietf-ccwg-bbr-06 section 5.5.9; Linux tcp_bbr.c (bbr_update_ack_aggregation) has the same for BBR v1, but
keeps the maximum of five to ten round trips instead of exactly ten.
"""

from __future__ import annotations

from cc.core.windowed_filter import WindowedMaximum

FILTER_ROUNDS = 10  # BBR.ExtraAckedFilterLen


class AckAggregation:
    """Tracks BBR.extra_acked."""

    __slots__ = ("_acked_bytes", "_began_s", "_filter")

    def __init__(self) -> None:
        self._filter = WindowedMaximum(FILTER_ROUNDS)
        self._began_s: float | None = None
        self._acked_bytes = 0.0

    @property
    def extra_acked_bytes(self) -> float:
        """The largest excess of late; 0 before the first ACK."""
        return self._filter.best or 0.0

    def restart(self, now_s: float) -> None:
        """Begin a new interval: nothing was in flight, so silence was no aggregation."""
        self._began_s = now_s
        self._acked_bytes = 0.0

    def on_ack(
        self,
        *,
        now_s: float,
        acked_bytes: int,
        bandwidth_bytes_per_s: float,
        cwnd_bytes: int,
        round_count: int,
        filter_rounds: int = FILTER_ROUNDS,
    ) -> None:
        """`bandwidth_bytes_per_s` says how much was to be expected since the interval began."""
        began_s = now_s if self._began_s is None else self._began_s
        expected_bytes = bandwidth_bytes_per_s * (now_s - began_s)
        if self._acked_bytes <= expected_bytes:  # ACKs come no faster than the bandwidth
            self.restart(now_s)
            expected_bytes = 0.0
        self._acked_bytes += acked_bytes
        self._filter.window = float(filter_rounds)
        self._filter.update(min(self._acked_bytes - expected_bytes, cwnd_bytes), at=round_count)
