"""All films that a command line asks for."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from cc.command_line.clone import build_folder
from cc.command_line.nearest import choice
from cc.links.catalogue import UnknownLinkError
from cc.links.queueing.registry import DROPTAIL
from cc.receiver.presets import PRESETS
from cc.registry import SCHEMES
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.films.messages import About, AboutFilm
from e2e.laboratory.films.player_process import PLAYER, PlayerError, about
from e2e.laboratory.films.quality import FilmQuality, QualityError, read_quality
from e2e.laboratory.films.record import KeyedFilm, keyed
from e2e.laboratory.films.run import ESTIMATORS, PLACES, Estimator, FilmPlace, FilmPlan, PlannedSeek
from e2e.laboratory.films.seek_syntax import parse_seeks, require_within
from e2e.laboratory.matrix.flow_syntax import Context, parse_flows, require_driven
from e2e.laboratory.matrix.link_names import links_by_name
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.matrix.options import parse_link
from e2e.laboratory.matrix.trace_window import start_of_seed_ms
from e2e.laboratory.matrix.values import NameT, OptionError, list_of, split_settings
from e2e.laboratory.request import SELF, FlowTemplate

MOST_S = 3600.0
"""A download beside a film begins and stops within it."""
LEAST_DEMO_S = 120.0
"""Of a shorter film what is left in the buffer would be too much of it; tests leave some."""


@dataclass(frozen=True, slots=True)
class FilmArm:
    """Who sends, who chooses, and by whose estimate."""

    scheme: tuple[str, str | None]
    """Its name and preset."""
    rule: str
    estimator: Estimator


@dataclass(frozen=True, slots=True)
class Films:
    """What every arm plays."""

    folders: Sequence[Path]
    links: Sequence[LoadedLink]
    seeds: int
    """How often each, from another place in the link's trace each time."""
    seeks: tuple[PlannedSeek, ...] = ()
    """Of every viewer."""


@dataclass(frozen=True, slots=True)
class FilmMatrix:
    """In the order in which the table has them."""

    films: tuple[KeyedFilm, ...]
    links: Mapping[str, LoadedLink]
    """By their names in plans."""
    folders: tuple[Path, ...]
    known: About
    """Of these folders, in their order."""
    quality: Mapping[Path, FilmQuality | None]
    """None of a film that was not measured."""

    def about_film(self, folder: Path) -> AboutFilm:
        """One of them."""
        return self.known.films[self.folders.index(folder)]

    @property
    def places(self) -> tuple[FilmPlace, ...]:
        """Those that any film is played in."""
        return tuple(dict.fromkeys(film.plan.place for film in self.films))


def film_matrix(options: argparse.Namespace) -> FilmMatrix:
    """Raises OptionError, and UnknownLinkError; nothing has begun by then."""
    estimators = [
        _known("estimators", "estimator", name, ESTIMATORS) for name in list_of("estimators", options.estimators)
    ]
    schemes = [_scheme_and_preset(text) for text in list_of("schemes", options.schemes)]
    places = [_known("on", "place", name, PLACES) for name in list_of("on", options.on)]
    flows = _flows(options.flows)
    links, seeks = links_of(options), parse_seeks(options.seeks)
    if places != ["simulation"]:
        require_playable(links, estimators, flows, seeks, is_mixed="simulation" in places)
    rules = list_of("rules", options.rules)
    arms = [FilmArm(*choices) for choices in product(schemes, rules, estimators)]
    shown = Films(options.film or [demo_film()], links, options.seeds, seeks)
    return matrix_of(shown, arms, flows=flows, places=places)


def matrix_of(
    films: Films, arms: Sequence[FilmArm], *, flows: Sequence[FlowTemplate], places: Sequence[FilmPlace]
) -> FilmMatrix:
    """Each arm with each film over each link, in each place. Raises OptionError; nothing has begun by then."""
    folders = tuple(dict.fromkeys(films.folders))
    links = links_by_name(films.links)
    if not PLAYER.exists():
        raise OptionError(f"the player is part of the clone, and {PLAYER} is not there")
    for folder in folders:
        if not (folder / "manifest.mpd").exists():
            raise OptionError(f"--film {folder}: there is no manifest.mpd in it")
    try:
        quality = {folder: read_quality(folder) for folder in folders}
    except QualityError as error:
        raise OptionError(f"--film {error}") from error
    known = playable_films(folders)  # last: a process of Node takes longer than all the rest
    for arm in arms:
        _known("rules", "rule", arm.rule, known.rules)
    lengths_s = {folder: film.seconds for folder, film in zip(folders, known.films, strict=True)}
    for folder, film_s in lengths_s.items():
        require_within(films.seeks, folder.name, film_s)
    played = [
        keyed(
            FilmPlan(
                folder=folder,
                scheme=arm.scheme[0],
                preset=arm.scheme[1],
                rule=arm.rule,
                estimator=arm.estimator,
                link=name,
                opportunities_ms=link.downlink_ms,
                start_ms=start_of_seed_ms(seed, link.downlink_ms[-1]),
                queue_packets=link.choice.queue_packets,
                delay_ms=float(link.choice.delay_ms),
                discipline=link.choice.discipline,
                loss_ratio=link.choice.loss_ratio,
                seed=seed,
                flows=tuple(flows),
                place=place,
                uplink_ms=link.uplink_ms,
                film_s=0.0 if place == "simulation" else lengths_s[folder],
                seeks=films.seeks,
            ),
            link,
        )
        for place, folder, (name, link), arm, seed in product(
            places, folders, links.items(), arms, range(1, films.seeds + 1)
        )
    ]
    return FilmMatrix(tuple(played), links, folders, known, quality)


def links_of(options: argparse.Namespace) -> tuple[LoadedLink, ...]:
    """Those of `--links`. Raises OptionError."""
    return tuple(_link(text, options) for text in list_of("links", options.links))


def playable_films(folders: Sequence[Path]) -> About:
    """The player's rules, and what these films are. Raises OptionError for one that cannot be played."""
    try:
        known = about(folders)
    except PlayerError as error:
        raise OptionError(str(error)) from error
    problem = next((film.problem for film in known.films if film.problem is not None), None)
    if problem is not None:
        raise OptionError(f"--film {problem}")
    return known


def require_playable(
    links: Sequence[LoadedLink],
    estimators: Sequence[Estimator],
    flows: Sequence[FlowTemplate],
    seeks: Sequence[PlannedSeek],
    *,
    is_mixed: bool,
) -> None:
    """By a browser. Raises OptionError."""
    where = "--on simulation alone" if is_mixed else "--on simulation"
    if "truth" in estimators:
        raise OptionError(f"--estimators truth: a browser does not know the link; take {where} for it")
    if len(flows) != 1 or flows[0].scheme != SELF:
        raise OptionError(f"--flows: a browser plays one film, with nothing beside it; take {where} for more")
    if seeks:
        raise OptionError(f"--seeks: a browser plays a film through; take {where} for them")
    for link in links:
        if link.choice.discipline != DROPTAIL or link.choice.queue_packets is None:
            raise OptionError(f"--links {link.name}: for a browser a link has a droptail queue with a limit")


def _link(text: str, options: argparse.Namespace) -> LoadedLink:
    try:
        return load_link(parse_link(text, options))
    except UnknownLinkError as error:
        raise OptionError(str(error)) from error


def _flows(text: str) -> tuple[FlowTemplate, ...]:
    flows = parse_flows(text, Context(MOST_S))
    if not any(flow.scheme == SELF for flow in flows):
        raise OptionError(f"--flows {text}: let one flow at least be {SELF}, a player")
    for flow in flows:
        if flow.rtt_ms is not None or flow.source is not None:
            raise OptionError(f"--flows {text}: rtt and source are no settings of films")
        if flow.scheme == SELF and (flow.preset is not None or (flow.start_s, flow.stop_s) != (0.0, None)):
            raise OptionError(f"--flows {text}: {SELF} is a whole film with the preset of --schemes")
    return flows


def _scheme_and_preset(text: str) -> tuple[str, str | None]:
    """`nuwa:preset=live`, or `nuwa:live`."""
    name, settings = split_settings("schemes", text, ["preset"])
    name, _, short = name.partition(":")
    _known("schemes", "scheme", name, [scheme.name for scheme in SCHEMES])
    chosen = settings.get("preset", short or None)
    if chosen is None:
        return name, None
    _known("schemes", "preset", chosen, [preset.name for preset in PRESETS])
    require_driven(name, chosen)
    return name, chosen


def _known(option: str, kind: str, name: str, known: Sequence[NameT]) -> NameT:
    """Raises OptionError, which names the nearest."""
    for each in known:
        if each == name:
            return each
    raise OptionError(f"--{option}: unknown {kind} {name}: {choice(name, known)}")


def demo_film() -> Path:
    """The longest that was packaged, of two minutes at least. Raises OptionError."""
    found = [path.parent for path in (build_folder() / "media").glob("demo-*/presentation.json")]
    lengths_s = {folder: _length_s(folder) for folder in found}
    longest = max(found, key=lambda folder: lengths_s[folder], default=None)
    if longest is None or lengths_s[longest] < LEAST_DEMO_S:
        shorter = "" if longest is None else f", only one of {lengths_s[longest]:.0f} s"
        raise OptionError(
            f"the demo film of two minutes is not packaged{shorter}: run `npm run package-film -- --demo`, "
            "or give --film FOLDER"
        )
    return longest


def _length_s(folder: Path) -> float:
    about = json.loads((folder / "presentation.json").read_text(encoding="utf-8"))
    return float(about["durationSeconds"])
