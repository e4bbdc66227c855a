"""PCC Allegro: randomised controlled trials of rates, judged by a utility of throughput and loss.

Source: Dong et al., PCC: Re-architecting Congestion Control for Consistent High Performance, NSDI 2015, section 2 (the
utility) and section 3 (monitor intervals and states); where these leave a choice, the authors' kernel module
(github.com/PCCproject/PCC-Kernel, commit 2eeadf0).

It knows nothing of delay: it fills whatever queue there is, and loses a little, up to 5 % in competition.

Where capacity falls to a tenth at once it loses far more, a third of all packets over 5G-like links with handovers: a
decision takes five intervals of two round trips with a full queue, a step is a few percent, and beyond 5 % the utility
is only the small difference of what is sent and what arrives. The kernel module's own choices (intervals of a round
trip, steps of at most 5 %, no answer to a flood), tried in this file, lose nearly a half there and carry a quarter
more; its intervals alone carry a tenth more at the same loss. A slow link costs as much: at 1 Mbit/s behind 100 packets
it loses 32 % in the first minute, at 2 Mbit/s 10 %. A trial takes 2 s there behind the full queue that the start left.

Deviations: those of `cc.sender.pcc.base` and `cc.core.monitor_interval`, and

- The first rate is ten packets an RTT, the paper's two: a QUIC connection may send as much at once.
- The utility of the rate that the trials chose is the mean of its two trials, where the paper is silent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cc.core.base import INITIAL_WINDOW_PACKETS, RttState
from cc.core.monitor_interval import MonitorInterval
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.pcc.base import BYTES_PER_MEGABIT, PccScheme, PccState

LOSS_TOLERANCE = 0.05  # section 2
SIGMOID_ALPHA = 100.0  # section 2: max(2.2 (n - 1), 100) for n senders
PAIRS = 2  # section 3: four trials
EPSILON_MIN = 0.01  # section 3
EPSILON_MAX = 0.05  # section 3
DURATION_RTTS = (1.7, 2.2)  # section 3: of a monitor interval, drawn anew for each


def allegro_utility(*, rate_mbit_per_s: float, loss_ratio: float) -> float:
    """Section 2: T x Sigmoid(L - 0.05) - x L, with the throughput T = x (1 - L)."""
    x = rate_mbit_per_s
    sigmoid = 1 / (1 + math.exp(SIGMOID_ALPHA * (loss_ratio - LOSS_TOLERANCE)))
    return x * (1 - loss_ratio) * sigmoid - x * loss_ratio


class PccAllegro(PccScheme):
    """Moves to the rate that won both of two trials against its opposite."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._epsilon = EPSILON_MIN
        self._latest_utility: float | None = None
        self._direction = 1
        self._steps = 0
        self._previous_rate = 0.0

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "utility": self._latest_utility, "epsilon": self._epsilon}

    def interval_duration_s(self, rtt: RttState) -> float:
        """Section 3: ten packets, or some two RTTs."""
        shortest, longest = DURATION_RTTS
        random_s = rtt.smoothed_s * (shortest + (longest - shortest) * self.rng.random())
        return max(random_s, INITIAL_WINDOW_PACKETS * self.max_datagram_bytes / self.rate_bytes_per_s)

    def trial_rates(self) -> Sequence[float]:
        if self._state is PccState.PROBING:
            return [rate for _ in range(PAIRS) for rate in self.pair_of_rates(self._epsilon)]
        return [self.rate_bytes_per_s]

    def on_trials(self, trials: Sequence[MonitorInterval]) -> None:
        utilities = [
            allegro_utility(
                rate_mbit_per_s=trial.sending_rate_bytes_per_s / BYTES_PER_MEGABIT, loss_ratio=trial.loss_ratio
            )
            for trial in trials
        ]
        if self._state is PccState.STARTING:
            self._start_faster(utilities[0])
        elif self._state is PccState.PROBING:
            self._choose_direction(trials, utilities)
        else:
            self._move_on(utilities[0])

    def _start_faster(self, utility: float) -> None:
        if self._latest_utility is None or utility > self._latest_utility:
            self._latest_utility = utility
            self.set_rate(2 * self.rate_bytes_per_s)
        else:
            self._probe(self.rate_bytes_per_s / 2)

    def _choose_direction(self, trials: Sequence[MonitorInterval], utilities: Sequence[float]) -> None:
        winners = []
        for index in range(0, 2 * PAIRS, 2):
            first, second = index, index + 1
            winners.append(first if utilities[first] > utilities[second] else second)
        rates = {trials[winner].rate_bytes_per_s for winner in winners}
        if len(rates) > 1:
            self._epsilon = min(self._epsilon + EPSILON_MIN, EPSILON_MAX)
            return
        rate = rates.pop()
        self._direction = 1 if rate > self.rate_bytes_per_s else -1
        self._latest_utility = sum(utilities[winner] for winner in winners) / PAIRS
        self._steps = 0
        self._state = PccState.MOVING
        self.set_rate(rate)
        self._step()

    def _move_on(self, utility: float) -> None:
        if self._latest_utility is None or utility > self._latest_utility:
            self._latest_utility = utility
            self._step()
        else:
            self._probe(self._previous_rate)

    def _step(self) -> None:
        """Section 3: r_n = r_(n-1) (1 + n epsilon_min), or less where down is the way."""
        self._steps += 1
        self._previous_rate = self.rate_bytes_per_s
        self.set_rate(self.rate_bytes_per_s * (1 + self._direction * self._steps * EPSILON_MIN))

    def _probe(self, rate_bytes_per_s: float) -> None:
        self._state = PccState.PROBING
        self._epsilon = EPSILON_MIN
        self.set_rate(rate_bytes_per_s)


SCHEME = Scheme(
    name="pcc-allegro",
    title="PCC Allegro",
    control="sender",
    family="Utility-based",
    summary="Tries rates in randomised trials, and moves to what loses less than 5 % and carries more.",
    source="Dong et al., PCC, NSDI 2015",
    make_sender=PccAllegro,
)
