"""`python -m models simulate` is `python -m cc simulate` (cc/README.md) with the learned schemes' policies.

`python -m models evaluate NAME` plays a shipped policy beside its rivals, `python -m models figures` prints what all of
them achieve.
"""

from __future__ import annotations

import random
import sys
from functools import cache
from typing import TYPE_CHECKING

from cc.decision import Decide
from cc.simulation.command import answers

if TYPE_CHECKING:
    from models.policy import Policy

USAGE = "usage: python -m models simulate | evaluate NAME | figures"


def find_policy(name: str) -> Decide:
    """A runner for one flow. Raises PolicyError."""
    return _policy(name).runner().decide


@cache
def _policy(name: str) -> Policy:
    from models.policy import load_policy  # noqa: PLC0415 - runs without a learned scheme need no onnxruntime

    return load_policy(name)


def main(arguments: list[str]) -> int:
    """The command's exit status; 2 for arguments that are not known."""
    match arguments:
        case ["simulate"]:
            return simulate()
        case ["evaluate", *rest]:
            from models import evaluate  # noqa: PLC0415 - as above

            return evaluate.main(rest)
        case ["figures", *rest]:
            from models.figures import command  # noqa: PLC0415 - as above

            return command.main(rest)
    sys.stderr.write(f"unknown arguments {' '.join(arguments)!r}; {USAGE}\n")
    return 2


def simulate() -> int:
    """Answer runs on standard input until it ends."""
    for line in answers(sys.stdin, random.Random, find_policy):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
