"""Has what simulates come from the build of these sources, where there is one."""

from __future__ import annotations

import os
import sys
from typing import TextIO

import cc
from e2e.nuwa.compiled.sources import COMPILED, build_name, builds_folder
from models.executors.build import put_first

MAKE = "npm run nuwa -- compile"
OTHER_SOURCES = f"cc is compiled from other sources, so Python runs it as it is; `{MAKE}` compiles these\n"
HINT = f"simulation is up to three times as fast once cc is compiled: `{MAKE}`, which takes some minutes\n"
LOADED = tuple(f"cc.{part.removesuffix('.py')}" for part in COMPILED)


def use_build(output: TextIO) -> None:
    """In this process and in those of `multiprocessing` that it starts, which take over its path; says why not.

    Nothing is done where a module of cc is imported already: classes of both kinds do not go together.
    """
    if cc.COMPILED is not None or any(name.startswith(LOADED) for name in sys.modules):
        return
    builds = _builds()
    if not builds:
        if output.isatty():
            output.write(HINT)
        return
    folder = builds_folder() / build_name()
    if folder.name not in builds:
        output.write(OTHER_SOURCES)
        return
    put_first(os.fspath(folder))


def _builds() -> set[str]:
    try:
        return {each.name for each in builds_folder().iterdir() if (each / "cc").is_dir()}
    except OSError:
        return set()
