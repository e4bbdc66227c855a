"""The laboratory: `python -m e2e.laboratory COMMAND --help`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from e2e.laboratory.matrix.command import main as run_matrix

COMMANDS = {
    "figures": ("e2e.laboratory.studies.command", "what all shipped policies achieve beside what they must beat"),
    "pages": ("e2e.laboratory.figures.command", "keeps what benchmarks measured, and writes it into the pages"),
    "decision-time": ("e2e.laboratory.learned.decision_time", "what a policy's decision takes as served"),
}
"""Modules with a `main`, imported when they are asked for."""


def main(arguments: Sequence[str], *, prog: str = "python -m e2e.laboratory") -> int:
    """The command's exit status."""
    if arguments and arguments[0].startswith("--") and arguments[0] != "--help":
        return run_matrix(arguments, prog=prog)
    commands = "\n".join(f"  {name:14}{summary}" for name, (_, summary) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog=prog,
        description=f"{__doc__}\n\n{commands}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    module, _ = COMMANDS[parser.parse_args(arguments[:1]).command]
    status: int = import_module(module).main(arguments[1:])
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
