"""Stamps of a flow alone on a path that becomes longer and then shorter, made up: vectors of receivers."""

from __future__ import annotations

import dataclasses

from cc.core.base import Phase
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Stamp
from cc.tests.receiver_steps import STAMPS_PER_CASE, MakeReceiver, step_of

INTERVAL_S = 0.05
LINK_BYTES_PER_S = 1_000_000
USUAL_RTT_S = 0.040
LONG_RTT_S = 0.140
STEPPED_RTT_S = 0.340  # where a clock steps, so much longer that a round trip of old would explain the step
CLOCK_STEP_S = 0.4
LENGTHENS_S = 1.0
STEPS_S = 8.0
SHORTENS_S = 11.0
FIRST_WINDOW_BYTES = 60_000
SHORTER_S = 0.020  # a stamp's: none overtakes another
DRAINING_SHARE, FILLING_SHARE = 1 / 2, 1 / 10  # of what the link carries: so much less or more is sent at the most
SMOOTHING = 1 / 4  # of the round trips that a stamp's interval measures


def longer_path_case(
    make_receiver: MakeReceiver, name: str, parameters: NuwaParameters, *, steps_clock: bool = False
) -> dict[str, object]:
    """The sender follows what is asked for, and a queue stands where that is more than the path holds.

    `steps_clock`: the receiver's clock steps ahead while the path is long.
    """
    long_rtt_s, step_s = (STEPPED_RTT_S, CLOCK_STEP_S) if steps_clock else (LONG_RTT_S, 0.0)
    receiver = make_receiver(parameters)
    steps: list[dict[str, object]] = []
    window_bytes, sent_bytes, queue_bytes = FIRST_WINDOW_BYTES, 0.0, 0.0
    path_s = smoothed_rtt_s = USUAL_RTT_S
    for sequence in range(STAMPS_PER_CASE):
        at_s = INTERVAL_S * sequence
        path_s = long_rtt_s if LENGTHENS_S <= at_s < SHORTENS_S else max(USUAL_RTT_S, path_s - SHORTER_S)
        round_trip_s = path_s + queue_bytes / LINK_BYTES_PER_S
        smoothed_rtt_s += SMOOTHING * (round_trip_s - smoothed_rtt_s)
        stamp = Stamp(
            sequence=sequence,
            epoch=0,
            phase=Phase.AVOIDANCE,
            send_time_s=50.0 + at_s,
            bytes_sent=round(sent_bytes),
            packets_sent=round(sent_bytes / 1200),
            smoothed_rtt_s=smoothed_rtt_s,
            min_rtt_s=USUAL_RTT_S,
            cwnd_bytes=window_bytes,
            max_datagram_bytes=1200,
            is_app_limited=False,
        )
        clock_s = 7.0 if at_s < STEPS_S else 7.0 + step_s
        received_time_s = clock_s + at_s + round_trip_s - USUAL_RTT_S / 2
        receiver.on_stamp(stamp, received_time_s=received_time_s)
        window_bytes = receiver.state(now_s=received_time_s).window_bytes or window_bytes
        sent_bytes += INTERVAL_S * min(LINK_BYTES_PER_S, window_bytes / path_s)
        change_bytes = window_bytes - LINK_BYTES_PER_S * path_s - queue_bytes
        carried_bytes = INTERVAL_S * LINK_BYTES_PER_S
        change_bytes = max(-DRAINING_SHARE * carried_bytes, min(change_bytes, FILLING_SHARE * carried_bytes))
        queue_bytes = max(0.0, queue_bytes + change_bytes)
        steps.append(step_of(receiver, stamp, received_time_s))
    return {"name": name, "parameters": dataclasses.asdict(parameters), "steps": steps}
