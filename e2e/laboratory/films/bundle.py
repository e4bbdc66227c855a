"""bundle.json of a matrix of films: how the rows beside it were made."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from e2e.laboratory.bundle import Made
from e2e.laboratory.films.columns import TABLES
from e2e.laboratory.films.expand import FilmMatrix
from e2e.laboratory.films.record import film_sha256
from e2e.laboratory.store.columns import kinds
from e2e.laboratory.store.describe import (
    command_line,
    policies_of,
    this_machine,
    used_traces,
    versions_of,
    written_now,
)
from e2e.laboratory.store.sources import sources_of_browser_films, sources_of_films


@dataclass(frozen=True, slots=True)
class FilmsBundle(Made):
    """Of a matrix of films; versions are those of Node and of dash.js, too."""

    sources: Mapping[str, str]
    """Hash of the programs, by place."""
    request: Mapping[str, object]
    """Every option, those that nobody gave with their defaults."""
    seeds: tuple[int, ...]
    films: Mapping[str, str]
    """Hashes of manifests, of sizes and of what was measured."""
    failures: tuple[str, ...]


def films_bundle(
    matrix: FilmMatrix, request: argparse.Namespace, failures: Sequence[str], *, mahimahi: str | None
) -> FilmsBundle:
    """Of films that are over; `mahimahi` is its version."""
    versions = versions_of(mahimahi)
    return FilmsBundle(
        command=command_line(),
        written_at=written_now(),
        versions=replace(versions, packages={**versions.packages, **matrix.known.versions}),
        sources={
            place: sources_of_films() if place == "simulation" else sources_of_browser_films()
            for place in matrix.places
        },
        policies=policies_of(
            name for film in matrix.films for name in (film.plan.scheme, *(flow.scheme for flow in film.plan.flows))
        ),
        request={name: _as_json(value) for name, value in vars(request).items()},
        seeds=tuple(sorted({film.plan.seed for film in matrix.films})),
        machine=this_machine(),
        links=used_traces(matrix.links.values()),
        films={folder.name: film_sha256(folder) for folder in matrix.folders},
        finished=len(matrix.films) - len(failures),
        failures=tuple(failures),
        tables=kinds(TABLES),
    )


def _as_json(value: object) -> object:
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    return str(value) if isinstance(value, Path) else value
