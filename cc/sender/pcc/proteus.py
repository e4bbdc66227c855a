"""PCC Proteus: as a scavenger (Proteus-S) Vivace that also flees from RTTs which fluctuate, a sign of other flows.

Source: Meng et al., PCC Proteus: Scavenger Transport and Beyond, SIGCOMM 2020, section 4; numbers as in the authors'
code (github.com/PCCproject/PCC-Uspace, commit 30c2cfe, CalculateUtilityScavenger and CanMakeDecision).

Proteus-P, the paper's primary sender, takes its share (section 4.1). Its utility is Vivace's, with a falling RTT no
gain and noise learned (section 5); the authors' code for the two is one, and so `pcc-vivace` is the same here. It
stands under its own name so that the paper's pairs can be named. The hybrid Proteus-H, which is told a rate by its
application, is not here.

Deviations: those of `cc.sender.pcc.vivace`.
"""

from __future__ import annotations

from cc.core.monitor_interval import MonitorInterval
from cc.core.rtt_tolerance import Judged
from cc.core.scheme import Scheme
from cc.sender.pcc.base import BYTES_PER_MEGABIT
from cc.sender.pcc.vivace import PccVivace, vivace_utility

DEVIATION_COEFFICIENT = 1500.0  # d of section 4, per Mbit/s and second; kRttDeviationCoefficient has it per us
PAIRS = 2  # kNumIntervalGroupsInProbingScavenger


def scavenger_utility(
    *, rate_mbit_per_s: float, rtt_gradient: float, rtt_deviation_s: float, loss_ratio: float
) -> float:
    """Section 4: Vivace's utility less d x sigma(RTT)."""
    primary = vivace_utility(rate_mbit_per_s=rate_mbit_per_s, rtt_gradient=rtt_gradient, loss_ratio=loss_ratio)
    return primary - DEVIATION_COEFFICIENT * rate_mbit_per_s * rtt_deviation_s


class Proteus(PccVivace):
    """Takes what others leave."""

    pairs = PAIRS

    def utility(self, interval: MonitorInterval, judged: Judged) -> float:
        return scavenger_utility(
            rate_mbit_per_s=interval.sending_rate_bytes_per_s / BYTES_PER_MEGABIT,
            rtt_gradient=judged.gradient,
            rtt_deviation_s=judged.deviation_s,
            loss_ratio=interval.loss_ratio,
        )

    def is_decided(self, *, higher: int, lower: int) -> bool:
        """Both pairs must agree, whichever way: more of them lower, or all of them higher."""
        return lower > self.pairs / 2 or higher == self.pairs


SCHEME = Scheme(
    name="proteus",
    title="PCC Proteus-S",
    control="sender",
    family="Utility-based",
    summary="A scavenger: PCC Vivace that also flees from round-trip times which fluctuate.",
    source="Meng et al., PCC Proteus, SIGCOMM 2020",
    make_sender=Proteus,
)

PRIMARY = Scheme(
    name="proteus-p",
    title="PCC Proteus-P",
    control="sender",
    family="Utility-based",
    summary="The primary sender beside Proteus-S: PCC Vivace with the noise of round-trip times told apart.",
    source="Meng et al., PCC Proteus, SIGCOMM 2020",
    make_sender=PccVivace,
)
