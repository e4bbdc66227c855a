"""One hash over everything that makes a run in a place what it is.

A run made with other sources is made again; one after a change of a page or a test is not.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

from cc.command_line.clone import ROOT
from e2e.laboratory.plan import Place

_SIMULATED = ("cc", "models")
_EMULATED = (*_SIMULATED, "transport")
_BROWSER = (*_EMULATED, "player", "server", "media", "e2e/browser")
_FOLDERS: Mapping[Place, tuple[str, ...]] = {
    "simulation": _SIMULATED,
    "relay": _EMULATED,
    "mahimahi": _EMULATED,
    "browser": _BROWSER,
}
_MAKERS: Mapping[Place, tuple[str, ...]] = {
    "simulation": ("places/simulation",),
    "relay": ("places/emulation", "places/relay"),
    "mahimahi": ("places/emulation", "places/mahimahi"),
    "browser": ("places/browser",),
}
"""Modules of the laboratory; what they import beyond the folders counts with them."""
_SUFFIXES = {".py", ".onnx", ".json"}
_BROWSER_SUFFIXES = {*_SUFFIXES, ".ts", ".js", ".mjs", ".html", ".css"}
_LEFT_OUT = {"report", "tests", "testdata", "__pycache__", "node_modules", "dist"}


@cache
def sources_of(place: Place, *words: str) -> str:
    """SHA-256 of programs, and of the policies, presets and versions that they use; `words` are hashed as well."""
    suffixes = _BROWSER_SUFFIXES if place == "browser" else _SUFFIXES
    return _digest(_FOLDERS[place], suffixes, ("runs/attempt", *_MAKERS[place]), words)


@cache
def sources_of_films() -> str:
    """The same of films in virtual time."""
    return _digest((*_SIMULATED, "player/src", "e2e/virtual-player"), _BROWSER_SUFFIXES, ("films/worker",))


@cache
def sources_of_best_films() -> str:
    """The same of the best film that a link allows."""
    return _digest(("cc/links",), _SUFFIXES, ("best_film/find",))


@cache
def sources_of_browser_films() -> str:
    """The same of films that a browser plays."""
    return _digest(_BROWSER, _BROWSER_SUFFIXES, ("films/in_browser/attempt",))


def _digest(
    folders: Sequence[str], suffixes: AbstractSet[str], modules: Sequence[str], words: Sequence[str] = ()
) -> str:
    digest = hashlib.sha256()
    for word in words:
        digest.update(f"word\0{word}\0".encode())
    entries = [ROOT / "e2e" / "laboratory" / f"{module}.py" for module in modules]
    beyond = files_behind(entries, ROOT, is_known=lambda file: _is_below(file, folders))
    for file in sorted({*_files(folders, suffixes), *beyond}):
        content = file.read_bytes()
        digest.update(f"file\0{file.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _is_below(file: Path, folders: Sequence[str]) -> bool:
    return any(file.is_relative_to(ROOT / folder) for folder in folders)


def _files(folders: Sequence[str], suffixes: AbstractSet[str]) -> Iterator[Path]:
    for folder in folders:
        for file in (ROOT / folder).rglob("*"):
            is_left_out = _LEFT_OUT.intersection(file.relative_to(ROOT).parts) or file.stem.endswith(".test")
            if file.suffix in suffixes and not is_left_out:
                yield file
    for lock in ("requirements.lock", *(["package-lock.json"] if ".ts" in suffixes else [])):
        if (ROOT / lock).is_file():
            yield ROOT / lock


def files_behind(modules: Iterable[Path], root: Path, *, is_known: Callable[[Path], bool]) -> set[Path]:
    """All below `root`, imports within functions included; files that are known are neither named nor followed."""
    found: set[Path] = set()
    waiting = list(modules)
    while waiting:
        file = waiting.pop()
        if file not in found and not is_known(file):
            found.add(file)
            waiting.extend(_imported(file, root))
    return found


def _imported(file: Path, root: Path) -> Iterator[Path]:
    package = ".".join(file.relative_to(root).parent.parts)
    for node in ast.walk(ast.parse(file.read_bytes(), file)):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield from _files_of(each.name, root)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            for each in node.names:
                yield from _files_of(f"{module}.{each.name}", root)


def _files_of(name: str, root: Path) -> Iterator[Path]:
    """Of a module and of the packages around it; what is none, such as a function's name, has no file."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        path = root.joinpath(*parts[:end])
        yield from filter(Path.is_file, (path / "__init__.py", path.with_suffix(".py")))
