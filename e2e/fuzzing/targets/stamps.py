"""What a media server's datagrams may say, and what the headless receiver makes of it."""

from __future__ import annotations

import math
import random
from itertools import cycle

from cc.receiver.presets import DEFAULT_PRESET, preset
from cc.registry import scheme
from e2e.fuzzing.target import Subject, Target
from e2e.fuzzing.wire_samples import vectors
from transport.wire_format.wire import (
    MalformedDatagramError,
    decode_feedback,
    decode_pong,
    decode_stamp,
    encode_feedback,
    is_pong,
)

SCHEMES = cycle(("nuwa", "nuwa-rl", "kuafu", "drwa", "cubic"))


class Receiver(Subject):
    """Measures by stamps that anybody wrote, and sends feedback, which has to be sound."""

    def __init__(self) -> None:
        make_receiver = scheme(next(SCHEMES)).make_receiver or scheme("nuwa").make_receiver
        assert make_receiver is not None
        self._receiver = make_receiver(preset(DEFAULT_PRESET).parameters)
        self._now_s = 100.0
        self._steps = random.Random(1)

    def feed(self, data: bytes) -> bool:
        try:
            if is_pong(data):
                decode_pong(data)
                return True
            stamp = decode_stamp(data)
        except MalformedDatagramError:
            return False
        self._now_s += self._steps.random() * 0.02
        self._receiver.on_stamp(stamp, received_time_s=self._now_s)
        feedback = self._receiver.feedback(now_s=self._now_s)
        if feedback is not None:
            assert math.isfinite(feedback.queueing_delay_s)
            decode_feedback(encode_feedback(feedback))
        return True


TARGET = Target(
    "stamps",
    "stamps and pongs to the headless receiver, and the feedback that it makes of them",
    Receiver,
    lambda: [*vectors("stamps"), *vectors("pongs")],
    largest_bytes=64,
    is_of_fixed_length=True,
    inputs_each=300,
    test_inputs=10_000,
)
