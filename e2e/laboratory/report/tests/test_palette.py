"""Series can be told apart, by the colour-blind, too, on white and on black."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from e2e.laboratory.report.chart import SERIES, SHAPES
from e2e.laboratory.report.page import TEMPLATES

Floats = NDArray[np.float64]

SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "deuteranopia": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "tritanopia": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
"""Of linear RGB; Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model ...", severity 1."""
LMS = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
OKLAB = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
"""Ottosson 2020: two colours 0.02 apart are just told apart side by side."""
NEAREST_OF_SHAPES = 0.08
"""Of the first series, which have a shape each."""
NEAREST = 0.06


def linear(colour: str) -> Floats:
    values = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def palettes() -> list[tuple[str, list[str]]]:
    """Paper and series, light and dark."""
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    papers = re.findall(r"--paper: (#\w+);", style)
    series = re.findall(r"--series-\d+: (#\w+);", style)
    return [(paper, series[at * SERIES :][:SERIES]) for at, paper in enumerate(papers)]


def distance(one: str, other: str, sight: Floats) -> float:
    seen = [np.cbrt(LMS @ (sight @ linear(colour)).clip(0, 1)) for colour in (one, other)]
    return float(np.linalg.norm(OKLAB @ seen[0] - OKLAB @ seen[1]))


@pytest.mark.parametrize(("paper", "series"), palettes())
def test_every_line_shows_on_its_paper(paper: str, series: list[str]) -> None:
    luminances = [float(linear(colour) @ [0.2126, 0.7152, 0.0722]) + 0.05 for colour in series]
    behind = float(linear(paper) @ [0.2126, 0.7152, 0.0722]) + 0.05
    assert len(series) == SERIES
    assert min(max(each, behind) / min(each, behind) for each in luminances) >= 3  # WCAG 2.2, 1.4.11


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("paper", "series"), palettes())
def test_no_two_look_alike(paper: str, series: list[str], sight: str) -> None:
    for one, other in combinations(series[: len(SHAPES)], 2):
        assert distance(one, other, SIGHT[sight]) >= NEAREST_OF_SHAPES, f"{one} {other} on {paper}"
    for one, other in combinations(series, 2):
        assert distance(one, other, SIGHT[sight]) >= NEAREST, f"{one} {other} on {paper}"
