"""Opens what was listed below a directory, and never what a link put in its place leads to."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOT_WHAT_WAS_LISTED = (errno.ELOOP, errno.ENOTDIR)


@contextmanager
def open_listed(root: Path, parts: tuple[str, ...]) -> Iterator[int]:
    """Descriptor of the regular file at `parts` below `root`; raises FileNotFoundError for another thing, or a link.

    No part of the path is followed, so nothing can be put between a look at it and its opening.
    """
    try:
        descriptor = _descriptor(root, parts)
    except OSError as error:
        if error.errno in NOT_WHAT_WAS_LISTED:
            raise _absent(parts) from error
        raise
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _absent(parts)
        yield descriptor
    finally:
        os.close(descriptor)


def _absent(parts: tuple[str, ...]) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, "no file that was listed", "/".join(parts))


def _descriptor(root: Path, parts: tuple[str, ...]) -> int:
    if os.open not in os.supports_dir_fd:  # Windows, where only an administrator makes links
        return os.open(root.joinpath(*parts), os.O_RDONLY)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for part in parts[:-1]:
        folder = _open_below(folder, part, os.O_DIRECTORY)
    return _open_below(folder, parts[-1], os.O_NONBLOCK)  # a pipe would wait for a writer


def _open_below(folder: int, name: str, flags: int) -> int:
    """Closes the folder."""
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | flags, dir_fd=folder)
    finally:
        os.close(folder)
