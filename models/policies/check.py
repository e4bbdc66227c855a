"""`models check [SCHEME...]` says, before anything is run, whether the policies of schemes can be had.

It prints an object of JSON with a field for each learned one among them: null, or the sentence that says why not.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from cc.registry import SCHEMES, UnknownSchemeError, scheme
from models.policies.find import load
from models.policies.policy import PolicyError


def find_problem(name: str, folder: Path | None = None) -> str | None:
    """Why a policy cannot be had; None if it can."""
    try:
        load(name, folder)
    except PolicyError as error:
        return str(error)
    return None


def run(options: argparse.Namespace) -> int:
    """0 if it could be said of all, 2 if some are not known: the others are answered all the same."""
    problems: dict[str, str | None] = {}
    unknown: list[UnknownSchemeError] = []
    for name in options.schemes or [entry.name for entry in SCHEMES]:
        try:
            policy = scheme(name).policy
        except UnknownSchemeError as error:
            unknown.append(error)
            continue
        if policy is not None:
            problems[name] = find_problem(policy, options.policies)
    sys.stdout.write(json.dumps(problems) + "\n")
    sys.stderr.writelines(f"{error}\n" for error in unknown)
    return 2 if unknown else 0
