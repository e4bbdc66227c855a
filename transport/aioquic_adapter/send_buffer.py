"""What a stream has to send, kept in the pieces in which it was written.

aioquic appends each piece to one bytearray, which for every few hundred kilobytes moves to a larger place: while it
does, and for what is left behind, memory is kept several times.
"""

from __future__ import annotations

from bisect import bisect_right


class SendBuffer:
    """In place of `QuicStreamSender._buffer`, as far as a bytearray is used there."""

    __slots__ = ("_begin", "_ends", "_length_bytes", "_pieces")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._ends: list[int] = []
        """Where each piece ends, counted from the first byte ever written."""
        self._begin = 0
        """The first byte that is left, counted alike."""
        self._length_bytes = 0

    def __len__(self) -> int:
        return self._length_bytes

    @property
    def kept_bytes(self) -> int:
        """What its pieces take, the first with what of it is gone."""
        return self._ends[-1] - self._ends[0] + len(self._pieces[0]) if self._pieces else 0

    def __iadd__(self, data: bytes) -> SendBuffer:
        self._length_bytes += len(data)
        self._pieces.append(data)
        self._ends.append(self._begin + self._length_bytes)
        return self

    def __getitem__(self, part: slice) -> bytes:
        """A part with a beginning and an end."""
        start, stop = self._begin + part.start, self._begin + part.stop
        index = bisect_right(self._ends, start)
        found = []
        while start < stop and index < len(self._pieces):
            piece = self._pieces[index]
            at = self._ends[index] - len(piece)
            found.append(piece[start - at : stop - at])
            start = self._ends[index]
            index += 1
        return found[0] if len(found) == 1 else b"".join(found)

    def __delitem__(self, part: slice) -> None:
        """The beginning, up to an end."""
        count = min(part.stop, self._length_bytes)
        self._begin += count
        self._length_bytes -= count
        gone = bisect_right(self._ends, self._begin)
        del self._pieces[:gone], self._ends[:gone]

    def clear(self) -> None:
        """Forget it all."""
        del self[: self._length_bytes]
