"""Tsunami: BBR v1 with higher gains, which keeps a queue in order to notice new bandwidth sooner.

Source: tcp_tsunami.c of the "modified BBR" kernel modules (KozakaiAya/TCP_BBR at 7b6b2c3, code/v5.10), by Yankee. It
differs from Linux's BBR in the five points below and nothing else. The BBR-FIT paper describes it as a gain of 1.5 in
the steady phase: in the code 1.5 is the gain of the probing phase, and the six steady ones have 9/8.

Deviations: those of `cc.sender.bbr.bbr`.
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.scheme import Scheme
from cc.sender.bbr.bbr import HIGH_GAIN, Bbr


class Tsunami(Bbr):
    """BBR that never cruises at the bandwidth, but an eighth above it."""

    bandwidth_filter_rounds: ClassVar[int] = 15  # bbr_bw_rtts
    min_rtt_filter_s: ClassVar[float] = 20.0  # bbr_min_rtt_win_sec
    drain_gain: ClassVar[float] = 1.2 / HIGH_GAIN  # bbr_drain_gain
    gain_cycle: ClassVar[tuple[float, ...]] = (1.5, 0.75, 1.125, 1.125, 1.125, 1.125, 1.125, 1.125)  # bbr_pacing_gain

    def probe_rtt_window_bytes(self, window_bytes: float) -> float:
        """Half the window at every ACK, down to four packets (bbr_set_cwnd)."""
        return max(window_bytes / 2, self._min_pipe_bytes)


SCHEME = Scheme(
    name="tsunami",
    title="Tsunami",
    control="sender",
    family="Model-based",
    summary="BBR v1 that probes at 1.5 times the bandwidth and cruises at 9/8 of it.",
    source="KozakaiAya/TCP_BBR, tcp_tsunami.c",
    make_sender=Tsunami,
)
