"""A film that is asked for, what became of it, and how both find each other again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.films.quality import QUALITY_FILE
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.store.sources import sources_of_browser_films, sources_of_films


@dataclass(frozen=True, slots=True)
class KeyedFilm:
    """A film and the name of its file."""

    key: str
    plan: FilmPlan


@dataclass(frozen=True, slots=True)
class FilmRecord:
    """What became of it; exactly one of `results` and `failure` is set."""

    results: tuple[FilmResult, ...] | None
    """Of each player."""
    failure: str | None
    wall_s: float
    """What it took."""


def keyed(plan: FilmPlan, link: LoadedLink) -> KeyedFilm:
    """Named by all that makes a difference: choices, link, film and programs."""
    uplink = link.uplink_sha256 if plan.uplink_ms else ""
    asked = asdict(replace(plan, opportunities_ms=(), uplink_ms=())) | {  # which would be copied, millions of them
        "opportunities_ms": link.downlink_sha256,
        "uplink_ms": uplink,
        "folder": film_sha256(plan.folder),
    }
    sources = sources_of_films() if plan.place == "simulation" else sources_of_browser_films()
    text = json.dumps([asked, sources], sort_keys=True)
    return KeyedFilm(hashlib.sha256(text.encode()).hexdigest()[:24], plan)


def describe_film(plan: FilmPlan) -> str:
    """As progress and failures name it."""
    link, scheme, rule, estimator = plan.names
    return f"{scheme}, {rule} by {estimator} over {link}, seed {plan.seed}"


@cache
def film_sha256(folder: Path) -> str:
    """Of its manifest, of its files' sizes, and of what a rule can read of its quality."""
    digest = hashlib.sha256((folder / "manifest.mpd").read_bytes())
    for file in sorted(folder.glob("*.m4s")):
        digest.update(f"{file.name}\0{file.stat().st_size}\0".encode())
    if (folder / QUALITY_FILE).exists():
        digest.update((folder / QUALITY_FILE).read_bytes())
    return digest.hexdigest()
