"""What was won, for a terminal and for pages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.figures.markdown import figure_table
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.film_gain import NAME
from e2e.laboratory.film_gain.figures import figures_of, table_of
from e2e.laboratory.film_gain.picture import write_picture
from e2e.laboratory.films.comparison import films_of_arms
from e2e.laboratory.films.rows import PlayedCell
from e2e.laboratory.matrix.links import family
from e2e.laboratory.studies.reports import markdown


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


def families_of(links: Mapping[str, LoadedLink]) -> dict[str, str]:
    """What each of a matrix's links is like."""
    return {name: family(link.choice.trace) for name, link in links.items()}
