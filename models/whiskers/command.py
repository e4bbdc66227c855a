"""`models whiskers`: makes a whisker tree by Remy's search, and writes it with what it was made with."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cc.sender.tao.whiskers import tree_json
from models.scenarios.scenario import ScenarioDistribution
from models.scenarios.splits import OtherTraceError
from models.whiskers.objective import DELTA, play
from models.whiskers.search import FIRST, Search, leaves

TRAINING = ScenarioDistribution(duration_s=10.0)
VALIDATION_SEED = 99


def run(options: argparse.Namespace) -> int:
    """0, or 2 where the file cannot be written, or for a trace that is not the recorded one."""
    output: Path = options.output
    try:
        _make_room(output)  # before minutes are spent on what would go there
    except OSError as error:
        sys.stderr.write(f"--output {output} cannot be written: {error.filename}: {error.strerror}\n")
        return 2
    try:
        made = _made(options)
    except OtherTraceError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    output.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{output}: {made['budget']}\n")
    return 0


def _make_room(output: Path) -> None:
    """Raises OSError where the file cannot be written. One that is there stays, and none is left behind."""
    output.parent.mkdir(parents=True, exist_ok=True)
    is_new = not output.exists()
    output.open("a").close()
    if is_new:
        output.resolve().unlink()


def _made(options: argparse.Namespace) -> dict[str, Any]:
    """The tree, and what it was made with. Raises OtherTraceError."""
    rng = random.Random(options.seed)
    scenarios = [TRAINING.draw("training", rng) for _ in range(options.scenarios)]
    until_s = time.monotonic() + 60 * options.minutes
    search = Search(
        scenarios,
        lambda: time.monotonic() >= until_s,
        lambda line: print(line, file=sys.stderr),  # noqa: T201
    )
    found = search.run()
    unseen = TRAINING.fixed("validation", seed=VALIDATION_SEED)
    return {
        "source": "Winstein, Balakrishnan: TCP ex Machina, SIGCOMM 2013",
        "command": f"nuwa models whiskers --minutes {options.minutes:g} --scenarios {options.scenarios} "
        f"--seed {options.seed}",
        "budget": f"{found.trees_played} trees played, {found.generations} generations, {leaves(found.tree)} whiskers; "
        "the paper takes CPU-weeks, and its trees have 162 to 204 whiskers",
        "objective": f"mean of log2(share of the link) - {DELTA:g} log2(RTT / base RTT)",
        "learned_on": {"split": "training", "seed": options.seed, "distribution": asdict(TRAINING)},
        "objective_learned_on": round(found.objective, 4),
        "judged_on": {"split": "validation", "scenarios": len(unseen)},
        "objective_judged_on": round(play(found.tree, unseen).objective, 4),
        "objective_judged_on_of_the_first_tree": round(play(FIRST, unseen).objective, 4),
        "tree": tree_json(found.tree),
    }
