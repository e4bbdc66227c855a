"""`python -m models check SCHEME...` says, before anything is run, whether the policies of schemes can be had.

It prints an object of JSON with a field for each learned one among them: null, or the sentence that says why not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from cc.registry import UnknownSchemeError, scheme
from models.policy import PolicyError
from models.simulate import load


def find_problem(name: str) -> str | None:
    """Why a policy cannot be had; None if it can."""
    try:
        load(name)
    except PolicyError as error:
        return str(error)
    return None


def main(arguments: Sequence[str]) -> int:
    """0 if it could be said, 2 for schemes that are not known."""
    parser = argparse.ArgumentParser(prog="python -m models check", description=__doc__)
    parser.add_argument("schemes", nargs="+", metavar="SCHEME")
    try:
        policies = {name: scheme(name).policy for name in parser.parse_args(arguments).schemes}
    except UnknownSchemeError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    problems = {name: find_problem(policy) for name, policy in policies.items() if policy is not None}
    sys.stdout.write(json.dumps(problems) + "\n")
    return 0
