"""Folders of further films, each below a name."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

NAME = re.compile("[a-z0-9-]{1,64}")


def mount(text: str) -> tuple[str, Path]:
    """Name and folder from `NAME=FOLDER`; raises ArgumentTypeError."""
    name, equals, folder = text.partition("=")
    if not (equals and folder and NAME.fullmatch(name)):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FOLDER, a name of a-z, 0-9 and - and a film's folder")
    return name, Path(folder)


def folders_in_words(directory: Path, mounts: Sequence[tuple[str, Path]]) -> str:
    """What is served: the root, unless it is empty because all films lie elsewhere, and what is mounted below it."""
    root = [] if mounts and not any(directory.iterdir()) else [f"{directory}"]
    return ", ".join([*root, *(f"{folder} as {name}" for name, folder in mounts)])
