"""Learned schemes with their policies: `python -m models COMMAND --help`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "simulate": ("models.simulate", "answer runs on standard input, one JSON object a line (cc/README.md)"),
    "check": ("models.policies.check", "say in JSON which learned schemes lack a policy, and why"),
    "table": ("models.evaluation.table", "print README's table of all policies, from recipes and cards"),
    "evaluate": ("models.evaluation.evaluate", "play a shipped policy beside its rivals"),
    "renew": ("models.evaluation.renew", "measure shipped policies again, and write results and pages of their cards"),
}
"""Modules with a `main`, imported when they are asked for: runs without a learned scheme need no onnxruntime."""


def main(arguments: Sequence[str]) -> int:
    """The command's exit status."""
    commands = "\n".join(f"  {name:10}{summary}" for name, (_, summary) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="python -m models",
        description=f"{__doc__}\n\n{commands}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    module, _ = COMMANDS[parser.parse_args(arguments[:1]).command]
    status: int = import_module(module).main(arguments[1:])
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
