"""`python -m models simulate` is `python -m cc simulate` (cc/README.md) with the learned schemes' policies."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from cc.core.decision import Decide
from cc.simulation.command import answers
from models.arguments import existing_folder

if TYPE_CHECKING:
    from models.policies.policy import Policy


def find_policy(name: str, folder: Path | None = None) -> Decide:
    """A runner for one flow. Raises PolicyError."""
    return load(name, folder).runner().decide


@cache
def load(name: str, folder: Path | None = None) -> Policy:
    """Once for all flows, from the folder if it is there, else as it is shipped. Raises PolicyError."""
    from models.policies.policy import load_policy  # noqa: PLC0415 - runs without a learned scheme need no onnxruntime

    if folder is not None and (folder / f"{name}.json").is_file():
        return load_policy(name, folder)
    return load_policy(name)


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Where policies are looked for first."""
    where = "where policies are taken from if they are there, such as .build/train/owl/seed-1; others as shipped"
    parser.add_argument("--policies", type=existing_folder, metavar="FOLDER", help=where)


def main(arguments: Sequence[str]) -> int:
    """Answer runs on standard input, one JSON object a line, until it ends."""
    parser = argparse.ArgumentParser(prog="python -m models simulate", description=__doc__)
    add_folder(parser)
    folder = parser.parse_args(arguments).policies
    for line in answers(sys.stdin, random.Random, partial(find_policy, folder=folder)):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0
