"""What was won, for a terminal and for pages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from markupsafe import Markup

from cc.registry import scheme
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.figures.markdown import figure_table
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.film_gain import NAME
from e2e.laboratory.film_gain.arms import OURS, RIVAL_RULES, rivals, with_our_rule
from e2e.laboratory.film_gain.figures import best_of, figures_of, table_of
from e2e.laboratory.films.charts import HEIGHT, QUALITY, STALLED, WIDTH
from e2e.laboratory.films.comparison import Arm, FilmsOfArms, films_of_arms
from e2e.laboratory.films.rows import PlayedCell
from e2e.laboratory.matrix.links import families_of
from e2e.laboratory.report.chart import series_colour, standalone, svg
from e2e.laboratory.report.labelled_points import Axis, Point, labelled_points, span
from e2e.laboratory.studies.reports import markdown

ROOM = 0.12
"""Around the outermost points, of what they span."""


def report(
    cells: Sequence[PlayedCell], links: Mapping[str, LoadedLink], *, command: str, options: argparse.Namespace
) -> None:
    """Prints the figures, and leaves them; `links` by their names in plans. Raises OSError."""
    films = films_of_arms(cells)
    figures = figures_of(films, families_of(links))
    table = markdown(table_of(films))
    sys.stdout.write(f"\n{table}\n{figure_table(figures)}\n")
    measured = Measured.just_now(command, figures, [table])
    sys.stdout.write(f"{measured.leave(options.figures, NAME)}\n")
    if options.picture is not None:
        write_picture(options.picture, films)


def write_picture(file: Path, films: FilmsOfArms) -> None:
    """For other pages. Raises OSError."""
    file.write_text(standalone(picture(films)), encoding="utf-8")


def picture(films: FilmsOfArms) -> Markup:
    """Ours, and each rule with the sender-side scheme under which it earns most."""
    points = [_point(with_our_rule(name), films) for name in OURS]
    for rule in RIVAL_RULES:
        of_rule = {arm: films[arm] for arm in rivals() if arm[1] == rule}
        points.append(_point(best_of(of_rule, lambda seen: seen.qoe_per_segment), films))
    most = (1 + ROOM) * max(point.x for point in points) or 1.0
    least_qoe, most_qoe = span([point.y for point in points], ROOM)
    stalled, quality = Axis(STALLED, most, 0.0), Axis(QUALITY, most_qoe, least_qoe)
    chart = labelled_points(points, stalled, quality, (WIDTH, HEIGHT))
    said = "; ".join(f"{point.name}: {point.y:.2f} with {point.x:.2f} % stalled" for point in points)
    return svg(chart, f"Quality against stalls: {said}.")


def _point(arm: Arm, films: FilmsOfArms) -> Point:
    seen, is_ours = list(films[arm].values()), arm[0] in OURS
    title = scheme(arm[0]).title
    return Point(
        f"{title}, NuwaRule" if is_ours else f"{title}, {arm[1]}",
        fmean(100 * one.stalled_ratio for one in seen),
        fmean(one.qoe_per_segment for one in seen),
        series_colour(0 if is_ours else 1),
    )
