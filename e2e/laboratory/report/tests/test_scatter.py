"""A scatter's axis and caption."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from markupsafe import Markup

from e2e.laboratory.report import scatter_layers as layers
from e2e.laboratory.report.chart import FONT_SIZE, svg
from e2e.laboratory.report.frame import Frame
from e2e.laboratory.report.labels import CHARACTER_WIDTH
from e2e.laboratory.report.scatter import Scatter, scatter_caption
from e2e.laboratory.report.section import NARROW

PLAIN = Scatter(Markup(), *(False,) * 5, begins_at=0.0)
SHOWN_TICK = re.compile(r'translate\(([\d.]+),15\)[^>]*opacity="1">(\d+)<')


@pytest.mark.parametrize("decades", [2.5, 2.9, 3.2, 3.6, 4.3])
def test_labels_of_delays_stand_apart_on_a_phone(decades: float) -> None:
    frame = Frame((0.0, 0.0), (decades, 20.0), **NARROW)
    shown = [(float(x), len(text)) for x, text in SHOWN_TICK.findall(svg(layers.axes(frame).properties(**NARROW), ""))]
    assert len(shown) >= 5
    for (right, one), (left, other) in pairwise(shown):
        assert right - left - CHARACTER_WIDTH * (FONT_SIZE - 1) * (one + other) / 2 >= layers.LABEL_GAP


def test_a_caption_explains_nothing_that_is_not_drawn() -> None:
    assert scatter_caption([PLAIN]) == (
        "Throughput against the 95th percentile of the queueing delay, which falls to the right: better is up and "
        "right. Each run's throughput is scaled to the link's mean capacity."
    )


def test_what_one_of_the_drawings_has_is_explained_and_that_the_axis_is_broken() -> None:
    nested = replace(PLAIN, has_runs=True, has_nested_marks=True, begins_at=17.34)
    caption = scatter_caption([nested, replace(PLAIN, has_runs=True, has_ellipses=True)])
    marks = (
        "Large marks are means (of delays geometric ones), small ones single runs, marks in one place lie in one "
        "another, ellipses hold"
    )
    assert marks in caption
    assert "it begins at 17.3, not at 0." in caption
    assert "star" not in caption
