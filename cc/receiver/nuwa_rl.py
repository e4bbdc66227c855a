"""Nuwa-RL: Nuwa whose aggressiveness k is moved by a learned policy.

Source: X. Jiang, G. Gong, G. Jin, "Combining Heuristic and Reinforcement Learning to Achieve the Low-latency and
High-throughput Receiver-side Congestion Control", section V.B, equations 10, 11 and 13 (cited below).

Choices where the paper is silent, all measured from stamps alone, so that simulation, headless receiver and browser
mean the same:

- A decision is taken every 0.1 s, once the receiver controls the window (after slow start): some round trips of most
  paths, in which k packets each are added or taken away. An interval ends with the first feedback after its time.
- g_t, the data received within a period, are the bytes that the stamps announced in the interval, scaled to 0.1 s,
  since the interval may end late.
- w_t is the window that eq. 6 gives, in bytes.
- r_t, "the real-time buffer cached by receiver-side", is in the paper the kernel's receive buffer. Its applications
  (iperf, a download) read at once, so what lies there waits for a packet that was lost. No browser shows that buffer.
  It is estimated as what was announced since the sender's recovery began, which an ordered stream must hold back; the
  largest value in the interval, since a recovery may be shorter. A player's media buffer is something else: it is the
  application's, and neither an endless download nor the simulation has one.
- l_t, the one-way delay of the last packet, is D_c of the last stamp (eq. 1 as corrected there): clocks are not
  synchronised, so the shortest delay of late counts as 0.
- S_t (eq. 10) is a history of unknown length. The recurrent policy keeps it in its memory: `history` is 1.
- k begins with the preset's value. A failed answer, or none for a whole interval, begins anew from there.
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.base import Phase
from cc.core.decision import Choices, DecisionRequest, Decisions, Feature, PolicySpace
from cc.core.nuwa_parameters import ALL_PARAMETERS, K_RANGE, NuwaParameters
from cc.core.receiver_base import Feedback, Stamp
from cc.core.scheme import Scheme
from cc.receiver.nuwa import Nuwa
from cc.sender.receiver_driven import ReceiverDriven

INTERVAL_S = 0.1
FACTORS = (0.25, 1.0, 1.05, 1.25, 2.85)  # eq. 11

FEATURES = (
    Feature("received", "bytes", 1200.0, 2e6, "announced by stamps in the interval, per 0.1 s (g_t)", True),
    Feature("window", "bytes", 2400.0, 4e6, "the window by eq. 6 (w_t)", True),
    Feature("receive_buffer", "bytes", 1200.0, 2e6, "most that waited for a lost packet in the interval (r_t)", True),
    Feature("one_way_delay", "s", 0.001, 2.0, "of the last stamp, above the shortest of late (l_t)", True),
)


class NuwaRl(Nuwa):
    """Nuwa with a learned k; the sender's half is `cc.sender.receiver_driven`."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=1,
        actions=Choices(FACTORS, "factor of k, kept within 1 to 9 (eq. 11)"),
        interval="0.1 s, once slow start is over; ends with the first feedback after that",
    )

    def __init__(self, parameters: NuwaParameters) -> None:
        super().__init__(parameters)
        self.decisions = Decisions(self.policy_space)
        self._learned_k = parameters.k
        self._interval_began_s: float | None = None
        self._interval_began_bytes = 0
        self._interval_epoch = 0
        self._recovery_began_bytes: int | None = None
        """None while the sender does not recover."""
        self._most_waiting_bytes = 0

    @property
    def request(self) -> DecisionRequest | None:
        """What waits for the policy."""
        return self.decisions.request

    def on_decision(self, sequence: int, action: float | None) -> None:
        """Eq. 11."""
        accepted = self.decisions.accept(sequence, action)
        if accepted is not None:
            self._learned_k = next_k(self._learned_k, FACTORS[int(accepted)])
        self._choose_k()

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """Take a stamp as Nuwa does, with the k of the last decision."""
        self.decisions.on_event(received_time_s)
        self._choose_k()
        last = self._last_stamp
        super().on_stamp(stamp, received_time_s=received_time_s, late_s=late_s)
        if self._last_stamp is not last:
            self._watch_recovery(stamp, last)

    def feedback(self, *, now_s: float) -> Feedback | None:
        """Nuwa's feedback; the first one after an interval's time ends it."""
        feedback = super().feedback(now_s=now_s)
        if feedback is not None and self._last_stamp is not None:
            self._end_interval_when_due(self._last_stamp, now_s=now_s)
        return feedback

    def _choose_k(self) -> None:
        self._k = self.parameters.k if self.decisions.uses_heuristic else self._learned_k

    def _watch_recovery(self, stamp: Stamp, last: Stamp | None) -> None:
        if stamp.phase is not Phase.RECOVERY:
            self._recovery_began_bytes = None
            return
        if self._recovery_began_bytes is None:
            self._recovery_began_bytes = stamp.bytes_sent if last is None else last.bytes_sent
        self._most_waiting_bytes = max(self._most_waiting_bytes, stamp.bytes_sent - self._recovery_began_bytes)

    def _end_interval_when_due(self, stamp: Stamp, *, now_s: float) -> None:
        """An interval in which the clocks changed, or in slow start, is none: the next begins now."""
        began_s = self._interval_began_s
        if began_s is None or self._interval_epoch != self.epochs_begun or stamp.phase is Phase.SLOW_START:
            self._begin_interval(stamp, now_s=now_s)
        elif now_s - began_s >= INTERVAL_S:
            if self.decisions.uses_heuristic:
                self._learned_k = self.parameters.k
            self.decisions.end_interval(self._features(stamp, duration_s=now_s - began_s), now_s=now_s)
            self._begin_interval(stamp, now_s=now_s)

    def _begin_interval(self, stamp: Stamp, *, now_s: float) -> None:
        self._interval_began_s = now_s
        self._interval_began_bytes = stamp.bytes_sent
        self._interval_epoch = self.epochs_begun
        self._most_waiting_bytes = 0

    def _features(self, stamp: Stamp, *, duration_s: float) -> tuple[float, ...]:
        window_packets = self._window_packets or 0.0
        return (
            (stamp.bytes_sent - self._interval_began_bytes) * (INTERVAL_S / duration_s),
            window_packets * stamp.max_datagram_bytes,
            float(self._most_waiting_bytes),
            self._measurement.queueing_delay.raw_s,
        )


def next_k(k: float, factor: float) -> float:
    """Eq. 11, within `K_RANGE`."""
    return min(max(k * factor, K_RANGE[0]), K_RANGE[1])


SCHEME = Scheme(
    name="nuwa-rl",
    title="Nuwa-RL",
    control="receiver",
    family="Receiver-driven",
    summary="Nuwa whose aggressiveness k a learned policy moves ten times a second.",
    source="Jiang, Gong, Jin: receiver-side congestion control, section V",
    make_sender=ReceiverDriven,
    make_receiver=NuwaRl,
    reads=ALL_PARAMETERS,
    policy="nuwa-rl",
)

GOODPUT = Scheme(
    name="nuwa-rl-goodput",
    title="Nuwa-RL, goodput",
    control="receiver",
    family="Receiver-driven",
    summary="Nuwa-RL with a policy that was rewarded for goodput less delay; not the paper's.",
    source="Jiang, Gong, Jin: receiver-side congestion control, section V; rewarded otherwise",
    make_sender=ReceiverDriven,
    make_receiver=NuwaRl,
    reads=ALL_PARAMETERS,
    policy="nuwa-rl-goodput",
)
