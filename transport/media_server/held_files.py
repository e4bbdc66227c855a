"""Files that stay open between two reads: to open one by its path costs as much as to read 200 KiB of it."""

from __future__ import annotations

import os
from collections import OrderedDict

MOST_HELD = 128
"""Thousands of responses may wait at once; the smallest usual limit for a process is 256 descriptors."""
CAN_HOLD = os.name == "posix"
"""Whether a packager can replace a file that is open; Windows lets nobody."""


class HeldFiles:
    """Descriptors by their owners; of more than so many, those that were not used for longest are closed."""

    def __init__(self, most: int = MOST_HELD) -> None:
        self._most = most if CAN_HOLD else 0
        self._descriptors: OrderedDict[object, int] = OrderedDict()

    def descriptor(self, owner: object) -> int | None:
        """The owner's, which counts as used now; None where it has none, or has lost it."""
        descriptor = self._descriptors.get(owner)
        if descriptor is not None:
            self._descriptors.move_to_end(owner)
        return descriptor

    def hold(self, owner: object, descriptor: int) -> None:
        """Take over the descriptor of an owner who has none; it may be the one to be closed."""
        self._descriptors[owner] = descriptor
        while len(self._descriptors) > self._most:
            os.close(self._descriptors.popitem(last=False)[1])

    def close(self, owner: object) -> None:
        """The owner reads no more."""
        descriptor = self._descriptors.pop(owner, None)
        if descriptor is not None:
            os.close(descriptor)
