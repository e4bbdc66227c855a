"""Runs all arms in turn, and leaves what was found."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from e2e.laboratory.figures.figure import Figure
from e2e.laboratory.figures.markdown import figure_table
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.record import RunError
from e2e.laboratory.streams.findings import (
    bulk_figures,
    bulk_table,
    streams_figures,
    streams_table,
    workers_figures,
)
from e2e.laboratory.streams.load import Load
from e2e.laboratory.streams.paths import Link
from e2e.laboratory.streams.runs import Bulk, Streams, run_bulk, run_streams
from e2e.laboratory.streams.servers import OURS, ServerKind, beside, installed_field, several

SCHEMES = ("nuwa", "cubic")
BULK_SECONDS = 4.0
DOWNLOADS_A_WORKER = 2


@dataclass(frozen=True, slots=True)
class Found:
    """Of each arm, a load a repeat; None for one that failed."""

    bulk: dict[Bulk, list[Load | None]]
    streams: dict[Streams, list[Load | None]]

    @property
    def failed(self) -> int:
        """Runs."""
        return sum(load is None for loads in (*self.bulk.values(), *self.streams.values()) for load in loads)


def arms_of(options: argparse.Namespace) -> tuple[list[Bulk], list[Streams]]:
    """What is asked for, arms that are compared next to each other."""
    others = [beside(root) for root in options.beside]
    bulk: list[Bulk] = []
    if not options.no_bulk:
        for client in ("light sink", "headless receiver"):
            bulk += [Bulk(server, "cubic", client) for server in (OURS, *installed_field(), *others)]
        bulk.append(Bulk(OURS, "nuwa", "headless receiver"))
    if options.workers is not None:
        downloads = DOWNLOADS_A_WORKER * options.workers
        bulk += [Bulk(server, "cubic", "light sink", downloads) for server in (OURS, several(options.workers))]
    link = Link(options.rate_mbit)
    streams = [
        Streams(server, scheme, sessions, link)
        for sessions in options.sessions
        for scheme in SCHEMES
        for server in (OURS, *_field_beside(scheme, sessions, options.sessions), *others)
    ]
    return bulk, streams


def _field_beside(scheme: str, sessions: int, asked: Sequence[int]) -> list[ServerKind]:
    """They have CUBIC alone, and more sessions than the fewest say nothing new of them."""
    return installed_field() if scheme == "cubic" and sessions == min(asked) else []


def measure(options: argparse.Namespace) -> Found:
    """With progress on standard error; a run that fails is told of, and the others go on."""
    bulk, streams = arms_of(options)
    found = Found({arm: [] for arm in bulk}, {arm: [] for arm in streams})
    with (
        asyncio.Runner() as runner,
        tqdm(total=options.repeats * (len(bulk) + len(streams)), unit="run", file=sys.stderr) as bar,
    ):
        for _ in range(options.repeats):
            for arm, loads in found.bulk.items():
                bar.set_description(f"{arm.name}, {arm.client}, {arm.downloads}")
                loads.append(_run(runner, arm, seconds=min(options.seconds, BULK_SECONDS)))
                bar.update()
            for stream, loads in found.streams.items():
                bar.set_description(f"{stream.sessions} sessions, {stream.name}")
                loads.append(_run(runner, stream, seconds=options.seconds))
                bar.update()
    return found


def _run(runner: asyncio.Runner, arm: Bulk | Streams, *, seconds: float) -> Load | None:
    try:
        if isinstance(arm, Bulk):
            return runner.run(run_bulk(arm, seconds=seconds))
        return runner.run(run_streams(arm, seconds=seconds))
    except RunError as error:
        sys.stderr.write(f"{arm.name}: {error}\n")
        return None


def report(found: Found, *, command: str, folder: Path) -> int:
    """Prints tables and figures, and leaves them; 1 where a run failed."""
    tables: list[str] = []
    figures: list[Figure] = []
    if found.bulk:
        tables.append(bulk_table(found.bulk))
        figures += [*bulk_figures(found.bulk), *workers_figures(found.bulk)]
    if found.streams:
        tables.append(streams_table(found.streams))
        figures += streams_figures(found.streams)
    sys.stdout.write("\n".join([*tables, figure_table(figures), ""]))
    measured = Measured.just_now(command, figures, tables)
    file = measured.leave(folder, "streams")
    sys.stdout.write(f"{file} (into pages: npm run bench -- pages FILE)\n")
    return 1 if found.failed else 0
