"""One measured number, as every command gives it and every page has it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from models.evaluation.resampling import Interval

Comparison = Literal["at least", "at most", "above", "within"]
"""`within` is either side of zero."""

Repeats = Literal["runs", "starts"]
"""`starts` are one run without chance, which begins elsewhere in its trace, or its flows a little later, each time."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What is to be reached."""

    comparison: Comparison
    value: float

    def is_met_by(self, value: float) -> bool:
        """Whether it is reached by this value."""
        if self.comparison == "at least":
            return value >= self.value
        if self.comparison == "at most":
            return value <= self.value
        if self.comparison == "within":
            return abs(value) <= self.value
        return value > self.value


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, what it is of, and what it is to be."""

    what: str
    value: float | None
    """None where nothing was measured."""
    unit: str = ""
    samples: tuple[float | None, ...] = ()
    """One of each repeat, in order; None where a repeat has none."""
    interval: Interval | None = None
    """Where the value lies with 95 % confidence; None where that is not known."""
    reach: Reach | None = None
    """None where the figure is only shown beside others."""
    has_to_be_sure: bool = False
    """Whether the whole interval has to reach it, and is one of enough groups; or each of the starts."""
    repeats: Repeats = "runs"
    """What its samples are of."""

    @property
    def is_reached(self) -> bool | None:
        """None where nothing is to be reached; what was not measured has not reached it."""
        if self.reach is None:
            return None
        if self.has_to_be_sure and self.repeats == "starts":
            return all(sample is not None and self.reach.is_met_by(sample) for sample in self.samples)
        if self.has_to_be_sure and self.interval is not None:
            ends = (self.interval.low, self.interval.high)
            return self.interval.has_enough_groups and all(self.reach.is_met_by(end) for end in ends)
        return self.value is not None and self.reach.is_met_by(self.value)

    @classmethod
    def of_interval(
        cls, what: str, interval: Interval, unit: str = "", *, reach: Reach | None = None, has_to_be_sure: bool = False
    ) -> Self:
        """A number whose interval is known.

        That of a single group ends nowhere, which JSON cannot say and nobody is shown: there both ends are the value.
        """
        if not (math.isfinite(interval.low) and math.isfinite(interval.high)):
            interval = replace(interval, low=interval.value, high=interval.value)
        return cls(what, interval.value, unit, interval=interval, reach=reach, has_to_be_sure=has_to_be_sure)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Read what `dataclasses.asdict` gives, or a benchmark in TypeScript.

        An interval that does not say what drew it takes as many groups as a bootstrap's. Raises KeyError or TypeError
        for anything else.
        """
        interval, reach = fields.get("interval"), fields["reach"]
        return cls(
            what=fields["what"],
            value=fields["value"],
            unit=fields["unit"],
            samples=tuple(fields.get("samples", ())),
            interval=None if interval is None else Interval(**{"is_resampled": True, **interval}),
            reach=None if reach is None else Reach(**reach),
            has_to_be_sure=fields.get("has_to_be_sure", False),
            repeats=fields.get("repeats", "runs"),
        )
