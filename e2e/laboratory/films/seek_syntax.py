"""What `--seeks` asks for: how long after the first frame a viewer goes where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from cc.command_line.arguments import number_or_nan
from e2e.laboratory.films.run import MOST_S, PlannedSeek
from e2e.laboratory.matrix.values import OptionError, list_of


def parse_seeks(text: str | None) -> tuple[PlannedSeek, ...]:
    """Of `20:80,50:10`; none of None. Raises OptionError."""
    if text is None:
        return ()
    seeks = tuple(_seek(entry) for entry in list_of("seeks", text))
    for before, seek in pairwise(seeks):
        if seek.after_s <= before.after_s:
            raise OptionError(f"--seeks {text}: {seek.after_s:g} s does not come after {before.after_s:g} s")
    return seeks


def require_within(seeks: Sequence[PlannedSeek], film: str, film_s: float) -> None:
    """Raises OptionError where one leaves the film."""
    for seek in seeks:
        if seek.to_s >= film_s:
            raise OptionError(f"--seeks {seek.after_s:g}:{seek.to_s:g}: the film {film} ends at {film_s:g} s")


def _seek(text: str) -> PlannedSeek:
    after, _, to = text.partition(":")
    seek = PlannedSeek(number_or_nan(after), number_or_nan(to))
    if not (0 <= seek.after_s < MOST_S and 0 <= seek.to_s < math.inf):
        raise OptionError(
            f"--seeks {text}: write SECONDS:PLACE, such as 20:80, less than {MOST_S:g} seconds after the first frame"
        )
    return seek
