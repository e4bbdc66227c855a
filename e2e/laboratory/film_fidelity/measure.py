"""Plays what was not played yet, in virtual time and then in the browser, and says how far apart they are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import TextIO

import polars as pl

from cc.command_line.clone import build_folder
from cc.links.queueing.registry import DROPTAIL
from cc.receiver.presets import DEFAULT_PRESET
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.figures.markdown import figure_table
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.film_fidelity.bundle import read_browser_film
from e2e.laboratory.film_fidelity.cells import NAMES, Cell, NotPlayedError, Watched, figures, table
from e2e.laboratory.films.expand import demo_film, film_matrix
from e2e.laboratory.films.make import make_films, open_store
from e2e.laboratory.films.options import make_parser
from e2e.laboratory.films.player_process import PlayerError, about
from e2e.laboratory.films.record import FilmRecord, KeyedFilm, describe_film, keyed
from e2e.laboratory.films.rows import write_frame
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.matrix.values import OptionError, list_of
from e2e.laboratory.plan import ESTIMATORS, PACKET_BYTES, Arm, FlowPlan, PlayerPlan, RunPlan, plan_key
from e2e.laboratory.record import RunRecord
from e2e.laboratory.runs.attempt import KeyedRun
from e2e.laboratory.runs.makers import makers_of, sources_by_place
from e2e.laboratory.runs.run_all import Means, run_all
from e2e.laboratory.store.run_store import RunStore
from e2e.laboratory.studies.link_runs import link_run
from models.executors.workers import local_workers

FOLDER = build_folder() / "e2e" / "film-fidelity"
"""Of films in both places; each is named by all that makes it what it is."""
LONGER_S = 12.0
"""Than its film a browser is watched, for what it stalls."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One film, as it is played in both places."""

    film: KeyedFilm
    run: KeyedRun


def measure(options: argparse.Namespace, output: TextIO) -> list[Cell]:
    """In the order of the arms, then of the links. Raises OptionError, and OSError where something cannot be kept."""
    pairs = [pair for arm in list_of("arms", options.arms) for pair in pairs_of_arm(arm, options)]
    film_s = _film_s()
    source = sources_by_place(("browser",), None)["browser"]
    pairs = [replace(pair, run=_keyed(pair.run, film_s, source)) for pair in pairs]
    films, runs = open_store(FOLDER), RunStore(FOLDER)
    make_films([pair.film for pair in pairs], films, jobs=options.jobs, output=output)
    makers = makers_of(None, find_bundle=lambda plan: bundle_of(plan_key(plan, source)))
    run_all([pair.run for pair in pairs], runs, Means(makers, local_workers(1), output))
    return [cell_of(pair, films.read(pair.film.key), runs.read(pair.run.key), film_s, output) for pair in pairs]


def pairs_of_arm(arm: str, options: argparse.Namespace) -> list[Pair]:
    """Those of `SCHEME/RULE/ESTIMATOR` over each link. Raises OptionError; nothing has begun by then."""
    words = arm.split("/")
    if len(words) != 3 or "" in words:
        raise OptionError(f"--arms {arm}: write SCHEME/RULE/ESTIMATOR, such as nuwa/nuwa/nuwa")
    scheme, rule, estimator = words
    if estimator not in ESTIMATORS:
        raise OptionError(f"--arms {arm}: a browser's estimator is one of {', '.join(ESTIMATORS)}")
    chosen = {"schemes": scheme, "rules": rule, "estimators": estimator, "links": options.links}
    link = {"delay": options.delay, "queue": options.queue, "loss": options.loss, "seeds": options.seeds}
    given = [word for name, value in {**chosen, **link}.items() for word in (f"--{name}", str(value))]
    matrix = film_matrix(make_parser("nuwa bench films").parse_args(given))
    links = [link for link in matrix.links for _ in range(options.seeds)]
    return [
        Pair(keyed(replace(film.plan, packet_bytes=PACKET_BYTES), link.downlink_sha256), _run_of(film.plan, link))
        for film, link in zip(matrix.films, links, strict=True)
    ]


def bundle_of(key: str) -> Path:
    """The folder of a browser's bundle."""
    return FOLDER / "browser" / key


def cell_of(pair: Pair, film: FilmRecord | None, run: RunRecord | None, film_s: float, output: TextIO) -> Cell:
    """Says on `output` why a film is missing. Raises OSError for a bundle that is gone."""
    simulation = browser = None
    try:
        if film is not None and film.results is not None:
            simulation = Watched.simulated(film.results[0].played)
        if run is not None and run.result is not None:
            browser = Watched.in_browser(read_browser_film(bundle_of(pair.run.key)), film_s)
    except NotPlayedError as error:
        output.write(f"{describe_film(pair.film.plan)}: {error}\n")
    return Cell((*pair.film.plan.names, str(pair.film.plan.seed)), simulation, browser)


def report(cells: Sequence[Cell], *, command: str, options: argparse.Namespace) -> int:
    """Prints table and figures, and leaves them and a row a film; 1 where one is missing. Raises OSError."""
    text, found = table(cells), figures(cells)
    sys.stdout.write("\n".join([text, figure_table(found), ""]))
    measured = Measured.just_now(command, found, [text])
    options.output.mkdir(parents=True, exist_ok=True)
    rows = options.output / "film-fidelity.csv"
    write_frame(rows, rows_of(cells))
    file = measured.leave(options.output, "film-fidelity")
    sys.stdout.write(f"{rows}\n{file} (into pages: python -m e2e.laboratory pages FILE)\n")
    return 1 if any(cell.simulation is None or cell.browser is None for cell in cells) else 0


def rows_of(cells: Sequence[Cell]) -> pl.DataFrame:
    """A row for each film and place."""
    measures = [field.name for field in fields(Watched)]
    rows = [
        dict(zip((*NAMES, "place", *measures), (*cell.names, place, *astuple(watched)), strict=True))
        for cell in cells
        for place, watched in (("simulation", cell.simulation), ("browser", cell.browser))
        if watched is not None
    ]
    return pl.DataFrame(rows)


def _film_s() -> float:
    try:
        return about([demo_film()]).films[0].seconds
    except PlayerError as error:
        raise OptionError(str(error)) from error


def _run_of(film: FilmPlan, link: LoadedLink) -> KeyedRun:
    """The same film in a browser. Raises OptionError."""
    if link.choice.discipline != DROPTAIL or link.choice.queue_packets is None:
        raise OptionError(f"--links {link.name}: in the browser a link has a droptail queue with a limit")
    assert film.estimator != "truth"
    flow = FlowPlan(film.scheme, film.preset or DEFAULT_PRESET)
    arm = Arm("/".join(film.names[1:]), (flow,))
    run = link_run(link, arm, film.seed, duration_s=LONGER_S, place="browser", has_own_start=True)
    return KeyedRun("", replace(run.plan, player=PlayerPlan(film.rule, film.estimator)), link)


def _keyed(run: KeyedRun, film_s: float, sources: str) -> KeyedRun:
    """Watched for as long as the film is, and longer."""
    plan: RunPlan = replace(run.plan, duration_s=film_s + LONGER_S)
    return KeyedRun(plan_key(plan, sources), plan, run.link)
