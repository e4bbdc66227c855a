"""One hash over everything that makes a run in a place what it is.

A run made with other sources is made again; one after a change of a page or a test is not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

from cc.command_line.clone import ROOT
from e2e.laboratory.plan import Place

_SIMULATED = ("cc", "models", "e2e/laboratory/places")
_EMULATED = (*_SIMULATED, "transport")
_FOLDERS: Mapping[Place, tuple[str, ...]] = {
    "simulation": _SIMULATED,
    "relay": _EMULATED,
    "mahimahi": _EMULATED,
    "browser": (*_EMULATED, "player", "server", "media", "e2e/browser"),
}
_SUFFIXES = {".py", ".onnx", ".json"}
_BROWSER_SUFFIXES = {*_SUFFIXES, ".ts", ".js", ".mjs", ".html", ".css"}
_LEFT_OUT = {"report", "tests", "testdata", "__pycache__", "node_modules", "dist"}


_FILMS_IN_BROWSER = "e2e/laboratory/films/in_browser"
_BROWSER_FILMS = (*_FOLDERS["browser"], _FILMS_IN_BROWSER)
_FILMS = ("cc", "models", "player/src", "e2e/virtual-player", "e2e/laboratory/films")


@cache
def sources_of(place: Place, *words: str) -> str:
    """SHA-256 of programs, and of the policies, presets and versions that they use; `words` are hashed as well."""
    return _digest(_FOLDERS[place], _BROWSER_SUFFIXES if place == "browser" else _SUFFIXES, words)


@cache
def sources_of_films() -> str:
    """The same of films in virtual time."""
    return _digest(_FILMS, _BROWSER_SUFFIXES, (), without=_FILMS_IN_BROWSER)


@cache
def sources_of_best_films() -> str:
    """The same of the best film that a link allows."""
    return _digest(("e2e/laboratory/best_film", "cc/links"), _SUFFIXES, ())


@cache
def sources_of_browser_films() -> str:
    """The same of films that a browser plays."""
    return _digest(_BROWSER_FILMS, _BROWSER_SUFFIXES, ())


def _digest(
    folders: Sequence[str], suffixes: AbstractSet[str], words: Sequence[str], *, without: str | None = None
) -> str:
    digest = hashlib.sha256()
    for word in words:
        digest.update(f"word\0{word}\0".encode())
    for file in sorted(_files(folders, suffixes)):
        if without is not None and file.is_relative_to(ROOT / without):
            continue
        content = file.read_bytes()
        digest.update(f"file\0{file.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _files(folders: Sequence[str], suffixes: AbstractSet[str]) -> Iterator[Path]:
    for folder in folders:
        for file in (ROOT / folder).rglob("*"):
            is_left_out = _LEFT_OUT.intersection(file.relative_to(ROOT).parts) or file.stem.endswith(".test")
            if file.suffix in suffixes and not is_left_out:
                yield file
    for lock in ("requirements.lock", *(["package-lock.json"] if ".ts" in suffixes else [])):
        if (ROOT / lock).is_file():
            yield ROOT / lock
