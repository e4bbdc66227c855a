"""Plays what was not played yet, in virtual time and then in the browser, and says how far apart they are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields, replace
from typing import TextIO

import polars as pl

from cc.command_line.clone import build_folder
from cc.links.defaults import PACKET_BYTES
from e2e.laboratory.figures.markdown import figure_table
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.film_fidelity.cells import NAMES, NotPlayedError, PlayedTwice, Watched, figures, table
from e2e.laboratory.films.expand import film_matrix
from e2e.laboratory.films.make import make_films, open_store
from e2e.laboratory.films.options import make_parser
from e2e.laboratory.films.outcome import require_programs
from e2e.laboratory.films.record import FilmRecord, KeyedFilm, describe_film, keyed
from e2e.laboratory.matrix.values import OptionError, list_of
from e2e.laboratory.store.record_store import RecordStore
from e2e.laboratory.store.tables import write_table

FOLDER = build_folder() / "e2e" / "film-fidelity"
"""Of films in both places; each is named by all that makes it what it is."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One film, as it is played in both places."""

    simulated: KeyedFilm
    in_browser: KeyedFilm


def measure(options: argparse.Namespace, output: TextIO) -> list[PlayedTwice]:
    """In the order of the arms, then of the links. Raises OptionError, and OSError where something cannot be kept."""
    pairs = [pair for arm in list_of("arms", options.arms) for pair in pairs_of_arm(arm, options)]
    require_programs(["browser"])
    store = open_store(FOLDER)
    both = [film for pair in pairs for film in (pair.simulated, pair.in_browser)]
    make_films(both, store, jobs=options.jobs, output=output, bundles=FOLDER / "browser")
    return [cell_of(pair, store, output) for pair in pairs]


def pairs_of_arm(arm: str, options: argparse.Namespace) -> list[Pair]:
    """Those of `SCHEME/RULE/ESTIMATOR` over each link. Raises OptionError; nothing has begun by then."""
    words = arm.split("/")
    if len(words) != 3 or "" in words:
        raise OptionError(f"--arms {arm}: write SCHEME/RULE/ESTIMATOR, such as nuwa/nuwa/receiver")
    scheme, rule, estimator = words
    chosen = {"schemes": scheme, "rules": rule, "estimators": estimator, "links": options.links}
    link = {"delay": options.delay, "queue": options.queue, "loss": options.loss, "seeds": options.seeds}
    given = [word for name, value in {**chosen, **link}.items() for word in (f"--{name}", str(value))]
    matrix = film_matrix(make_parser("nuwa bench films").parse_args([*given, "--on", "simulation,browser"]))
    films = [
        keyed(replace(film.plan, packet_bytes=PACKET_BYTES), matrix.links[film.plan.link]) for film in matrix.films
    ]
    half = len(films) // 2
    return [Pair(*both) for both in zip(films[:half], films[half:], strict=True)]


def cell_of(pair: Pair, store: RecordStore[FilmRecord], output: TextIO) -> PlayedTwice:
    """Says on `output` why a film is missing."""
    watched: list[Watched | None] = []
    for film in (pair.simulated, pair.in_browser):
        record = store.read(film.key)
        try:
            watched.append(None if record is None or record.results is None else Watched.of(record.results[0]))
        except NotPlayedError as error:
            output.write(f"{describe_film(film.plan)}: {error}\n")
            watched.append(None)
    plan = pair.simulated.plan
    return PlayedTwice((*plan.names, str(plan.seed)), watched[0], watched[1])


def report(cells: Sequence[PlayedTwice], *, command: str, options: argparse.Namespace) -> int:
    """Prints table and figures, and leaves them and a row a film; 1 where one is missing. Raises OSError."""
    text, found = table(cells), figures(cells)
    sys.stdout.write("\n".join([text, figure_table(found), ""]))
    measured = Measured.just_now(command, found, [text])
    options.output.mkdir(parents=True, exist_ok=True)
    rows = options.output / "film-fidelity.csv"
    write_table(rows, rows_of(cells), {}, {})
    file = measured.leave(options.output, "film-fidelity")
    sys.stdout.write(f"{rows}\n{file} (into pages: npm run bench -- pages FILE)\n")
    return 1 if any(cell.simulation is None or cell.browser is None for cell in cells) else 0


def rows_of(cells: Sequence[PlayedTwice]) -> pl.DataFrame:
    """A row for each film and place."""
    measures = [field.name for field in fields(Watched)]
    rows = [
        dict(zip((*NAMES, "place", *measures), (*cell.names, place, *astuple(watched)), strict=True))
        for cell in cells
        for place, watched in (("simulation", cell.simulation), ("browser", cell.browser))
        if watched is not None
    ]
    return pl.DataFrame(rows)
