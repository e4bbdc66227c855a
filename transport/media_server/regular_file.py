"""Opens a regular file below a folder, and never what a link leads to."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

NO_FILE = (errno.ELOOP, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ENXIO)


def open_regular(root: Path, parts: tuple[str, ...]) -> int:
    """Descriptor of the regular file at `parts` below `root`; raises FileNotFoundError for another thing, or a link.

    No part of the path is followed, so nothing can be put between a look at it and its opening. `parts` name no parent.
    """
    try:
        descriptor = _descriptor(root, parts)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        if isinstance(error, ValueError) or error.errno in NO_FILE:
            raise _absent(parts) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _absent(parts)
    return descriptor


def _absent(parts: tuple[str, ...]) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, "no regular file", "/".join(parts))


def _descriptor(root: Path, parts: tuple[str, ...]) -> int:
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for part in parts[:-1]:
        folder = _open_below(folder, part, os.O_DIRECTORY)
    return _open_below(folder, parts[-1], os.O_NONBLOCK)  # a pipe would wait for a writer


def _open_below(folder: int, name: str, flags: int) -> int:
    """Closes the folder."""
    try:
        kind = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if not (stat.S_ISDIR(kind) or stat.S_ISREG(kind)):  # to open a device can make it do something
            raise _absent((name,))
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | flags, dir_fd=folder)
    finally:
        os.close(folder)
