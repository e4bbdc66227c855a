"""Trains variants of a recipe with the same steps and seeds, and compares how they learn.

`python -m models.training.compare --policy nuwa-rl --vary algorithm=a2c,dqn,ppo,recurrent-ppo` is Nuwa-RL's figure 12
(with `--vary family=rate,wifi-like,lte-like,5g-like` its four panels), `--policy bbr-fit --vary history=2,4,6,8,10`
BBR-FIT's choice of a history. The same command again goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from cc.command_line.arguments import OneSentenceParser, count
from cc.command_line.clone import build_folder
from cc.registry import UnknownSchemeError
from models.recipes import UnknownRecipeError, recipe
from models.recipes.recipe import Recipe, VariantError
from models.scenarios.splits import OtherTraceError
from models.training.curves import Curve, chart, curve, draw, read_points
from models.training.environment import NoDecisionError
from models.training.run import Run, RunError
from models.training.train import train
from models.training.variants import variant

OUTPUT = build_folder() / "train"
MOST_DIMENSIONS = 2  # lines and panels
NAME = "comparison"
REFUSALS = (NoDecisionError, OtherTraceError, RunError, UnknownRecipeError, UnknownSchemeError, VariantError)
"""Whose messages are one sentence for whoever gave the command."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A recipe with changes, and its trainings."""

    changes: tuple[tuple[str, str], ...]
    """(name, value) as given; the first tells lines apart, the second panels."""
    runs: tuple[Run, ...]

    @property
    def label(self) -> str:
        """Of its folder and its row."""
        return ", ".join(f"{name}={value}" for name, value in self.changes)

    @property
    def curve(self) -> Curve | None:
        """None while nothing was logged."""
        return curve([read_points(run.folder) for run in self.runs], self.runs[0].steps)


def main(arguments: Sequence[str]) -> int:
    """0 if all went well, 2 for what cannot be done."""
    options = _parser().parse_args(arguments)
    try:
        sys.stdout.write(_compare(recipe(options.policy), options))
    except REFUSALS as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _compare(chosen: Recipe, options: argparse.Namespace) -> str:
    """The table, and where the picture is."""
    folder = options.output / chosen.name / "compare"
    steps = chosen.steps if options.steps is None else options.steps
    variants = _variants(chosen, options.vary, steps=steps, seeds=options.seeds, folder=folder)
    runs = [(each, run) for each in variants for run in each.runs]
    for number, (each, run) in enumerate(runs, start=1):
        sys.stderr.write(f"{number} of {len(runs)}: {chosen.name}, {each.label}, seed {run.seed}\n")
        train(run, resumes=True)
    table, picture = _report(chosen, variants, folder)
    return f"{table}\n{picture}\n"


def _parser() -> argparse.ArgumentParser:
    parser = OneSentenceParser(prog="python -m models.training.compare", description=__doc__)
    parser.add_argument("--policy", required=True, help="as models/recipes lists them")
    parser.add_argument(
        "--vary",
        required=True,
        action="append",
        type=_dimension,
        metavar="NAME=VALUE,...",
        help="algorithm, history, family of links, or a parameter of the algorithm; a second one makes panels",
    )
    parser.add_argument("--steps", type=count, help="decisions of each training; the recipe's, if not given")
    parser.add_argument("--seeds", type=count, default=3, help="trainings of each variant (default: 3)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="default: .build/train")
    return parser


def _dimension(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, values = text.partition("=")
    if not name or not equals or not all(values.split(",")):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE,VALUE,...")
    return name, tuple(values.split(","))


def _variants(
    chosen: Recipe, dimensions: Sequence[tuple[str, tuple[str, ...]]], *, steps: int, seeds: int, folder: Path
) -> list[Variant]:
    """Every combination. Raises VariantError."""
    if len(dimensions) > MOST_DIMENSIONS or len({name for name, _ in dimensions}) < len(dimensions):
        raise VariantError("at most two things can vary, and not the same one twice")
    variants = []
    for values in product(*(values for _, values in dimensions)):
        changes = tuple((name, value) for (name, _), value in zip(dimensions, values, strict=True))
        changed = variant(chosen, dict(changes))
        where = folder / ",".join(f"{name}={value}" for name, value in changes) / f"{steps}-steps"
        runs = tuple(Run(changed, seed, steps, where / f"seed-{seed}") for seed in range(1, seeds + 1))
        variants.append(Variant(changes, runs))
    return variants


def _report(chosen: Recipe, variants: Sequence[Variant], folder: Path) -> tuple[str, Path]:
    """The table as Markdown, and the picture; both are written, with the numbers, into the folder."""
    curves = [(each, found) for each in variants if (found := each.curve) is not None]
    has_panels = len(variants[0].changes) == MOST_DIMENSIONS
    rows = [row for each, found in curves for row in _rows(each, found)]
    picture = draw(chart(rows, title=f"{chosen.name}: learning", has_panels=has_panels), folder, NAME)
    table = _table(curves)
    (folder / f"{NAME}.md").write_text(table, encoding="utf-8")
    results = {each.label: {"final": found.final, "reached_steps": found.reached_steps} for each, found in curves}
    numbers = json.dumps({"variants": results, "curves": rows}, indent=2)
    (folder / f"{NAME}.json").write_text(numbers, encoding="utf-8")
    return table, picture


def _rows(each: Variant, found: Curve) -> list[dict[str, Any]]:
    (_, line), *panels = each.changes
    place = {"line": line, **({"panel": panels[0][1]} if panels else {})}
    points = zip(found.steps, found.mean, found.low, found.high, strict=True)
    return [{**place, "steps": step, "reward": mean, "low": low, "high": high} for step, mean, low, high in points]


def _table(curves: Sequence[tuple[Variant, Curve]]) -> str:
    lines = [
        "| variant | reward at the end | standard deviation over seeds | seeds | steps until 90 % of the gain |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for each, found in curves:
        spread = "-" if found.final_spread is None else f"{found.final_spread:.4f}"
        reached = "-" if found.reached_steps is None else f"{found.reached_steps:,.0f}"
        lines.append(f"| {each.label} | {found.final_mean:.4f} | {spread} | {len(found.final)} | {reached} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
