"""No page has a typed table of figures: a number with decimals, alone in a cell outside markers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.laboratory.figures.command import pages

WRITTEN = re.compile(
    r"<!-- (?:figures|tables): .*?<!-- end -->|<!-- begin of .*?<!-- end of [^>]*-->|```.*?```|`[^`\n]*`", re.DOTALL
)
"""By a command, or code."""
FIGURE = re.compile(r"\**[-+]?\d+\.\d+(?: ?(?:%|ms|s|kB|MB|[kMG]?bit/s))?\**")
FROM_CARDS = "models/policies"
"""These pages are written from cards as a whole."""


def typed_figures(text: str) -> list[str]:
    """Cells of tables that hold a number with decimals and nothing else."""
    rows = [line for line in WRITTEN.sub("", text).splitlines() if line.startswith("|")]
    cells = [cell.strip() for row in rows for cell in row.strip("|").split("|")]
    return [cell for cell in cells if FIGURE.fullmatch(cell)]


def test_a_typed_figure_is_found_and_a_written_one_is_none() -> None:
    table = "| what | measured |\n| --- | --- |\n| delay | **4.5 ms** |\n| 0.75 s without an answer | -0.512 |\n"
    assert typed_figures(table) == ["**4.5 ms**", "-0.512"]
    assert typed_figures(f"<!-- tables: npm run bench -- lte -->\n{table}<!-- end -->\n") == []
    assert typed_figures(f"<!-- begin of `nuwa models table` -->\n{table}<!-- end of `nuwa models table` -->\n") == []


def _of_hand() -> list[Path]:
    return [page for page in pages(ROOT) if not page.is_relative_to(ROOT / FROM_CARDS)]


@pytest.mark.parametrize("page", _of_hand(), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_table_is_typed(page: Path) -> None:
    assert typed_figures(page.read_text(encoding="utf-8")) == [], "let a command write it (e2e/laboratory/figures)"


@pytest.mark.parametrize(
    "page", [each for each in _of_hand() if each.name == "CHOICES.md"], ids=lambda page: page.parent.name
)
def test_choices_are_conclusions(page: Path) -> None:
    assert "%" not in WRITTEN.sub("", page.read_text(encoding="utf-8"))
