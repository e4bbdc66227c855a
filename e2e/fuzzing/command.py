"""`nuwa bench fuzz [TARGET...]`: malformed inputs for parsers, and what became of all that were ever fed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tqdm import tqdm

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, at_least, count, generator_seed
from e2e.fuzzing.engines import coverage
from e2e.fuzzing.registry import NodeTarget, UnknownTargetError, entry, names
from e2e.fuzzing.runs import FOLDER, Engine, Request, Run, carry_out, keep, kept, still_fails
from e2e.fuzzing.table import figures, growing, run_table, target_table
from e2e.laboratory.figures.measured import BENCH, Measured
from e2e.laboratory.interruption import interrupt_on_signals
from e2e.laboratory.origin import commit

INPUTS = 100_000
COMMAND = "npm run bench -- fuzz"
"""Of the figures: they are of all runs that are kept, whatever the last one fed."""


def main(arguments: Sequence[str], *, prog: str = "nuwa bench fuzz") -> int:
    """0 if nothing fails; 1 if a finding still does, a process died or memory grew; 2 for an unknown target."""
    parser = OneSentenceParser(prog=prog, description=f"Feeds parsers malformed inputs. Targets: {', '.join(names())}.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="what is fed (default: all)")
    parser.add_argument("--inputs", type=count, default=INPUTS, metavar="N", help="for each (default: %(default)s)")
    parser.add_argument("--minutes", type=at_least(0.01), metavar="M", help="the most that each takes")
    parser.add_argument("--seed", type=generator_seed, default=1, metavar="N", help="of the inputs (default: 1)")
    parser.add_argument(
        "--engine",
        choices=["auto", "coverage", "mutation"],
        default="auto",
        help="of targets in Python (auto: coverage where atheris is there); TypeScript has fast-check",
    )
    parser.add_argument("--jobs", type=count, default=os.cpu_count() or 1, metavar="N", help="targets at a time")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="feed a finding again, and nothing else")
    parser.add_argument("--output", type=Path, default=BENCH, metavar="FOLDER", help="of figures (.build/e2e/bench)")
    options = parser.parse_args(arguments)
    if options.replay is not None:
        return _replay(options.replay, prog)
    try:
        chosen = [entry(name) for name in options.targets or names()]
    except UnknownTargetError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    if options.engine == "coverage" and not coverage.is_there():
        sys.stderr.write(f"{prog}: --engine coverage needs atheris: install it with pip install atheris==3.0.0\n")
        return EXIT_USAGE
    engine: Engine = "coverage" if options.engine != "mutation" and coverage.is_there() else "mutation"
    requests = [
        Request(
            each.name,
            "fast-check" if isinstance(each, NodeTarget) else engine,
            options.seed,
            options.inputs,
            None if options.minutes is None else 60 * options.minutes,
        )
        for each in chosen
    ]
    interrupt_on_signals()
    try:
        runs = _run(requests, jobs=options.jobs)
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}\n")
        return 1
    sys.stdout.write(f"{run_table(runs)}\n")
    died = {Path(file) for run in runs if run.has_died for file in run.findings}
    findings = sorted({*(FOLDER / "findings").glob("*.json"), *died})
    failing = [finding for finding in findings if finding in died or still_fails(finding)]
    everything = kept()
    measured = Measured.just_now(
        COMMAND, figures(everything, failing), [f"Inputs of all runs that are kept:\n\n{target_table(everything)}"]
    )
    sys.stdout.write(f"{measured.leave(options.output, 'fuzz')}\n")
    for finding in failing:
        what = "its process died" if finding in died else "still fails"
        sys.stdout.write(f"{what}: npm run bench -- fuzz --replay {finding}\n")
    grown = growing(runs)
    for run in grown:
        sys.stdout.write(f"memory grew: {run.target}, seed {run.seed}: {(run.growth_bytes or 0) / 2**20:.1f} MB\n")
    return 1 if failing or grown else 0


def _run(requests: Sequence[Request], *, jobs: int) -> list[Run]:
    runs = []
    with ThreadPoolExecutor(jobs) as pool, tqdm(total=len(requests), unit="target", file=sys.stderr) as bar:
        for done in as_completed([pool.submit(carry_out, request, commit=commit()) for request in requests]):
            runs.append(done.result())
            keep(runs[-1])
            bar.set_description(runs[-1].target)
            bar.update()
    return runs


def _replay(finding: Path, prog: str) -> int:
    try:
        is_failing = still_fails(finding)
    except (OSError, ValueError, KeyError) as error:
        sys.stderr.write(f"{prog}: {finding} is no finding: {error}\n")
        return EXIT_USAGE
    sys.stdout.write("it still fails\n" if is_failing else "it is harmless\n")
    return 1 if is_failing else 0
