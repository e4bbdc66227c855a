"""The command line of studies."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from cc.command_line.arguments import OneSentenceParser, at_least, count, existing_folder
from cc.receiver.presets import PRESETS
from e2e.laboratory.benchmarks import Benchmark
from e2e.laboratory.figures.measured import BENCH
from models.policies.folder import POLICIES
from models.scenarios.splits import Split

if TYPE_CHECKING:
    from e2e.laboratory.learned.episode_runs import Settings

ROOT = Path(__file__).parents[3]
MOST_JOBS = 2
"""Unless told otherwise: an episode of some minutes at 100 Mbit/s takes some hundred MB."""
LEAST_S = 1.0  # in less, nothing may have arrived of what is divided by
OF_EPISODES = ("store", "policies", "split", "seconds", "every")


def make_parser(prog: str, chosen: Sequence[Benchmark]) -> argparse.ArgumentParser:
    """Of these studies."""
    listed = "\n".join(f"  {each.name}: {each.summary} ({each.repeats} times)" for each in chosen)
    parser = OneSentenceParser(
        prog=prog,
        description=f"Measures, and says whether what is to be reached was reached.\n\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--repeats", type=count, metavar="N", help="how often each arm is run, on each trace")
    parser.add_argument("--jobs", type=count, default=_jobs(), metavar="N", help="processes")
    parser.add_argument("--output", type=Path, default=BENCH, metavar="FOLDER", help="of reports (.build/e2e/bench)")
    kept = parser.add_argument_group("where runs or episodes are kept")
    kept.add_argument("--fresh", action="store_true", help="make again what was made before with the same sources")
    links = parser.add_argument_group("where Nuwa runs over links")
    presets = [preset.name for preset in PRESETS]
    links.add_argument(
        "--preset", choices=presets, metavar="NAME", help=f"instead of a study's own: {', '.join(presets)}"
    )
    episodes = parser.add_argument_group("where policies play episodes")
    episodes.add_argument(
        "--store", type=Path, default=ROOT / ".build" / "figures", metavar="FOLDER", help="of episodes (.build/figures)"
    )
    folder = "where policies lie (models/policies)"
    episodes.add_argument("--policies", type=existing_folder, default=POLICIES, metavar="FOLDER", help=folder)
    traces = "whose traces (test); the papers' links are tests'"
    episodes.add_argument("--split", choices=get_args(Split), default="test", help=traces)
    most = f"the most that an episode takes, {LEAST_S:g} or more"
    episodes.add_argument("--seconds", type=at_least(LEAST_S), metavar="S", help=most)
    episodes.add_argument("--every", type=count, default=1, metavar="N", help="only each so many-th of the scenarios")
    return parser


def _jobs() -> int:
    return min(MOST_JOBS, os.cpu_count() or 1)


def parse_options(
    arguments: Sequence[str], prog: str, chosen: Sequence[Benchmark]
) -> tuple[argparse.Namespace, Settings]:
    """Exits with 2 and a sentence for what makes no sense."""
    from e2e.laboratory.learned.episode_runs import Settings  # noqa: PLC0415 - help needs Python alone

    parser = make_parser(prog, chosen)
    options = parser.parse_args(arguments)
    changed = [f"--{name}" for name in OF_EPISODES if getattr(options, name) != parser.get_default(name)]
    if changed and not any(each.group == "learned" for each in chosen):
        parser.error(f"{', '.join(changed)}: none of {', '.join(each.name for each in chosen)} plays episodes")
    settings = Settings(
        policies=options.policies,
        store=options.store,
        split=options.split,
        seconds=options.seconds,
        every=options.every,
        jobs=options.jobs,
        preset=options.preset,
        is_fresh=options.fresh,
    )
    return options, settings
