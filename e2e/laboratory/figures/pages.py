"""Writes figures into Markdown pages, between markers.

    <!-- figures: npm run bench -- lte -->              the table of figures
    <!-- figures: npm run bench -- lte | goodput* -->   rows that match one of the patterns behind the bars
    <!-- tables: npm run bench -- fidelity -->          the tables that the command prints above its figures
    <!-- tables: npm run bench -- fidelity | *LTE* -->  those whose first line matches
    <!-- end -->                                        ends each of them

In a sentence `<!-- figure: npm run bench -- lte | goodput* -->0.972<!-- end -->` is one number with its unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from e2e.laboratory.figures.markdown import figure_table, figure_value
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.origin import shortened

BEGIN = re.compile(
    r"(?:^|(?<=\S)|(?<=\S ))(?<!`)<!-- (?P<kind>figures|figure|tables): (?P<what>[^\n]+?) -->", re.MULTILINE
)
END = "<!-- end -->"

T = TypeVar("T")


class PageError(Exception):
    """A marker that cannot be filled."""


def filled(page: Path, measured: Mapping[str, Measured]) -> str:
    """A page's text as it has to be.

    Raises PageError.
    """
    try:
        return with_figures(page.read_text(encoding="utf-8"), measured)
    except PageError as error:
        raise PageError(f"{page}: {error}") from error


def cited_in(text: str) -> set[str]:
    """The commands that a page's markers name."""
    return {begin["what"].split(" | ")[0] for begin in BEGIN.finditer(text)}


def with_figures(text: str, measured: Mapping[str, Measured]) -> str:
    """The text with its markers filled.

    Raises PageError.
    """
    parts, at = [], 0
    while (begin := BEGIN.search(text, at)) is not None:
        end = text.find(END, begin.end())
        following = BEGIN.search(text, begin.end())
        if end < 0 or (following is not None and following.start() < end):
            raise PageError(f"{begin[0]} has no {END}")
        parts += [text[at : begin.end()], _content(begin, measured)]
        at = end
    return "".join([*parts, text[at:]])


def _content(begin: re.Match[str], measured: Mapping[str, Measured]) -> str:
    command, *patterns = begin["what"].split(" | ")
    found = measured.get(command)
    if found is None:
        known = "; ".join(sorted(measured)) or "nothing"
        raise PageError(f"{begin[0]}: nobody has measured {command!r}; kept are: {known}")
    if begin["kind"] == "tables":
        return _block("\n".join(_chosen(begin[0], found.tables, patterns, _first_line)), found)
    figures = _chosen(begin[0], found.figures, patterns, lambda figure: figure.what)
    if begin["kind"] == "figures":
        return _block(figure_table(figures), found)
    if len(figures) != 1:
        raise PageError(f"{begin[0]}: {len(figures)} figures; a sentence has room for one")
    return figure_value(figures[0])


def _chosen(marker: str, what: Sequence[T], patterns: Sequence[str], name_of: Callable[[T], str]) -> list[T]:
    """In the order of the patterns."""
    if not patterns:
        return list(what)
    chosen = []
    for pattern in patterns:
        matching = [each for each in what if fnmatchcase(name_of(each), pattern)]
        if not matching:
            raise PageError(f"{marker}: nothing is called {pattern!r}")
        chosen += matching
    return chosen


def _first_line(table: str) -> str:
    return table.split("\n", 1)[0].rstrip(":")


def _block(table: str, measured: Measured) -> str:
    commit = shortened(measured.commit, has_local_changes=measured.has_local_changes)
    made = f"{measured.measured_at[:10]}, commit {commit}, {measured.machine}"
    return f"\n{table}\n`{measured.command}`, {made}.\n"
