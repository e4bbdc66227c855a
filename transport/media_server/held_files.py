"""Files that stay open between two reads: to open one by its path costs as much as to read 200 KiB of it."""

from __future__ import annotations

import os
from collections import OrderedDict
from typing import NamedTuple

MOST_HELD = 128
"""Thousands of files may be on their way at once; the smallest usual limit for a process is 256 descriptors."""


class FileIdentity(NamedTuple):
    """By which a file is told from another of its name, or from what was written to it."""

    device: int
    inode: int
    modified_ns: int

    @classmethod
    def of(cls, descriptor: int) -> FileIdentity:
        """That of an open file."""
        found = os.fstat(descriptor)
        return cls(found.st_dev, found.st_ino, found.st_mtime_ns)


class HeldFiles:
    """A descriptor for each file, however many read it; of more than so many, those not used for longest are closed."""

    def __init__(self, most: int = MOST_HELD) -> None:
        self._most = most
        self._descriptors: OrderedDict[FileIdentity, int] = OrderedDict()
        self._readers: dict[FileIdentity, set[object]] = {}

    def descriptor(self, file: FileIdentity) -> int | None:
        """The file's, which counts as used now; None where it is not held, or not any more."""
        descriptor = self._descriptors.get(file)
        if descriptor is not None:
            self._descriptors.move_to_end(file)
        return descriptor

    def hold(self, file: FileIdentity, descriptor: int, reader: object) -> None:
        """Take over a descriptor of a file until its last reader leaves; it may be closed at once."""
        self._readers.setdefault(file, set()).add(reader)
        if file in self._descriptors:
            os.close(descriptor)
            self._descriptors.move_to_end(file)
            return
        self._descriptors[file] = descriptor
        while len(self._descriptors) > self._most:
            os.close(self._descriptors.popitem(last=False)[1])

    def leave(self, file: FileIdentity, reader: object) -> None:
        """The reader reads no more of it."""
        readers = self._readers.get(file)
        if readers is None or reader not in readers:
            return
        readers.remove(reader)
        if readers:
            return
        del self._readers[file]
        descriptor = self._descriptors.pop(file, None)
        if descriptor is not None:
            os.close(descriptor)
