"""What a receiver was told with a stamp, and what it answered, as vectors have it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Stamp
from cc.receiver.window_receiver import WindowReceiver

MakeReceiver = Callable[[NuwaParameters], WindowReceiver]

STAMPS_PER_CASE = 250


def step_of(receiver: WindowReceiver, stamp: Stamp, received_time_s: float) -> dict[str, object]:
    """One stamp and the receiver's state after it."""
    state = receiver.state(now_s=received_time_s)
    return {
        "stamp": dataclasses.asdict(stamp),
        "received_time_s": received_time_s,
        "window_packets": receiver.window_packets,
        "raw_queueing_delay_s": state.raw_queueing_delay_s,
        "queueing_delay_s": state.queueing_delay_s,
        "bandwidth_bits_per_s": state.bandwidth_bits_per_s,
        "window_bytes": state.window_bytes,
        "target_delay_s": state.target_delay_s,
        "epochs_begun": receiver.epochs_begun,
        **({"wanted_bits_per_s": state.wanted_bits_per_s} if state.wanted_bits_per_s is not None else {}),
        **({"is_held": True} if state.is_held else {}),
    }
