"""PCC Vivace: tries rates in monitor intervals and climbs the gradient of a utility of rate, RTT gradient and loss.

Source: Dong et al., PCC Vivace: Online-Learning Congestion Control, NSDI 2018, sections 3 and 4. Numbers and states are
those of the authors' code (github.com/PCCproject/PCC-Uspace, commit 30c2cfe, pcc_vivace_sender.cpp and
pcc_utility_manager.cpp in src/pcc), where they say more than the paper or say it otherwise:

- a falling RTT is no gain (the paper rewards it);
- three pairs of trials, of which two must speak for a higher rate, or all three for a lower one;
- the boundary grows and shrinks by steps of 0.05, one at a time;
- the confidence amplifier: a power of how many pairs of steps went one way;
- the least change is 500 kbit/s at any rate, also below 10 Mbit/s, where the boundary is less: shares of two flows even
  out sooner than by 2 % of the rate, and links of 1 and 2 Mbit/s have longer queues;
- which RTT gradients are noise is learned (`cc.core.rtt_tolerance`); the paper ignores those below 0.01.

Deviations: those of `cc.sender.pcc.base` and `cc.core.monitor_interval`, and

- Probing that ends at the least rate means doubling again, as in the authors' code, but without the utility known
  before, which is of another rate or another link and could end the start at once. Here the least rate is that of the
  smallest RTT.
- So does a decision to go below the least rate; the authors' code probes once more.
- A Mbit is 10^6 bits; in the authors' code 2^20.
- A pair of equal utilities speaks for the lower rate; in the authors' code for the one tried second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from cc.core.monitor_interval import MonitorInterval
from cc.core.random_source import RandomSource
from cc.core.rtt_tolerance import Judged, RttTolerance
from cc.core.scheme import Scheme
from cc.sender.pcc.base import BYTES_PER_MEGABIT, PccScheme, PccState

RATE_EXPONENT = 0.9  # t of equation 1: below 1, or flows would not share fairly
LATENCY_COEFFICIENT = 900.0  # b of equation 1
LOSS_COEFFICIENT = 11.35  # c of equation 1: where 5 % are lost, more rate pays up to 100 Mbit/s
PROBING_STEP = 0.05  # epsilon of section 4.2, kProbingStepSize
PAIRS = 3  # kNumIntervalGroupsInProbingPrimary
AMPLIFIER_EXPONENT = 1.2  # kRateChangeAmplifyExponent
BOUNDARY = 0.05  # omega_0 of section 4.2, kInitialMaxStepSize
BOUNDARY_STEP = 0.05  # delta of section 4.2, kIncrementalStepSize
LEAST_CHANGE_BYTES_PER_S = 0.5 * BYTES_PER_MEGABIT  # kMinRateChange
STARTING_RTT_GAIN_S = 0.001  # CalculateUtilityProportional: while starting, so little RTT gained counts as none


def vivace_utility(*, rate_mbit_per_s: float, rtt_gradient: float, loss_ratio: float) -> float:
    """Equation 1: x^t - b x max(0, dRTT/dT) - c x L."""
    x = rate_mbit_per_s
    return (
        math.pow(x, RATE_EXPONENT)
        - LATENCY_COEFFICIENT * x * max(0.0, rtt_gradient)
        - LOSS_COEFFICIENT * x * loss_ratio
    )


def amplifier(moves: int) -> float:
    """The confidence amplifier m of section 4.2, as in the authors' code; `moves` one way count from one."""
    return math.pow((moves + 1) // 2, AMPLIFIER_EXPONENT)


@dataclass(frozen=True, slots=True)
class Trial:
    """A rate and what it was worth."""

    rate_bytes_per_s: float
    utility: float


def utility_gradient(one: Trial, other: Trial) -> float:
    """Utility gained for each Mbit/s (section 4.2, gamma)."""
    return (one.utility - other.utility) * BYTES_PER_MEGABIT / (one.rate_bytes_per_s - other.rate_bytes_per_s)


class ChangeBoundary:
    """omega of section 4.2: the largest change at once, as a share of the rate."""

    def __init__(self) -> None:
        self._steps = 0

    @property
    def omega(self) -> float:
        """The present boundary."""
        return BOUNDARY + BOUNDARY_STEP * self._steps

    def limit(self, change: float, *, rate: float) -> float:
        """The change within the boundary, which widens for those beyond it and narrows for the others."""
        largest = self.omega * rate
        if change > largest:
            self._steps += 1
            return largest
        self._steps = max(0, self._steps - 1)
        return change

    def reset(self) -> None:
        """Begin again with the narrowest."""
        self._steps = 0


class PccVivace(PccScheme):
    """Online learning of the rate by gradient ascent."""

    pairs = PAIRS

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._boundary = ChangeBoundary()
        self._tolerance = RttTolerance()
        self._latest: Trial | None = None
        self._direction = 1
        self._moves = 0

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            **super().log_fields(),
            "utility": None if self._latest is None else self._latest.utility,
            "omega": self._boundary.omega,
        }

    # What Proteus changes

    def utility(self, interval: MonitorInterval, judged: Judged) -> float:
        """What an interval was worth."""
        return vivace_utility(
            rate_mbit_per_s=interval.sending_rate_bytes_per_s / BYTES_PER_MEGABIT,
            rtt_gradient=judged.gradient,
            loss_ratio=interval.loss_ratio,
        )

    def is_decided(self, *, higher: int, lower: int) -> bool:
        """Whether so many pairs for a higher and for a lower rate are enough to move (CanMakeDecision)."""
        return higher > self.pairs / 2 or lower == self.pairs

    # What `PccScheme` asks for

    def trial_rates(self) -> Sequence[float]:
        if self._state is PccState.PROBING:
            return [rate for _ in range(self.pairs) for rate in self.pair_of_rates(PROBING_STEP)]
        return [self.rate_bytes_per_s]

    def on_trials(self, trials: Sequence[MonitorInterval]) -> None:
        measured = [Trial(interval.rate_bytes_per_s, self._utility_of(interval)) for interval in trials]
        if self._state is PccState.STARTING:
            self._start_faster(measured[0])
        elif self._state is PccState.PROBING:
            self._choose_direction(measured)
            if self.is_at_least_rate:
                self._start_again()
        else:
            self._move_on(measured[0])

    def _utility_of(self, interval: MonitorInterval) -> float:
        judged = self._tolerance.judge(interval.rtt_trend())
        if self._state is PccState.STARTING:
            has_grown = abs(judged.gradient) * interval.duration_s >= STARTING_RTT_GAIN_S
            judged = Judged(gradient=judged.gradient if has_grown else 0.0, deviation_s=0.0)
        return self.utility(interval, judged)

    def _start_faster(self, trial: Trial) -> None:
        if trial.utility > (0.0 if self._latest is None else self._latest.utility):
            self._latest = trial
            self.set_rate(2 * self.rate_bytes_per_s)
        else:
            self._state = PccState.PROBING
            self.set_rate(self.rate_bytes_per_s / 2)

    def _choose_direction(self, trials: Sequence[Trial]) -> None:
        by_rate = attrgetter("rate_bytes_per_s")
        pairs = [sorted(pair, key=by_rate) for pair in zip(trials[::2], trials[1::2], strict=True)]
        for_higher = [pair for pair in pairs if pair[1].utility > pair[0].utility]
        for_lower = [pair for pair in pairs if pair[1].utility <= pair[0].utility]
        if not self.is_decided(higher=len(for_higher), lower=len(for_lower)):
            return
        self._direction, agreeing = (1, for_higher) if len(for_higher) > len(for_lower) else (-1, for_lower)
        self._latest = agreeing[-1][1 if self._direction > 0 else 0]
        self._moves = 1
        self._boundary.reset()
        self._state = PccState.MOVING
        self.set_rate(self.rate_bytes_per_s * (1 + self._direction * PROBING_STEP))
        gradient = sum(abs(utility_gradient(*pair)) for pair in agreeing) / self.pairs
        self._change_rate(self._direction * self._step(gradient))

    def _start_again(self) -> None:
        """Two packets an RTT tell rates apart only by chance: doubling leads out."""
        self._state = PccState.STARTING
        self._latest = None
        self._boundary.reset()

    def _move_on(self, trial: Trial) -> None:
        assert self._latest is not None
        gradient = utility_gradient(trial, self._latest)
        if gradient * self._direction > 0:
            self._moves += 1
            self._latest = trial
            self._change_rate(self._direction * self._step(abs(gradient) * amplifier(self._moves)))
        else:
            self._state = PccState.PROBING
            self._change_rate(-self._direction * self._step(abs(gradient)))

    def _step(self, change_mbit_per_s: float) -> float:
        """The change of rate, in bytes per second: within the boundary, or the least; theta of section 4.2 is 1."""
        return max(
            self._boundary.limit(change_mbit_per_s * BYTES_PER_MEGABIT, rate=self.rate_bytes_per_s),
            LEAST_CHANGE_BYTES_PER_S,
        )

    def _change_rate(self, change: float) -> None:
        if self.set_rate(self.rate_bytes_per_s + change):
            self._boundary.reset()
            self._state = PccState.PROBING


SCHEME = Scheme(
    name="pcc-vivace",
    title="PCC Vivace",
    control="sender",
    family="Utility-based",
    summary="Tries rates, and climbs the gradient of a utility of rate, RTT gradient and loss.",
    source="Dong et al., PCC Vivace, NSDI 2018",
    make_sender=PccVivace,
)
