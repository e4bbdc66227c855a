"""Stamps of a queue that others keep filled, made up: vectors of receivers that tell it from their own."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from cc.core.base import Phase
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Stamp
from cc.tests.receiver_steps import MakeReceiver, step_of

COMPETING = NuwaParameters(target_delay_s=2.0, rho_s=0.100, k=1.25)
ON_DEMAND = NuwaParameters(target_delay_s=0.060, rho_s=0.030, k=7.0)
ROUND_TRIP_S = 0.040
PACKETS = 50
"""Of a stamp, where the link does not pause; then it is one."""
FULL_BYTES = 120_000
STEP_BACK_S = 60.0
DRAINED_BYTES = 15_000
"""Whoever asks for less drains."""

Others = Callable[[float, float, bool], tuple[float, bool]]
"""By the time, the queue of before and whether the receiver drains: the queue, and whether the link carries much."""


def contested_cases(make_receiver: MakeReceiver) -> list[dict[str, object]]:
    """Others leave; others come after the receiver's clock has gone back, and then grow; others make the queue a second
    and more.

    That last link pauses in the first drains.
    """
    leaving = _case(make_receiver, COMPETING, _leaving, interval_s=0.05, seconds=25)
    deep = _case(make_receiver, ON_DEMAND, _deep, interval_s=0.2, seconds=50)
    stepped = _case(make_receiver, ON_DEMAND, _staying, interval_s=0.05, seconds=12, step_back_at_s=4.0)
    return [
        {"name": "others fill the queue, and leave", **leaving},
        {"name": "others fill the queue after the receiver's clock has gone back", **stepped},
        {"name": "others fill a deep queue, over a link that has paused", **deep},
    ]


def _leaving(at_s: float, queue_s: float, drains: bool) -> tuple[float, bool]:
    is_gone = at_s > 14.0 and drains
    return max(0.002, queue_s - 0.030) if is_gone else 0.100 + 0.010 * math.sin(at_s), True


def _staying(at_s: float, queue_s: float, drains: bool) -> tuple[float, bool]:
    if at_s < 4.5:
        return 0.0, True
    return (0.100 if at_s < 10.0 else 0.900) + 0.010 * math.sin(at_s), True


def _deep(at_s: float, queue_s: float, drains: bool) -> tuple[float, bool]:
    if at_s > 38.0 and drains:
        return max(0.002, queue_s - 0.200), True
    return (0.300 if at_s < 18.0 else 1.400) + 0.010 * math.sin(at_s), not (1.6 < at_s < 4.0)


def _case(
    make_receiver: MakeReceiver,
    parameters: NuwaParameters,
    others: Others,
    *,
    interval_s: float,
    seconds: int,
    step_back_at_s: float = math.inf,
) -> dict[str, object]:
    receiver = make_receiver(parameters)
    steps: list[dict[str, object]] = []
    packets_sent, window_bytes, queue_s, smoothed_rtt_s = 0, FULL_BYTES, 0.0, ROUND_TRIP_S
    for sequence in range(round(seconds / interval_s)):
        at_s = interval_s * sequence
        carries = True
        if sequence > 0:
            queue_s, carries = others(at_s, queue_s, window_bytes < DRAINED_BYTES)
        smoothed_rtt_s += (ROUND_TRIP_S + queue_s - smoothed_rtt_s) / 2
        stamp = Stamp(
            sequence=sequence,
            epoch=0,
            phase=Phase.AVOIDANCE,
            send_time_s=50.0 + at_s,
            bytes_sent=1200 * packets_sent,
            packets_sent=packets_sent,
            smoothed_rtt_s=smoothed_rtt_s,
            min_rtt_s=ROUND_TRIP_S,
            cwnd_bytes=FULL_BYTES,
            max_datagram_bytes=1200,
            is_app_limited=False,
        )
        packets_sent += PACKETS if carries else 1
        clock_s = 70.0 if at_s < step_back_at_s else 70.0 - STEP_BACK_S
        received_time_s = clock_s + at_s + ROUND_TRIP_S / 2 + queue_s
        receiver.on_stamp(stamp, received_time_s=received_time_s)
        window_bytes = receiver.state(now_s=received_time_s).window_bytes or window_bytes
        steps.append(step_of(receiver, stamp, received_time_s))
    return {"parameters": dataclasses.asdict(parameters), "steps": steps}
