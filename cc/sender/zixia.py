"""ZiXia: a window that a learned policy multiplies every 10 ms, by what the last five states say.

Source: ZiXia, congestion control by deep reinforcement learning with an adjusted ranking reward (its sections, tables
and equations are cited below). ZiXia_delay is the same scheme with a policy that was rewarded by eq. 6.

Choices where the paper is silent:

- The seven actions: changes by 2, 10 and 25 % and none. Each fall undoes a rise, so that a policy that knows nothing
  yet leaves the window where it is on average. The paper says only that they lie between -1 and 1.
- Rates and moving averages are those of Indigo (Yan et al.: Pantheon, USENIX ATC 2018, and its code), whose state
  table I extends by the duration (`path_rates.py`).
- Decisions every 10 ms (section III.B) lie on a grid as far as ACKs allow (`stepped_window.py`). Some actions are
  bounded (`decided_window.py`).
- Without a policy's answer the window is CUBIC's (RFC 9438), from where the policy left it. The paper's agent extends
  no other scheme; CUBIC is what most senders run, and a window's, too.
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.base import AckEvent
from cc.core.decision import Choices, Feature, PolicySpace
from cc.core.scheme import Scheme
from cc.sender.stepped_window import SteppedWindow

HISTORY = 5  # section III.B
RISES = (0.02, 0.1, 0.25)
ACTIONS = (*(1 / (1 + rise) - 1 for rise in reversed(RISES)), 0.0, *RISES)  # a_t of eq. 3

FEATURES = (  # table I
    Feature("delay_ewma", "s", 0.0005, 2.0, "round-trip time above the smallest, EWMA", is_logarithmic=True),
    Feature("delivery_rate_ewma", "bytes/s", 1e4, 2.5e7, "rate of delivery, EWMA", is_logarithmic=True),
    Feature("send_rate_ewma", "bytes/s", 1e4, 2.5e7, "rate of sending, EWMA", is_logarithmic=True),
    Feature("cwnd", "bytes", 2e3, 4e6, "congestion window", is_logarithmic=True),
    Feature("duration", "s", 0.0, 30.0, "time since the path was first used"),
)


class Zixia(SteppedWindow):
    """A learned window; CUBIC's while nobody decides."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=HISTORY,
        actions=Choices(ACTIONS, "change of the window as a share of it, eq. 3"),
        interval="10 ms, or longer where no ACK comes",
    )

    def wanted_window_bytes(self, action: float) -> float:
        """Eq. 3."""
        return self._window_bytes * (1 + ACTIONS[int(action)])

    def features(self, event: AckEvent) -> tuple[float, ...]:
        """Table I."""
        rates = self._rates
        return (
            rates.delay_s or 0.0,
            rates.delivery_bytes_per_s or 0.0,
            rates.send_bytes_per_s or 0.0,
            self._window_bytes,
            0.0 if self._start_s is None else event.now_s - self._start_s,
        )


SCHEME = Scheme(
    name="zixia",
    title="ZiXia",
    control="sender",
    family="Learned",
    summary="A learned policy multiplies the window every 10 ms; rewarded for its rank among other schemes.",
    source="ZiXia: an adjusted ranking reward, Dual-PPO",
    make_sender=Zixia,
    policy="zixia",
)

DELAY = Scheme(
    name="zixia-delay",
    title="ZiXia_delay",
    control="sender",
    family="Learned",
    summary="ZiXia with a policy that is content to beat half of the others in throughput, and seeks low delay.",
    source="ZiXia: an adjusted ranking reward, Dual-PPO, eq. 6",
    make_sender=Zixia,
    policy="zixia-delay",
)

LEAN = Scheme(
    name="zixia-lean",
    title="ZiXia, lean",
    control="sender",
    family="Learned",
    summary="ZiXia with a policy that was rewarded for use, short queues and few losses; not the paper's.",
    source="ZiXia: an adjusted ranking reward; trained otherwise",
    make_sender=Zixia,
    policy="zixia-lean",
)
