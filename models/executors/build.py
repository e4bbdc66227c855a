"""Has a process take cc from a build of its sources (`nuwa compile`)."""

from __future__ import annotations

import os
import sys
from importlib import reload
from pathlib import Path

import cc


def build_in_use() -> str | None:
    """The folder that this process takes cc from; None where that is the sources."""
    return None if cc.COMPILED is None else os.fspath(Path(cc.__file__).parents[1])


def put_first(folder: str) -> None:
    """Take what of cc is yet to be imported from there; nothing is done a second time."""
    if build_in_use() != folder:
        sys.path.insert(0, folder)
        reload(cc)
