"""What waits for its time, in order: a delay of the link's, or one of mahimahi's processes."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from transport.relay.polling import Hop

ItemT = TypeVar("ItemT")


class Held(Generic[ItemT]):
    """Items and when they are due; nothing overtakes."""

    def __init__(self) -> None:
        self._items: deque[tuple[float, ItemT]] = deque()
        self.hop: Hop | None = None
        """The process that holds them; None lets go at the very instant."""

    def __len__(self) -> int:
        return len(self._items)

    @property
    def due_s(self) -> float:
        """When `take` has something; infinite for never."""
        if not self._items:
            return math.inf
        due_s = self._items[0][0]
        return due_s if self.hop is None else self.hop.acts_s(due_s)

    def add(self, item: ItemT, *, due_s: float) -> None:
        """Due then, or with the one before it, whichever is later."""
        items = self._items
        items.append((max(due_s, items[-1][0]) if items else due_s, item))

    def take(self, *, now_s: float) -> Iterator[tuple[float, ItemT]]:
        """Those that have been let go by now, and when."""
        items = self._items
        if self.hop is None:
            while items and items[0][0] <= now_s:
                yield items.popleft()
            return
        while items and (at_s := self.hop.acts_s(items[0][0])) <= now_s:
            self.hop.hand_on(at_s)
            yield at_s, items.popleft()[1]

    def withdraw(self, is_wanted: Callable[[ItemT], bool] = lambda _: True) -> list[ItemT]:
        """Take out the last ones of which this is so, in order."""
        items: deque[ItemT] = deque()
        while self._items and is_wanted(self._items[-1][1]):
            items.appendleft(self._items.pop()[1])
        return list(items)
