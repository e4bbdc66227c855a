"""`train`: trains a policy, validates it, and on request ships it. torch is imported after the options."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, count, generator_seed
from cc.command_line.clone import build_folder
from models.executors.registry import HELP
from models.executors.workers import ClusterGoneError

OUTPUT = build_folder() / "train"
NOT_FOR_SHIP = ("steps", "seed", "seeds", "history", "resume", "processes", "cluster")
"""Options that train."""
MOST_SEEDS = 1000
"""In a range."""


def main(arguments: Sequence[str], *, prog: str = "nuwa train") -> int:
    """0 if all went well, 1 if one of several seeds failed, 2 for what cannot be done."""
    options = _parser(prog).parse_args(arguments)
    given = [f"--{name}" for name in NOT_FOR_SHIP if getattr(options, name)]
    if options.ship and given:
        sys.stderr.write(
            f"--ship takes --policy and --output alone, and chooses among all seeds that are trained for the scheme's "
            f"own history: leave {' and '.join(given)} out\n"
        )
        return EXIT_USAGE
    if options.seeds is not None and options.seed is not None:
        sys.stderr.write("--seed and --seeds: give one of them\n")
        return EXIT_USAGE
    if options.seeds is None and (options.cluster is not None or options.jobs is not None):
        sys.stderr.write("--cluster and --jobs are for several seeds: give --seeds\n")
        return EXIT_USAGE
    from models.training.job import REFUSALS, carry_out  # noqa: PLC0415 - help needs no torch

    try:
        return carry_out(options)
    except ClusterGoneError as error:
        sys.stderr.write(f"{error}; the same command with --resume goes on\n")
        return 1
    except REFUSALS as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_USAGE


def seed_list(text: str) -> tuple[int, ...]:
    """`1-8`, `1,4,9` or `1-3,7`: each once, in their order."""
    seeds: list[int] = []
    for part in text.split(","):
        match = re.fullmatch("([0-9]+)(?:-([0-9]+))?", part)
        if match is None:
            raise argparse.ArgumentTypeError(f"{text!r} names no seeds: give a list or a range, as in 1-8 or 1,3,5")
        first, last = generator_seed(match[1]), generator_seed(match[2] or match[1])
        if not first <= last < first + MOST_SEEDS:
            raise argparse.ArgumentTypeError(f"{part!r} is no range of 1 to {MOST_SEEDS} seeds that rises")
        seeds.extend(range(first, last + 1))
    return tuple(dict.fromkeys(seeds))


def _parser(prog: str) -> OneSentenceParser:
    parser = OneSentenceParser(prog=prog, description="Train a policy, validate it, and on request ship it.")
    add = parser.add_argument
    add("--policy", required=True, metavar="NAME", help="as models/recipes lists them")
    add("--steps", type=count, help="decisions to train for; the recipe's, if not given")
    add("--seed", type=generator_seed, help="of the training; 1, if not given")
    add("--seeds", type=seed_list, metavar="LIST", help="several trainings side by side: 1-8 or 1,3,5")
    add("--jobs", type=count, metavar="N", help="of them at a time; one a core, if not given")
    add("--cluster", metavar="ADDRESS", help=HELP)
    add("--history", type=count, help="another history than the scheme's: to compare, not to ship")
    add("--resume", action="store_true", help="go on from the seed's last checkpoint, if it has one")
    add("--processes", action="store_true", help="each environment in a process of its own")
    add("--output", type=Path, default=OUTPUT, metavar="FOLDER", help="default: .build/train")
    add("--ship", action="store_true", help="write models/policies/ from the seeds that are trained, at least three")
    return parser
