"""What a stream has to send, kept in the pieces in which it was written.

aioquic appends each piece to one bytearray, which for every few hundred kilobytes moves to a larger place: while it
does, and for what is left behind, memory is kept several times.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class SendBuffer:
    """In place of `QuicStreamSender._buffer`, as far as a bytearray is used there."""

    __slots__ = ("_begin", "_ends", "_length_bytes", "_pieces", "kept_bytes")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._ends: list[int] = []
        """Where each piece ends, counted from the first byte ever written."""
        self._begin = 0
        """The first byte that is left, counted alike."""
        self._length_bytes = 0
        self.kept_bytes = 0
        """What its pieces take, the first with what of it is gone."""

    def __len__(self) -> int:
        return self._length_bytes

    @property
    def pieces(self) -> int:
        """Those that were forgotten, too, as long as something before them is kept."""
        return len(self._pieces)

    def __iadd__(self, data: bytes) -> SendBuffer:
        self._length_bytes += len(data)
        self.kept_bytes += len(data)
        self._pieces.append(data)
        self._ends.append(self._begin + self._length_bytes)
        return self

    def __getitem__(self, part: slice) -> bytes:
        """A part with a beginning and an end, of which nothing was forgotten."""
        start, stop = self._begin + part.start, self._begin + part.stop
        index = bisect_right(self._ends, start)
        found = []
        while start < stop and index < len(self._pieces):
            piece = self._pieces[index]
            at = self._ends[index] - len(piece)
            assert at <= start, "asked for what was forgotten"
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
        self.kept_bytes -= sum(map(len, self._pieces[:gone]))
        del self._pieces[:gone], self._ends[:gone]

    def forget(self, start: int, stop: int, *, within: range) -> None:
        """Keep no piece of this part that lies within that range, for which nobody will ask again."""
        first, last = bisect_right(self._ends, self._begin + start), bisect_left(self._ends, self._begin + stop)
        for index in range(first, min(last + 1, len(self._pieces))):
            piece, end = self._pieces[index], self._ends[index] - self._begin
            if within.start <= end - len(piece) and end <= within.stop:
                self.kept_bytes -= len(piece)
                self._pieces[index] = b""

    def clear(self) -> None:
        """Forget it all."""
        del self[: self._length_bytes]
