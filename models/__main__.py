"""`python -m models simulate` is `python -m cc simulate` (cc/README.md) with the learned schemes' policies.

`python -m models check SCHEME...` says, before anything is run, whether the policies of schemes can be had: an object
of JSON with a field for each learned one among them, null or the sentence that says why not.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from functools import cache
from typing import TYPE_CHECKING

from cc.decision import Decide
from cc.registry import UnknownSchemeError, scheme
from cc.simulation.command import answers

if TYPE_CHECKING:
    from models.policy import Policy


def find_policy(name: str) -> Decide:
    """A runner for one flow. Raises PolicyError."""
    return load(name).runner().decide


@cache
def load(name: str) -> Policy:
    """Raises PolicyError."""
    from models.policy import load_policy  # noqa: PLC0415 - runs without a learned scheme need no onnxruntime

    return load_policy(name)


def find_problem(name: str) -> str | None:
    """Why a policy cannot be had; None if it can."""
    from models.policy import PolicyError  # noqa: PLC0415 - as above

    try:
        load(name)
    except PolicyError as error:
        return str(error)
    return None


def main(arguments: list[str]) -> int:
    """Answer runs on standard input until it ends, or say which policies there are."""
    options = _parser().parse_args(arguments)
    if options.command == "check":
        return _check(options.schemes)
    for line in answers(sys.stdin, random.Random, find_policy):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


def _check(names: list[str]) -> int:
    try:
        policies = {name: scheme(name).policy for name in names}
    except UnknownSchemeError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    problems = {name: find_problem(policy) for name, policy in policies.items() if policy is not None}
    sys.stdout.write(json.dumps(problems) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models", description="Learned schemes with their policies.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("simulate", help="answer runs on standard input, one JSON object a line (cc/README.md)")
    check = commands.add_parser("check", help="say in JSON which learned schemes lack a policy, and why")
    check.add_argument("schemes", nargs="+", metavar="SCHEME")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
