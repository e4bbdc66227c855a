"""Indigo: a recurrent policy that was taught by an oracle, and halves, doubles or shifts the window every 10 ms.

Source: Yan, Ma, Hill, Raghavan, Wahby, Levis, Winstein: Pantheon, USENIX ATC 2018, section 5, and the authors' code
(StanfordSNR/indigo). The policy is of this project; `nuwa models import indigo` makes one of the
authors' published weights.

Choices and deviations:

- The delay is the round-trip time above the smallest, rates are those of `path_rates.py`.
- An ACK here stands for up to ten packets: its newest one moves the averages, which begin anew with each step.
- The window lies between 2 and 5000 packets, what its feature can show.
- Without a policy's answer the window is CUBIC's, and some actions are bounded (`decided_window.py`).
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent
from cc.core.decision import Choices, Feature, PolicySpace
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.stepped_window import SteppedWindow

ACTIONS = (0.5, -10.0, 0.0, 10.0, 2.0)
HALVE, DOUBLE = 0, 4
MOST_PACKETS = 5000.0
BYTES_PER_MEGABIT = 1e6 / 8

FEATURES = (
    Feature("delay_ewma", "ms", 0.5, 2000.0, "round-trip time above the smallest, EWMA", is_logarithmic=True),
    Feature("delivery_rate_ewma", "Mbit/s", 0.05, 400.0, "rate of delivery, EWMA", is_logarithmic=True),
    Feature("send_rate_ewma", "Mbit/s", 0.05, 400.0, "rate of sending, EWMA", is_logarithmic=True),
    Feature("cwnd", "packets", 2.0, MOST_PACKETS, "congestion window", is_logarithmic=True),
    *(Feature(f"last_action_{index}", "flag", 0.0, 1.0, "1 if it was the last") for index in range(len(ACTIONS))),
)


class Indigo(SteppedWindow):
    """A learned window; CUBIC's while nobody decides."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=1,
        actions=Choices(ACTIONS, "0.5 and 2 multiply the window, the others are packets added to it"),
        interval="10 ms, or longer where no ACK comes",
    )

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._last_action = len(ACTIONS) - 1  # as the authors' sender begins

    def wanted_window_bytes(self, action: float) -> float:
        self._last_action = int(action)
        packets = next_window_packets(self._window_bytes / self.max_datagram_bytes, self._last_action)
        return packets * self.max_datagram_bytes

    def features(self, event: AckEvent) -> tuple[float, ...]:
        rates = self._rates
        shown = (
            1000 * (rates.delay_s or 0.0),
            (rates.delivery_bytes_per_s or 0.0) / BYTES_PER_MEGABIT,
            (rates.send_bytes_per_s or 0.0) / BYTES_PER_MEGABIT,
            self._window_bytes / self.max_datagram_bytes,
            *(1.0 if index == self._last_action else 0.0 for index in range(len(ACTIONS))),
        )
        rates.forget()
        return shown


def next_window_packets(packets: float, action: int) -> float:
    """What an action makes of a window."""
    value = ACTIONS[action]
    moved = packets * value if action in (HALVE, DOUBLE) else packets + value
    return min(max(moved, float(MINIMUM_WINDOW_PACKETS)), MOST_PACKETS)


SCHEME = Scheme(
    name="indigo",
    title="Indigo",
    control="sender",
    family="Learned",
    summary="A recurrent policy, taught by an oracle that knows the link, halves, doubles or shifts the window.",
    source="Yan, Ma, Hill et al.: Pantheon, USENIX ATC 2018",
    make_sender=Indigo,
    policy="indigo",
)
