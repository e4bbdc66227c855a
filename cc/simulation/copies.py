"""Packets with the same bytes: one that was sent, and probes that repeated it where there was nothing new to send."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class _Bytes:
    under_way: set[int]
    """Numbers of packets of which nothing is known yet."""
    has_arrived: bool = False


class Copies:
    """Of one sender: which packets bring nothing new, and whose bytes need not be sent again."""

    def __init__(self) -> None:
        self._bytes_of: dict[int, _Bytes] = {}

    def note(self, original: int, copy: int) -> None:
        """A packet in flight was repeated."""
        same = self._bytes_of.setdefault(original, _Bytes({original}))
        same.under_way.add(copy)
        self._bytes_of[copy] = same

    def brings_nothing_new(self, number: int) -> bool:
        """A packet was acknowledged: whether another with its bytes was before."""
        same = self._bytes_of.pop(number, None)
        if same is None:
            return False
        same.under_way.discard(number)
        had_arrived, same.has_arrived = same.has_arrived, True
        return had_arrived

    def must_be_resent(self, number: int) -> bool:
        """A packet was lost: not while another with its bytes is under way, nor where one has arrived."""
        same = self._bytes_of.pop(number, None)
        if same is None:
            return True
        same.under_way.discard(number)
        return not (same.has_arrived or same.under_way)
