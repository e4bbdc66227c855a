"""`python -m models simulate` is `python -m cc simulate` (cc/README.md) with the learned schemes' policies."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from cc.decision import Decide
from cc.simulation.command import answers

if TYPE_CHECKING:
    from models.policy import Policy


def find_policy(name: str) -> Decide:
    """A runner for one flow. Raises PolicyError."""
    return load(name).runner().decide


@cache
def load(name: str) -> Policy:
    """Once for all flows. Raises PolicyError."""
    from models.policy import load_policy  # noqa: PLC0415 - runs without a learned scheme need no onnxruntime

    return load_policy(name)


def main(arguments: Sequence[str]) -> int:
    """Answer runs on standard input, one JSON object a line, until it ends."""
    argparse.ArgumentParser(prog="python -m models simulate", description=__doc__).parse_args(arguments)
    for line in answers(sys.stdin, random.Random, find_policy):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0
