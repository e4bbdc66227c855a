"""What a rule's films are worth: what the search raises."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from cc.links.link import OPPORTUNITY_BYTES
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.films.rows import qoe_log
from e2e.laboratory.films.seen import FilmResult

USED_SHARE = 0.85
"""Of a link's rate: what a film's bitrate may come to in the mean."""
LOG_WEIGHT = 0.5
"""Of QoE_log, beside QoE_lin: fast links alone do not decide."""
STALL_WEIGHT_PER_S = 0.05
"""QoE_lin weighs a second of stall little beside the top rung; viewers do not."""


@dataclass(frozen=True, slots=True)
class FilmWorth:
    """Of one film, or the mean of several."""

    worth: float
    qoe_per_segment: float
    qoe_log_per_segment: float
    stalled_s: float


def film_worth(result: FilmResult, link: LoadedLink, rungs_bits_per_s: Sequence[float]) -> FilmWorth:
    """QoE over what the link could carry of these rungs, less stalls; nothing was won where nothing was played."""
    rates = [segment.bits_per_second for segment in result.played.segments]
    lowest, highest = min(rungs_bits_per_s), max(rungs_bits_per_s)
    stalled_s = result.played.stalled_s
    linear = 0.0 if result.played.qoe is None else result.played.qoe.per_segment
    logarithmic = qoe_log(rates, stalled_s, lowest) or 0.0
    bits_per_s = 8000 * OPPORTUNITY_BYTES * len(link.downlink_ms) / link.downlink_ms[-1]
    scale = min(highest, max(2 * lowest, USED_SHARE * bits_per_s))
    worth = (
        linear / (scale / 1e6) + LOG_WEIGHT * logarithmic / math.log(scale / lowest) - STALL_WEIGHT_PER_S * stalled_s
    )
    return FilmWorth(worth, linear, logarithmic, stalled_s)


def mean_worth(films: Sequence[FilmWorth]) -> FilmWorth:
    """Of all; at least one."""
    return FilmWorth(
        fmean(film.worth for film in films),
        fmean(film.qoe_per_segment for film in films),
        fmean(film.qoe_log_per_segment for film in films),
        fmean(film.stalled_s for film in films),
    )
