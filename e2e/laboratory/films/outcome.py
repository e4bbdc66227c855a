"""A whole matrix of films: plays what is missing, then writes the rows of all of it."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from cc.command_line.clone import build_folder
from e2e.laboratory.films.best import with_best
from e2e.laboratory.films.bundle import films_bundle
from e2e.laboratory.films.columns import FILMS, SECONDS
from e2e.laboratory.films.expand import FilmMatrix
from e2e.laboratory.films.judgement import judged
from e2e.laboratory.films.lost import shares_of_best
from e2e.laboratory.films.make import make_films, open_store
from e2e.laboratory.films.page import write_page
from e2e.laboratory.films.pairs import Start
from e2e.laboratory.films.record import FilmRecord, describe_film
from e2e.laboratory.films.rows import PlayedCell, films_frame, seconds_frame
from e2e.laboratory.films.run import FilmPlace
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.films.table import films_table
from e2e.laboratory.matrix.links import families_of
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.places.environment import MissingProgramError, require_browser, require_mahimahi
from e2e.laboratory.store.describe import write_bundle
from e2e.laboratory.store.record_store import RecordStore
from e2e.laboratory.store.tables import write_table


@dataclass(frozen=True, slots=True)
class FilmsOutcome:
    """What a matrix came to."""

    cells: tuple[PlayedCell, ...]
    """Of the films that were played."""
    rows: Path
    page: Path
    failures: tuple[str, ...]
    about: Mapping[str, str]
    """How they were made, for each file with rows."""


def play_matrix(
    matrix: FilmMatrix, directory: Path, *, request: argparse.Namespace, jobs: int, output: TextIO
) -> FilmsOutcome:
    """Says on `output` how far it has come; `request` is what was asked for.

    Raises OptionError, and OSError where something cannot be kept.
    """
    try:
        store = open_store(directory)
    except OSError as error:
        raise OptionError(f"--output {directory} cannot be made: {error.strerror}") from error
    mahimahi = require_programs(matrix.places)
    busy_s = children_cpu_s()
    played = make_films(matrix.films, store, jobs=jobs, output=output, bundles=directory / "browser")
    busy_s = children_cpu_s() - busy_s
    if played > 0 and busy_s > 0 and matrix.places == ("simulation",):  # Windows counts none
        output.write(f"{3600 * played / busy_s:,.0f} films per core and hour\n")
    for folder, quality in matrix.quality.items():
        if quality is None:
            output.write(f"no VMAF: {folder.name} was not measured; `npm run package-film -- FILM --quality` does it\n")
    cells, failures = _read(matrix, store)
    cells = with_best(cells, matrix, directory, jobs=jobs, output=output)
    bundle = films_bundle(matrix, request, failures, mahimahi=mahimahi)
    films = films_frame(cells)
    for file in ("films.parquet", "films.csv"):
        write_table(directory / file, films, FILMS, bundle.about)
    write_table(directory / "seconds.parquet", seconds_frame(cells), SECONDS, bundle.about)
    write_bundle(directory, bundle)
    page = directory / "report.html"
    write_page(page, cells, bundle, families=families_of(matrix.links))
    return FilmsOutcome(tuple(cells), directory / "films.parquet", page, failures, bundle.about)


def require_programs(places: Sequence[FilmPlace]) -> str | None:
    """What browsers need is there; mahimahi's version, where it is wanted. Raises OptionError."""
    try:
        if any(place != "simulation" for place in places):
            require_browser()
        return require_mahimahi().version if "browser-mahimahi" in places else None
    except MissingProgramError as error:
        raise OptionError(f"--on {','.join(places)}: {error}") from error


def directory_of(options: argparse.Namespace) -> Path:
    """The same arguments give the same; how much is played, and by whom, goes on in it."""
    if options.output is not None:
        return Path(options.output)
    left_out = {"seeds", "rows", "output", "jobs"}
    asked = {name: value for name, value in vars(options).items() if name not in left_out}
    digest = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()
    words = f"{options.schemes}-{options.rules}-{options.estimators}-{Path(options.links).name}"
    name = f"{re.sub(r'[^A-Za-z0-9.+-]+', '_', words)[:80]}-{digest[:8]}"
    return build_folder() / "e2e" / "films" / name


def table_of(cells: Sequence[PlayedCell]) -> str:
    """For a terminal."""
    return films_table(by_names(cells), shares_of_best(cells))


def by_names(cells: Sequence[PlayedCell]) -> dict[tuple[str, ...], dict[Start, FilmResult]]:
    """In the order of the cells."""
    found: dict[tuple[str, ...], dict[Start, FilmResult]] = {}
    for cell in cells:
        start = (str(cell.plan.folder), cell.plan.seed, cell.player)
        found.setdefault(cell.plan.names, {})[start] = cell.result
    return found


def children_cpu_s() -> float:
    """Processor time of all processes that have ended and were waited for, with theirs."""
    times = os.times()
    return times.children_user + times.children_system


def _read(matrix: FilmMatrix, store: RecordStore[FilmRecord]) -> tuple[list[PlayedCell], tuple[str, ...]]:
    cells, failures = [], []
    for film in matrix.films:
        record = store.read(film.key)
        if record is None or record.results is None:
            why = "it was not played; the same command plays it" if record is None else record.failure
            failures.append(f"{describe_film(film.plan)}: {why}")
            continue
        about, quality = matrix.about_film(film.plan.folder), matrix.quality[film.plan.folder]
        for number, result in enumerate(record.results, 1):
            judgement = judged(result.played, about, quality)
            cells.append(
                PlayedCell(
                    film.plan,
                    number,
                    result,
                    about.lowest_bits_per_second,
                    judgement=judgement,
                    run=film.key,
                    segment_ends_s=tuple(about.rungs[0].segment_ends_seconds) if about.rungs else (),
                )
            )
    return cells, tuple(failures)
