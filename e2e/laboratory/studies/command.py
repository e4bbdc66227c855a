"""Measures studies, and says whether what is to be reached was reached."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.links.catalogue import UnknownLinkError
from e2e.laboratory.benchmarks import Benchmark
from e2e.laboratory.ending import not_kept
from e2e.laboratory.figures.measured import BENCH
from e2e.laboratory.films.make import FilmFailure
from e2e.laboratory.interruption import interrupt_on_signals
from e2e.laboratory.learned.episode_runs import EpisodeRuns
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.places.environment import MissingProgramError
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, not_in, not_of
from e2e.laboratory.studies.link_runner import LinkRunner
from e2e.laboratory.studies.options import parse_options
from e2e.laboratory.studies.page import page
from e2e.laboratory.studies.reports import Measurement, Studied, text, write
from e2e.laboratory.studies.study import Study, load_study
from models.executors.workers import ClusterError
from models.policies.card import CardError
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError
from models.scenarios.splits import OtherTraceError

REFUSED = (
    PolicyError,
    CardError,
    OtherTraceError,
    UnknownLinkError,
    OptionError,
    MissingProgramError,
    ClusterError,
)


def main(names: Sequence[str], chosen: Sequence[Benchmark], arguments: Sequence[str], *, prog: str) -> int:
    """`names` are those that were asked for, of studies or groups.

    0 if all went well, whatever the figures say; 1 if a run failed; 2 for a policy, a trace or a place that cannot be.
    """
    options, settings = parse_options(arguments, prog, chosen)
    studies = [load_study(each.study) for each in chosen if each.study is not None]
    if unread := _unread(options, studies, chosen):
        sys.stderr.write(f"{prog}: {unread[0]}: {' and '.join(names)} {unread[1]}\n")
        return 2
    interrupt_on_signals()
    episodes = EpisodeRuns(settings)
    studied = []
    try:
        runner = LinkRunner.prepare({place for study in studies for place in study.places}, settings, BENCH)
        for benchmark, study in zip(chosen, studies, strict=True):
            repeats = options.repeats or benchmark.repeats
            bench = Bench(settings, repeats, episodes.play, runner.recorded, runner.run)
            studied.append(Studied(benchmark.name, study, repeats, _measure(study, bench)))
            sys.stdout.write(f"{text(studied[-1])}\n")
    except REFUSED as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except (FilmFailure, OSError) as error:
        sys.stderr.write(f"{not_kept(error) if isinstance(error, OSError) else error}\n")
        return 1
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}; the same command goes on\n")
        return 1
    measurement = Measurement.of(names, arguments, settings, studied)
    try:
        for file in write(options.output, measurement, page(measurement)):
            sys.stdout.write(f"{file}\n")
    except OSError as error:  # what took an hour was printed
        sys.stderr.write(f"--output {options.output} cannot be written: {error.strerror}\n")
        return 2
    if runner.failed:
        sys.stderr.write(f"{runner.failed} runs failed\n")
    return 1 if runner.failed else 0


def _unread(
    options: argparse.Namespace, studies: Sequence[Study], chosen: Sequence[Benchmark]
) -> tuple[str, str] | None:
    """An option that none of them reads, and why."""
    runs_flows = any(study.places for study in studies)
    if options.preset is not None and not any(study.reads_preset for study in studies):
        return f"--preset {options.preset}", "runs Nuwa with no preset that can be chosen"
    if options.repeats is not None and all(study.is_made_once for study in studies):
        return f"--repeats {options.repeats}", "measures once"
    if _are_others(options.policies) and all(study.is_of_shipped for study in studies):
        return f"--policies {options.policies}", "runs the policies that are shipped"
    if options.fresh and not runs_flows and not any(each.group for each in chosen):
        return "--fresh", "keeps nothing, and measures anew each time"
    return None


def _measure(study: Study, bench: Bench) -> Findings:
    split, policies = bench.settings.split, bench.settings.policies
    if study.is_of_test_links and split != "test":
        return not_of(split, study.title)
    return not_in(policies, study.title) if study.is_of_shipped and _are_others(policies) else study.measure(bench)


def _are_others(policies: Path) -> bool:
    """Than those that are shipped."""
    return policies.resolve() != POLICIES.resolve()
