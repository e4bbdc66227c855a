"""Puts labels beside marks without covering marks or each other, as far as there is room. Pixels, y downwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GAP = 6.0
"""Between a mark and its label."""
MARGIN = 2.0
"""Between two labels."""
CHARACTER_WIDTH = 0.6
"""Of the font's size, on average of the wider of the fonts that system-ui is."""
HALF_HEIGHT = 0.62
DIRECTIONS = np.array([(1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1)], dtype=float)
STEPS = np.array([0, 9, 23, 41, 63, 89, 120], dtype=float)
"""Of labels from where they stand nearest."""
LEAD_FROM = 9.0
"""From this step on nobody sees by itself whose label it is."""
NEAR = 14.0
"""A label so near to a mark is taken for its own."""
CONFUSION = 300.0
"""What it costs to stand nearer to another's mark than to one's own; an area that may rather be covered."""
HIDING, HIDDEN = 1000.0, 20.0
"""What it costs to cover a label at all, and how much worse each pixel of it is than one of a mark."""
ROUNDS = 6
"""Each label is placed so often, with regard to all others."""


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """Where a label stands."""

    left: float
    right: float
    middle: float
    is_led: bool
    """Whether a line must lead to its mark."""


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Places for a label: boxes are left, top, right, bottom."""

    boxes: Floats
    steps: Floats
    distances: Floats


def place_labels(
    texts: Sequence[str], marks: Floats, size: tuple[float, float], *, font_size: float, obstacles: Floats
) -> list[PlacedLabel]:
    """In the order of the marks (x, y, radius), each in the nearest place that is free, or that covers least.

    Obstacles (x, y, radius) are what labels had rather not cover, either. `size` is the drawing's width and height.
    """
    candidates = [_candidates(text, mark, font_size) for text, mark in zip(texts, marks, strict=True)]
    costs = [_own_cost(candidates[own], own, marks, size, obstacles) for own in range(len(texts))]
    chosen = np.stack([each.boxes[0] for each in candidates])
    places = [0] * len(texts)
    for turn in range(ROUNDS):
        for own, each in enumerate(candidates):
            others = np.delete(chosen, own, axis=0) if turn > 0 else chosen[:own]
            covered = _overlaps(each.boxes, others + MARGIN * np.array([-1, -1, 1, 1]))
            cost = costs[own] + np.where(covered > 0, HIDING + HIDDEN * covered, 0).sum(axis=1)
            places[own] = int(cost.argmin())
            chosen[own] = each.boxes[places[own]]
    return [
        PlacedLabel(box[0], box[2], (box[1] + box[3]) / 2, bool(each.steps[place] >= LEAD_FROM))
        for box, each, place in zip(chosen.tolist(), candidates, places, strict=True)
    ]


def _candidates(text: str, mark: Floats, font_size: float) -> _Candidates:
    half = np.array([len(text) * font_size * CHARACTER_WIDTH / 2, font_size * HALF_HEIGHT])
    steps = STEPS.repeat(len(DIRECTIONS))
    directions = np.tile(DIRECTIONS, (len(STEPS), 1))
    distances = mark[2] + GAP + steps
    unit = directions / np.hypot(*directions.T)[:, None]
    centres = mark[:2] + directions * half + unit * distances[:, None]
    return _Candidates(np.hstack([centres - half, centres + half]), steps, distances)


def _own_cost(
    each: _Candidates, own: int, marks: Floats, size: tuple[float, float], obstacles: Floats
) -> NDArray[np.float64]:
    """Without regard to other labels."""
    others = np.delete(marks, own, axis=0)
    solid = np.vstack([others + np.array([0, 0, 2]), obstacles])
    radii = solid[:, 2:]
    covered = _overlaps(each.boxes, np.hstack([solid[:, :2] - radii, solid[:, :2] + radii])).sum(axis=1)
    width, height = (each.boxes[0, 2:] - each.boxes[0, :2]).tolist()
    outside = (width * height - _overlaps(each.boxes, np.array([[0, 0, *size]]))[:, 0]).round(6)  # or noise decides
    confused = _is_confused(each, marks[own], others).sum(axis=1)
    cost: Floats = covered + 4 * outside + CONFUSION * confused + each.steps
    return cost


def _is_confused(each: _Candidates, mark: Floats, others: Floats) -> NDArray[np.bool_]:
    """Whether a place is nearer to another mark than to its own, or its line leads through that one."""
    corners, at = each.boxes[:, None], others[None, :, :2]
    beside = np.maximum(np.maximum(corners[..., :2] - at, at - corners[..., 2:]), 0)
    is_near = np.hypot(beside[..., 0], beside[..., 1]) < np.minimum(each.distances, NEAR)[:, None]
    line = np.clip(mark[:2], each.boxes[:, :2], each.boxes[:, 2:]) - mark[:2]
    along = ((others[None, :, :2] - mark[:2]) * line[:, None]).sum(axis=2) / (line**2).sum(axis=1)[:, None]
    nearest = mark[:2] + along.clip(0, 1)[..., None] * line[:, None]
    off = np.hypot(*np.moveaxis(nearest - at, 2, 0))
    is_crossed = (off < others[None, :, 2] + 2) & (each.steps[:, None] >= LEAD_FROM)
    confused: NDArray[np.bool_] = is_near | is_crossed
    return confused


def _overlaps(boxes: Floats, others: Floats) -> Floats:
    """Areas that each of the boxes shares with each of the others."""
    ends = np.minimum(boxes[:, None, 2:], others[None, :, 2:]) - np.maximum(boxes[:, None, :2], others[None, :, :2])
    areas: Floats = ends.clip(min=0).prod(axis=2)
    return areas
