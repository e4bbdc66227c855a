"""Inputs made from samples by small damage, from a seed: no coverage, but fast, and everywhere the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

INTERESTING = (
    0,
    1,
    2,
    0x3F,
    0x40,
    0x7F,
    0x80,
    0xFF,
    0x3FFF,
    0x4000,
    0x7FFF,
    0xFFFF,
    2**31 - 1,
    2**32 - 1,
    2**53,
    2**62,
)
MOST_DAMAGES = 4
MOST_SAMPLES = 4000
BLIND = 0.02
"""Share of inputs that are bytes drawn blindly."""


class Mutator:
    """Draws inputs; the same seed and samples draw the same."""

    def __init__(
        self,
        rng: random.Random,
        samples: Sequence[bytes],
        *,
        tokens: Sequence[bytes] = (),
        largest_bytes: int,
        is_of_fixed_length: bool = False,
    ) -> None:
        """`samples` may not be empty. Where the length is fixed, three of four inputs keep it."""
        self._rng = rng
        self._samples = list(samples[:MOST_SAMPLES])
        self._tokens = list(tokens)
        self._largest_bytes = largest_bytes
        self._damages: list[Callable[[bytearray], None]] = [
            self._flip,
            self._replace,
            self._number,
            self._insert,
            self._remove,
            self._repeat,
            self._splice,
            self._cut,
        ]
        if self._tokens:
            self._damages += [self._token, self._token]
        if is_of_fixed_length:
            self._damages += 8 * [self._flip, self._replace, self._overwrite]

    def draw(self) -> bytes:
        """The next input."""
        rng = self._rng
        chance = rng.random()
        if chance < BLIND:
            return rng.randbytes(rng.randrange(min(64, self._largest_bytes)) + 1)
        data = bytearray(self._samples[int(rng.random() * len(self._samples))])
        for _ in range(int(chance * chance * MOST_DAMAGES) + 1):
            self._damages[int(rng.random() * len(self._damages))](data)
        return bytes(data[: self._largest_bytes])

    def _at(self, data: bytearray, *, end: int = 0) -> int:
        return int(self._rng.random() * (len(data) + end))

    def _flip(self, data: bytearray) -> None:
        if data:
            data[self._at(data)] ^= 1 << int(self._rng.random() * 8)

    def _replace(self, data: bytearray) -> None:
        if data:
            data[self._at(data)] = int(self._rng.random() * 256)

    def _number(self, data: bytearray) -> None:
        size_bytes = (1, 2, 4, 8)[int(self._rng.random() * 4)]
        value = INTERESTING[int(self._rng.random() * len(INTERESTING))] % 256**size_bytes
        at = self._at(data, end=1)
        data[at : at + size_bytes] = value.to_bytes(size_bytes, "big")

    def _overwrite(self, data: bytearray) -> None:
        """A whole number where one may stand."""
        size_bytes = (1, 2, 4, 8)[int(self._rng.random() * 4)]
        at = int(self._rng.random() * (len(data) // size_bytes)) * size_bytes
        if len(data) >= at + size_bytes:
            value = INTERESTING[int(self._rng.random() * len(INTERESTING))] % 256**size_bytes
            data[at : at + size_bytes] = value.to_bytes(size_bytes, "big")

    def _insert(self, data: bytearray) -> None:
        at = self._at(data, end=1)
        data[at:at] = self._rng.randbytes(int(self._rng.random() * 8) + 1)

    def _remove(self, data: bytearray) -> None:
        at = self._at(data, end=1)
        del data[at : at + int(self._rng.random() * 8) + 1]

    def _repeat(self, data: bytearray) -> None:
        at = self._at(data, end=1)
        piece = data[at : at + int(self._rng.random() * 16) + 1]
        data[at:at] = piece * (int(self._rng.random() ** 4 * 64) + 1)

    def _splice(self, data: bytearray) -> None:
        other = self._samples[int(self._rng.random() * len(self._samples))]
        start = int(self._rng.random() * (len(other) + 1))
        data[self._at(data, end=1) :] = other[start:]

    def _cut(self, data: bytearray) -> None:
        del data[self._at(data, end=1) :]

    def _token(self, data: bytearray) -> None:
        token = self._tokens[int(self._rng.random() * len(self._tokens))]
        at = self._at(data, end=1)
        end = at + len(token) if self._rng.random() < 0.5 else at
        data[at:end] = token
