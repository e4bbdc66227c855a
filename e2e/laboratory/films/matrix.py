"""All films that a command line asks for, and how they are played on all cores."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from tqdm import tqdm

from cc.command_line.clone import build_folder
from cc.links.catalogue import UnknownLinkError
from cc.links.queueing.registry import DROPTAIL
from cc.receiver.presets import UnknownPresetError, preset
from cc.registry import UnknownSchemeError, scheme
from cc.simulation.checked_scheme import SchemeError
from e2e.laboratory.films.player_process import PLAYER, PlayerError, known_rules
from e2e.laboratory.films.run import ESTIMATORS, FilmPlan, FilmResult
from e2e.laboratory.films.worker import play_in_worker
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.matrix.trace_window import start_of_seed_ms
from e2e.laboratory.request import LinkChoice
from models.executors.processes import executor_of, make_processes

FilmsByNames = dict[tuple[str, ...], list[FilmResult]]
"""By link, scheme, rule and estimator."""


class UnplayableError(ValueError):
    """A choice that makes no sense; the message is one sentence."""


class FilmFailure(Exception):
    """A film that broke off; the message says which and why."""


def plans_of(options: argparse.Namespace) -> list[FilmPlan]:
    """In the order in which the table has them. Raises UnplayableError."""
    if not PLAYER.exists():
        raise UnplayableError(f"the player is part of the clone, and {PLAYER} is not there")
    _require("rule", options.rules, known_rules())
    _require("estimator", options.estimators, ESTIMATORS)
    folder = options.film or demo_film()
    if not (folder / "manifest.mpd").exists():
        raise UnplayableError(f"--film {folder}: there is no manifest.mpd in it")
    try:
        schemes = [_scheme_and_preset(name) for name in options.schemes]
        links = [load_link(_link_choice(name, options)) for name in options.links]
    except (UnknownSchemeError, UnknownPresetError, UnknownLinkError) as error:
        raise UnplayableError(str(error)) from error
    return [
        FilmPlan(
            folder=folder,
            scheme=name,
            preset=chosen,
            rule=rule,
            estimator=estimator,
            link=link.name,
            opportunities_ms=link.downlink_ms,
            start_ms=start_of_seed_ms(start, link.downlink_ms[-1]),
            queue_packets=options.queue,
            delay_ms=options.delay,
            seed=start,
        )
        for link, (name, chosen), rule, estimator, start in product(
            links, schemes, options.rules, options.estimators, range(1, options.starts + 1)
        )
    ]


def play_all(plans: Sequence[FilmPlan], *, jobs: int) -> list[FilmResult]:
    """In the order of the plans. Raises FilmFailure."""
    films: list[FilmResult] = []
    with executor_of(make_processes, min(jobs, len(plans))) as workers:
        waiting = [workers.submit(play_in_worker, plan) for plan in plans]
        for plan, playing in tqdm(zip(plans, waiting, strict=True), total=len(plans), unit="film", disable=None):
            try:
                films.append(playing.result())
            except (PlayerError, SchemeError) as error:
                raise FilmFailure(f"{', '.join(plan.names)}, start {plan.seed}: {error}") from error
    return films


def by_names(plans: Sequence[FilmPlan], films: Sequence[FilmResult]) -> FilmsByNames:
    """In the order of the plans, and of their starts."""
    found: FilmsByNames = {}
    for plan, film in zip(plans, films, strict=True):
        found.setdefault(plan.names, []).append(film)
    return found


def _link_choice(name: str, options: argparse.Namespace) -> LinkChoice:
    return LinkChoice(name, round(options.delay), options.queue, DROPTAIL, 0.0)


def _scheme_and_preset(text: str) -> tuple[str, str | None]:
    name, _, chosen = text.partition(":")
    scheme(name)
    return name, preset(chosen).name if chosen else None


def _require(kind: str, asked: Sequence[str], known: Sequence[str]) -> None:
    unknown = next((name for name in asked if name not in known), None)
    if unknown is not None:
        raise UnplayableError(f"unknown {kind} {unknown}: choose of {', '.join(known)}")


def demo_film() -> Path:
    """The longest that was packaged. Raises UnplayableError."""
    found = (build_folder() / "media").glob("demo-*/manifest.mpd")
    films = sorted(found, key=lambda path: len(list(path.parent.iterdir())))
    if not films:
        raise UnplayableError("no film is packaged: run `npm run package-film -- --demo`, or give --film FOLDER")
    return films[-1].parent
