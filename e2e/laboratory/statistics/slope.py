"""How fast something grows: a straight line that outliers do not bend.

`python -m e2e.laboratory.statistics.slope FILE` reads JSON, series by name, and prints the slope of each. The soak
(e2e/browser/bench/soak.ts) asks it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from scipy.stats import theilslopes

CONFIDENCE = 0.95


class Slope(msgspec.Struct, frozen=True):
    """Per unit of time, and the ends of its 95 % interval."""

    slope: float
    low: float
    high: float


class Series(msgspec.Struct, frozen=True):
    """Values at times, in any order."""

    times: Sequence[float]
    values: Sequence[float]


def slope_of(series: Series) -> Slope:
    """Theil-Sen: the median of the slopes between all pairs (Sen 1968). Raises ValueError below two values."""
    if len(series.values) < 2:
        raise ValueError(f"a slope of {len(series.values)} values: give at least 2")
    fit = theilslopes(series.values, series.times, alpha=CONFIDENCE)
    return Slope(float(fit.slope), float(fit.low_slope), float(fit.high_slope))


def main(file: str) -> None:
    """Print the slopes of the file's series by name, in JSON."""
    given = msgspec.json.decode(Path(file).read_bytes(), type=Mapping[str, Series])
    slopes = {name: slope_of(series) for name, series in given.items()}
    sys.stdout.buffer.write(msgspec.json.encode(slopes) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
