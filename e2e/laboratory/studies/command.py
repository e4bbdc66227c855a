"""`python -m e2e.laboratory figures`: what every shipped policy achieves beside what it must beat."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from cc.arguments import OneSentenceParser, at_least, count, existing_folder
from e2e.laboratory.learned.episode_runs import SEEDS, EpisodeRuns, Settings
from e2e.laboratory.learned.names import TITLES
from e2e.laboratory.learned.report import Figure, Findings, not_of
from e2e.laboratory.learned.store import STORE, sources_sha256
from e2e.laboratory.learned.text import text
from e2e.laboratory.studies.registry import STUDIES
from e2e.laboratory.studies.shipped import shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import Interval
from models.policies.card import CardError
from models.policies.policy import POLICIES, PolicyError
from models.scenarios.splits import OtherTraceError, Split, missing_traces, split_traces

MOST_JOBS = 2
"""Unless told otherwise: an episode of some minutes at 100 Mbit/s takes some hundred MB."""
LEAST_S = 1.0  # in less, nothing may have arrived of what is divided by


def main(arguments: Sequence[str]) -> int:
    """Prints them. 0 if all went well, whatever the figures say; 2 for a policy or a trace that cannot be."""
    options = _parser().parse_args(arguments)
    settings = Settings(
        policies=options.policies,
        store=options.store,
        seeds=options.seeds,
        split=options.split,
        seconds=options.seconds,
        every=options.every,
        jobs=options.jobs,
        is_fresh=options.fresh,
    )
    runs = EpisodeRuns(settings)
    chosen = [part for part in STUDIES if options.only is None or part.name in options.only]
    try:
        reports = [(part, _report(part, runs)) for part in chosen]
        written = _json(settings, reports) if options.json else _text(reports)
    except (PolicyError, CardError, OtherTraceError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.output is None:
        sys.stdout.write(f"{written}\n")
        return 0
    try:
        options.output.write_text(f"{written}\n", encoding="utf-8")
    except OSError as error:
        sys.stdout.write(f"{written}\n")  # what took an hour is not lost
        sys.stderr.write(f"--output {options.output} cannot be written: {error.strerror}\n")
        return 2
    return 0


def _report(part: Study, runs: EpisodeRuns) -> Findings:
    split = runs.settings.split
    return not_of(split, part.title) if part.is_of_test_links and split != "test" else part.report(runs)


def _parser() -> argparse.ArgumentParser:
    parser = OneSentenceParser(prog="python -m e2e.laboratory figures", description=__doc__)
    names = [part.name for part in STUDIES]
    parser.add_argument("--only", type=_parts, metavar="PART,...", help=f"of {', '.join(names)}")
    parser.add_argument("--json", action="store_true", help="everything, for programs")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there instead of to standard output")
    where = "where policies lie (default: models/policies)"
    parser.add_argument("--policies", type=existing_folder, default=POLICIES, metavar="FOLDER", help=where)
    parser.add_argument(
        "--split",
        choices=get_args(Split),
        default="test",
        help="whose traces (default: test); the papers' links are tests'",
    )
    parser.add_argument("--seeds", type=count, default=SEEDS, help=f"episodes of each trace (default: {SEEDS})")
    parser.add_argument(
        "--seconds", type=at_least(LEAST_S), help=f"the most that an episode takes, {LEAST_S:g} or more"
    )
    parser.add_argument("--every", type=count, default=1, help="only each so many-th of the split's scenarios")
    parser.add_argument("--jobs", type=count, default=min(MOST_JOBS, os.cpu_count() or 1), help="processes")
    parser.add_argument("--fresh", action="store_true", help="play again what was played before")
    parser.add_argument("--store", type=Path, default=STORE, help="where results are kept (default: .build/figures)")
    return parser


def _parts(text: str) -> list[str]:
    known = [part.name for part in STUDIES]
    chosen = text.split(",")
    for name in chosen:
        if name not in known:
            raise argparse.ArgumentTypeError(f"part {name!r} is unknown; known parts: {', '.join(known)}")
    return chosen


def _json(settings: Settings, reports: Sequence[tuple[Study, Findings]]) -> str:
    return json.dumps(
        {
            "seeds": settings.seeds,
            "split": settings.split,
            "seconds": settings.seconds,
            "every": settings.every,
            "traces": len(split_traces(settings.split)),
            "missing_traces": missing_traces(settings.split),
            "sources_sha256": sources_sha256(),
            "titles": TITLES,
            "policies": [asdict(policy) for policy in shipped(settings.policies)],
            "parts": [
                {
                    "name": part.name,
                    "title": part.title,
                    "text": part.text,
                    "groups": [asdict(group) for group in report.groups],
                    "figures": [_figure(figure) for figure in report.figures],
                }
                for part, report in reports
            ],
        },
        allow_nan=False,
    )


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "what": figure.what,
        "value": figure.value.value if isinstance(figure.value, Interval) else figure.value,
        "interval": asdict(figure.value) if isinstance(figure.value, Interval) else None,
        "unit": figure.unit,
        "reach": None if figure.reach is None else asdict(figure.reach),
        "has_to_be_sure": figure.has_to_be_sure,
    }


def _text(reports: Sequence[tuple[Study, Findings]]) -> str:
    return "\n".join(text(part.title, report.figures) for part, report in reports)
