"""Downloads that somebody asks for while the simulation runs, and gives up: a player's segments."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Download:
    """One of them, as the server and the link see it."""

    number: int
    size_bytes: int
    """UDP payload that it takes; less, where the rest was given up before it was sent."""
    due_s: float
    """When the server hands it over."""
    arrived_bytes: int = 0
    last_arrival_s: float = math.nan

    @property
    def has_arrived(self) -> bool:
        """All of it."""
        return self.arrived_bytes >= self.size_bytes


class Downloads:
    """A source whose downloads go out one after the other, in the order in which they were asked for.

    The order of what is asked for at the same time is the caller's. Bytes count for the oldest download that lacks
    some: what is sent again after a loss belongs to whatever is open.
    """

    is_endless = False

    def __init__(self) -> None:
        self._asked: deque[Download] = deque()
        """Not handed over yet; in order of time."""
        self._open: deque[Download] = deque()

    @property
    def due_s(self) -> float:
        """When the next one is handed over."""
        return self._asked[0].due_s if self._asked else math.inf

    def ask(self, download: Download) -> None:
        """Raises ValueError for one that is due before another that was asked for earlier, or is empty."""
        if download.size_bytes <= 0 or (self._asked and download.due_s < self._asked[-1].due_s):
            raise ValueError(f"download {download.number} of {download.size_bytes} bytes is empty, or out of turn")
        self._asked.append(download)

    def take_due(self, now_s: float) -> int:
        """What the server hands over by now."""
        size_bytes = 0
        while self._asked and self._asked[0].due_s <= now_s:
            download = self._asked.popleft()
            self._open.append(download)
            size_bytes += download.size_bytes
        return size_bytes

    def on_all_delivered(self, now_s: float) -> None:
        """Makes no difference."""

    def give_up(self, number: int, *, backlog_bytes: int) -> int:
        """What the server need not send any more of a download, of the `backlog_bytes` that it still had to send."""
        for download in self._asked:
            if download.number == number:
                self._asked.remove(download)
                return 0
        behind_bytes = 0
        for download in reversed(self._open):
            if download.number == number:
                unsent_bytes = min(max(0, backlog_bytes - behind_bytes), download.size_bytes - download.arrived_bytes)
                download.size_bytes -= unsent_bytes
                return unsent_bytes
            behind_bytes += download.size_bytes - download.arrived_bytes
        return 0

    def on_arrivals(self, arrivals_s: Sequence[float], sizes_bytes: Sequence[int]) -> list[Download]:
        """Bytes have reached the far end, in order of time: the downloads that they belong to, oldest first."""
        touched: dict[int, Download] = {}
        for arrival_s, size_bytes in zip(arrivals_s, sizes_bytes, strict=True):
            left_bytes = size_bytes
            while left_bytes > 0 and self._open:
                download = self._open[0]
                counted_bytes = min(left_bytes, download.size_bytes - download.arrived_bytes)
                if counted_bytes > 0:
                    download.arrived_bytes += counted_bytes
                    download.last_arrival_s = arrival_s
                    touched[download.number] = download
                    left_bytes -= counted_bytes
                if download.has_arrived:
                    self._open.popleft()
        return list(touched.values())
