"""BBR v2: v3 with the gains and the ends of states that it had before.

Source: Google's v2alpha, net/ipv4/tcp_bbr2.c of google/bbr at 0487ade5. What v3 (draft-ietf-ccwg-bbr-06) changed, and
this takes back:

- Startup paces at 2/ln 2 of the bandwidth with a window of as many BDP, not at 4 ln 2 with two BDP; Drain paces at the
  inverse.
- Startup ends at eight losses in a round trip, not six, and then takes one BDP for the long-term bound.
- Drain lasts until one BDP is in flight, not three round trips at most.
- A probe ends when 5/4 BDP are in flight, after a minimum RTT or more, not when the bandwidth no longer grows. Its
  window is two BDP, not 2.25.
- The queue of a probe is drained at 3/4 of the bandwidth, not at 9/10.

Deviations, besides those of `cc.sender.bbr.bbr3`:

- Losses count by runs of consecutive packets, as in v3; v2 counts ACKs that revealed some.
- Losses that only the newest acknowledged packet tells of do not lower the long-term bound; v2 looks at these too.
- v2's answer to DCTCP-style marks is left out; it is off by default there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.bbr.bbr import HIGH_GAIN
from cc.sender.bbr.bbr3 import Bbr3
from cc.sender.bbr.bbr3_states import CWND_GAINS, PACING_GAINS, State

PROBE_INFLIGHT_GAIN = 1.25  # bbr_bw_probe_pif_gain


class Bbr2(Bbr3):
    """The first BBR with bounds from losses."""

    startup_gain: ClassVar[float] = HIGH_GAIN
    pacing_gains: ClassVar[Mapping[State, float]] = {
        **PACING_GAINS,
        State.STARTUP: HIGH_GAIN,
        State.DRAIN: 1 / HIGH_GAIN,
        State.DOWN: 0.75,
    }
    cwnd_gains: ClassVar[Mapping[State, float]] = {
        **CWND_GAINS,
        State.STARTUP: HIGH_GAIN,
        State.DRAIN: HIGH_GAIN,
        State.UP: 2.0,
    }
    startup_loss_ranges: ClassVar[int] = 8  # bbr_full_loss_cnt

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._up_began_s = 0.0

    def _start_up(self, event: AckEvent) -> None:
        super()._start_up(event)
        self._up_began_s = event.now_s

    def has_probed_enough(self, event: AckEvent) -> bool:
        """bbr2_update_cycle_phase."""
        has_lasted = event.now_s - self._up_began_s > (self.model.min_rtt_s or 0.0)
        return has_lasted and event.prior_bytes_in_flight >= self.inflight_bytes(PROBE_INFLIGHT_GAIN)

    def is_drained(self, event: AckEvent) -> bool:
        """bbr_check_drain."""
        return event.bytes_in_flight <= self.inflight_bytes(1.0)

    def startup_loss_bound_bytes(self) -> float:
        """bbr2_handle_queue_too_high_in_startup."""
        return self.inflight_bytes(1.0)


SCHEME = Scheme(
    name="bbr2",
    title="BBR v2",
    control="sender",
    family="Model-based",
    summary="BBR v3 with the gains of its predecessor; a probe for bandwidth ends as soon as a queue builds.",
    source="google/bbr v2alpha, tcp_bbr2.c",
    make_sender=Bbr2,
)
