"""Files that are written whole or not at all, also where the disk is full."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

FOR_ALL = 0o666
FOR_OWNER = 0o600


def write_whole(contents: Mapping[Path, bytes], *, mode: int = FOR_ALL) -> None:
    """Put all in their places once each is written beside its own; else those that were there stay.

    Raises OSError, which names the file that could not be written.
    """
    with ExitStack() as written:
        partials = {path: path.with_name(f".{path.name}.{os.getpid()}") for path in contents}
        for path, partial in partials.items():
            written.callback(partial.unlink, missing_ok=True)
            try:
                _write(partial, contents[path], mode)
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(path)) from error
        for path, partial in partials.items():
            partial.replace(path)


def _write(path: Path, content: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with open(descriptor, "wb") as file:
        file.write(content)
