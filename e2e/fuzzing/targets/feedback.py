"""What a receiver's datagrams may say, and what the guard makes of it."""

from __future__ import annotations

import random

from cc.registry import scheme
from cc.sender.receiver_driven import ReceiverDriven
from e2e.fuzzing.target import Subject, Target
from e2e.fuzzing.wire_samples import vectors
from transport.wire_format.wire import (
    MalformedDatagramError,
    decode_feedback,
    decode_ping,
    encode_feedback,
    encode_ping,
    is_ping,
)

MOST_CWND_BYTES = 2**31


class WrongWindowError(Exception):
    """A receiver's wish became a window that no sender may have."""


class Guarded(Subject):
    """A receiver-driven sender that is asked for windows."""

    def __init__(self) -> None:
        sender = scheme("nuwa").make_sender(max_datagram_bytes=1200, rng=random.Random(1))
        assert isinstance(sender, ReceiverDriven)
        self._sender = sender
        self._now_s = 100.0

    def feed(self, data: bytes) -> bool:
        try:
            if is_ping(data):
                _same(encode_ping(decode_ping(data)), data)
                return True
            feedback = decode_feedback(data)
        except MalformedDatagramError:
            return False
        _same(encode_feedback(feedback), data)
        self._now_s += 0.001
        self._sender.on_feedback(feedback, now_s=self._now_s, is_current=feedback.epoch % 8 != 7)
        cwnd_bytes = self._sender.cwnd_bytes
        if type(cwnd_bytes) is not int or not 0 < cwnd_bytes < MOST_CWND_BYTES:
            raise WrongWindowError(f"a window of {cwnd_bytes!r} bytes")
        return True


class OtherBytesError(Exception):
    """What was decoded is encoded as something else."""


def _same(encoded: bytes, data: bytes) -> None:
    if encoded != data:
        raise OtherBytesError(f"{data.hex()} is encoded as {encoded.hex()}")


TARGET = Target(
    "feedback",
    "feedback and pings to the media server, and the window that the guard grants",
    Guarded,
    lambda: [*vectors("feedback"), *vectors("pings")],
    largest_bytes=64,
    is_of_fixed_length=True,
    test_inputs=20_000,
)
