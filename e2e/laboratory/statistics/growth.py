"""How fast something grows: steadily, or in steps.

`python -m e2e.laboratory.statistics.growth FILE` reads JSON, series by name, and prints the growth of each. The soak
(e2e/browser/bench/soak.ts) asks it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

import msgspec

END_SHARE = 0.1
"""Of the values, those that are an end: enough that a few outliers do not move its median."""


class Growth(msgspec.Struct, frozen=True):
    """Per unit of time, in two ways: a step is none to the slope, and swings are some to the ends.

    Neither has an interval: what a process holds wanders, so that its values are no repeats.
    """

    slope: float
    """Theil and Sen's: the median of the slopes between all pairs (Sen 1968)."""
    between_ends: float
    """From the median of the first tenth to that of the last."""


class Series(msgspec.Struct, frozen=True):
    """Values at times, in order."""

    times: Sequence[float]
    values: Sequence[float]


def growth_of(series: Series) -> Growth:
    """Raises ValueError below two values."""
    from scipy.stats import theilslopes  # noqa: PLC0415 - takes a second, and whoever collects tests needs none

    count = len(series.values)
    if count < 2:
        raise ValueError(f"the growth of {count} values: give at least 2")
    end = max(1, round(END_SHARE * count))
    rise = median(series.values[-end:]) - median(series.values[:end])
    apart = median(series.times[-end:]) - median(series.times[:end])
    return Growth(float(theilslopes(series.values, series.times).slope), rise / apart)


def main(file: str) -> None:
    """Print the growth of the file's series by name, in JSON."""
    given = msgspec.json.decode(Path(file).read_bytes(), type=Mapping[str, Series])
    growth = {name: growth_of(series) for name, series in given.items()}
    sys.stdout.buffer.write(msgspec.json.encode(growth) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
