"""A scatter's caption."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup

from e2e.laboratory.report.scatter import Scatter, scatter_caption

PLAIN = Scatter(Markup(), *(False,) * 5, begins_at=0.0)


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
