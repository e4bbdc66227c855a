"""`train`: trains a policy, validates it, and on request ships it. torch is imported after the options."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, count, generator_seed
from cc.command_line.clone import build_folder

OUTPUT = build_folder() / "train"
NOT_FOR_SHIP = ("steps", "seed", "history", "resume", "processes")
"""Options that train."""


def main(arguments: Sequence[str], *, prog: str = "nuwa train") -> int:
    """0 if all went well, 2 for what cannot be done."""
    options = _parser(prog).parse_args(arguments)
    given = [f"--{name}" for name in NOT_FOR_SHIP if getattr(options, name)]
    if options.ship and given:
        sys.stderr.write(
            f"--ship takes --policy and --output alone, and chooses among all seeds that are trained for the scheme's "
            f"own history: leave {' and '.join(given)} out\n"
        )
        return EXIT_USAGE
    from models.training.job import REFUSALS, carry_out  # noqa: PLC0415 - help needs no torch

    try:
        carry_out(options)
    except REFUSALS as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_USAGE
    return 0


def _parser(prog: str) -> OneSentenceParser:
    parser = OneSentenceParser(prog=prog, description="Train a policy, validate it, and on request ship it.")
    add = parser.add_argument
    add("--policy", required=True, metavar="NAME", help="as models/recipes lists them")
    add("--steps", type=count, help="decisions to train for; the recipe's, if not given")
    add("--seed", type=generator_seed, help="of the training; 1, if not given")
    add("--history", type=count, help="another history than the scheme's: to compare, not to ship")
    add("--resume", action="store_true", help="go on from the seed's last checkpoint, if it has one")
    add("--processes", action="store_true", help="each environment in a process of its own")
    add("--output", type=Path, default=OUTPUT, metavar="FOLDER", help="default: .build/train")
    add("--ship", action="store_true", help="write models/policies/ from the seeds that are trained, at least three")
    return parser
