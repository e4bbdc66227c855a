"""The session's stream, which carries capsules."""

from __future__ import annotations

from e2e.fuzzing.target import Subject, Target
from e2e.fuzzing.wire_samples import integers
from transport.wire_format.capsules import CLOSE_SESSION, CapsuleError, CapsuleReader, encode_close


class Stream(Subject):
    """The first byte says into pieces of which size the rest is cut."""

    def __init__(self) -> None:
        self._reader = CapsuleReader()

    def feed(self, data: bytes) -> bool:
        size_bytes = data[0] + 1 if data else 1
        try:
            for start in range(1, len(data), size_bytes):
                if self._reader.feed(data[start : start + size_bytes]) is not None:
                    self.is_spent = True
                    return True
        except CapsuleError:
            self.is_spent = True
            return False
        return True


TARGET = Target(
    "capsules",
    "the capsules of a session's stream, in pieces",
    Stream,
    lambda: [
        bytes([255]) + encode_close(0, "over"),
        bytes([2]) + encode_close(4_294_967_295, "ä" * 300),
        bytes([0]) + integers(0x41, 3) + b"abc" + encode_close(1, ""),
        bytes([63]) + integers(CLOSE_SESSION, 1028) + bytes(1028),
        bytes([9]) + integers(2**62 - 1, 2**62 - 1),
    ],
    tokens=(integers(CLOSE_SESSION), integers(4), integers(2**62 - 1)),
    test_inputs=20_000,
)
