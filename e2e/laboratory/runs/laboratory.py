"""A whole matrix: makes the runs that are not there yet, then writes the rows and the report of all of them."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TextIO

from cc.command_line.clone import build_folder
from e2e.laboratory.matrix.expand import expand_matrix
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.places.browser import require_player
from e2e.laboratory.places.environment import known_mahimahi, require_mahimahi
from e2e.laboratory.plan import RunPlan, plan_key
from e2e.laboratory.report.outcome import outcome_tables
from e2e.laboratory.report.page import write_report
from e2e.laboratory.request import MatrixRequest
from e2e.laboratory.runs.makers import leave_no_qlog, makers_of, sources_by_place
from e2e.laboratory.runs.run_all import Means, finished_runs, keyed_runs, run_all
from e2e.laboratory.store.describe import describe, write_bundle
from e2e.laboratory.store.rows import write_rows
from e2e.laboratory.store.run_store import RunStore
from models.executors.registry import open_workers


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a matrix came to."""

    directory: Path
    tables: str
    """The means, for a terminal."""
    finished: int
    failed: int


def run_laboratory(request: MatrixRequest, output: TextIO) -> Outcome:
    """Says on `output` how far it has come.

    Raises OptionError, UnknownLinkError, MissingProgramError or ClusterError where the matrix cannot be run at all.
    """
    if "browser" in request.places:
        require_player(request.player)
    mahimahi = require_mahimahi() if "mahimahi" in request.places else known_mahimahi()
    folders = () if mahimahi is None else (Path(mahimahi.traces),)
    links = [load_link(choice, folders) for choice in request.links]
    conditions = expand_matrix(request, links)
    sources = sources_by_place(request.places, mahimahi)
    runs = keyed_runs(conditions, sources.__getitem__)
    directory = Path(request.output or build_folder() / "e2e" / "laboratory" / directory_name(request))
    try:
        store = RunStore(directory)
    except OSError as error:
        raise OptionError(f"--output {directory} cannot be made: {error.strerror}") from error
    output.write(f"{len(runs)} runs, in {directory}\n")

    def folder_of(kind: str, plan: RunPlan) -> Path:
        return directory / kind / plan_key(plan, sources[plan.place])

    makers = makers_of(
        mahimahi,
        find_qlog=(lambda plan: folder_of("qlog", plan)) if request.qlog else leave_no_qlog,
        find_bundle=lambda plan: folder_of("browser", plan),
    )
    with open_workers(request.cluster, request.jobs, lambda line: output.write(f"{line}\n")) as workers:
        run_all(runs, store, Means(makers, workers, output))
    finished = finished_runs(runs, store)
    version = None if mahimahi is None else mahimahi.version
    bundle = describe(request, links, finished, sources, mahimahi=version, made_by=workers.where)
    write_rows(directory, finished, bundle.about)
    write_bundle(directory, bundle)
    write_report(directory / "report.html", bundle=bundle, conditions=conditions, runs=finished)
    return Outcome(directory, outcome_tables(conditions, finished), bundle.finished, bundle.failed)


def directory_name(request: MatrixRequest) -> str:
    """The same arguments give the same name; how much is run, and by whom, goes on in the directory."""
    asked = asdict(replace(request, seeds=0, baseline=None, qlog=False, jobs=0, cluster=None))
    digest = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()
    schemes = "+".join(choice.scheme for choice in request.schemes) or request.flows_text
    links = "+".join(re.split(r"[\\/]", link.trace)[-1] for link in request.links)
    words = re.sub(r"[^\w.+-]+", "_", f"{'+'.join(request.places)}-{schemes}-{links}", flags=re.ASCII)
    return f"{words[:80]}-{digest[:8]}"
