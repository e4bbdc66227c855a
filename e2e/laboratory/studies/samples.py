"""What repeats measured, one value each, and None where one could not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import TypeVar

from e2e.laboratory.figures.figure import Figure, Reach

Samples = Sequence[float | None]
ResultT = TypeVar("ResultT")
ValueT = TypeVar("ValueT")


def mean_figure(what: str, samples: Samples, unit: str = "", *, reach: Reach | None = None) -> Figure:
    """The mean over the repeats."""
    return _figure(what, samples, unit, reach, fmean)


def of_starts(figure: Figure) -> Figure:
    """Whose repeats differ in when flows begin, and in nothing else."""
    return replace(figure, repeats="starts")


def median_figure(what: str, samples: Samples, unit: str = "", *, reach: Reach | None = None) -> Figure:
    """The median over the repeats."""
    return _figure(what, samples, unit, reach, median)


def values_of(repeats: Sequence[ResultT | None], read: Callable[[ResultT], ValueT | None]) -> list[ValueT | None]:
    """What is read of each; None of one that failed."""
    return [None if each is None else read(each) for each in repeats]


def mean_of_all(samples: Samples) -> float | None:
    """None where a repeat has none: the others would be compared with other stretches of the trace."""
    known = _known(samples)
    return fmean(known) if known and len(known) == len(samples) else None


def ratios(numerators: Samples, denominators: Samples) -> tuple[float | None, ...]:
    """Repeat by repeat: what the machine did to both cancels."""
    return _pairwise(numerators, denominators, lambda one, other: one / other)


def differences(minuends: Samples, subtrahends: Samples) -> tuple[float | None, ...]:
    """Repeat by repeat."""
    return _pairwise(minuends, subtrahends, lambda one, other: one - other)


def _figure(
    what: str, samples: Samples, unit: str, reach: Reach | None, summarise: Callable[[Sequence[float]], float]
) -> Figure:
    """What is to be reached has no value where a repeat has none: the others say nothing of that one."""
    known = _known(samples)
    has_value = known and (reach is None or len(known) == len(samples))
    return Figure(what, summarise(known) if has_value else None, unit, tuple(samples), reach=reach)


def _pairwise(ones: Samples, others: Samples, compare: Callable[[float, float], float]) -> tuple[float | None, ...]:
    """A repeat in which one side is missing has nothing to compare, and stays None."""
    return tuple(
        None if one is None or other is None else compare(one, other) for one, other in zip(ones, others, strict=True)
    )


def _known(samples: Samples) -> list[float]:
    return [sample for sample in samples if sample is not None]
