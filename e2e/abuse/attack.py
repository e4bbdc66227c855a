"""What an attack is, what it is held to, and what was measured of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from e2e.abuse.ground import Ground
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.record import RunError, RunFailure


@dataclass(frozen=True, slots=True)
class Limit:
    """What an attack is held to."""

    what: str
    """The quantity, as the table has it."""
    reach: Reach
    unit: str = ""
    told_above: float | None = None
    """Arms above this are named in a table of their own, though the limit holds."""

    def of(self, value: float, arm: str = "") -> Sample:
        """What was measured of it."""
        return Sample(self, value, arm)


@dataclass(frozen=True, slots=True)
class Sample:
    """One number that was measured."""

    limit: Limit
    value: float
    arm: str
    """Of several, such as schemes, the one that it is of."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One that can be run by its name."""

    name: str
    summary: str
    """What the client does, in one sentence."""
    limits: Sequence[Limit]
    measure: Callable[[Ground], Awaitable[Sequence[Sample]]]
    """At least one sample of each limit. Raises RunError where nothing could be measured."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """An attack's limit beside the worst of its samples."""

    attack: Attack
    limit: Limit
    samples: Sequence[Sample]
    """Of this limit; none where it could not be measured."""

    @property
    def worst(self) -> Sample | None:
        """The sample that is nearest to breaking the limit, or breaks it most."""
        if not self.samples:
            return None
        worst_of = min if self.limit.reach.comparison != "at most" else max
        return worst_of(self.samples, key=lambda sample: sample.value)

    @property
    def holds(self) -> bool:
        """What was not measured does not hold."""
        return self.worst is not None and self.limit.reach.is_met_by(self.worst.value)

    @property
    def figure(self) -> Figure:
        """The worst sample, as pages have it."""
        worst = self.worst
        return Figure(
            f"{self.attack.name}: {self.limit.what}",
            None if worst is None else worst.value,
            self.limit.unit,
            tuple(sample.value for sample in self.samples),
            reach=self.limit.reach,
        )


class AttackError(RunError):
    """An attack that did not take place as it was meant to: nothing can be said of its limits."""

    def __init__(self, message: str) -> None:
        super().__init__(RunFailure(message))


async def carry_out(attack: Attack, ground: Ground) -> list[Outcome]:
    """Measure it. Raises RunError, or a group of them, where nothing could be measured.

    A client that stumbles inside the event loop would draw nothing, and limits would seem to hold: that is an error.
    """
    stumbled: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: stumbled.append(str(context.get("exception") or context["message"])))
    try:
        samples = await attack.measure(ground)
    finally:
        loop.set_exception_handler(None)
    if stumbled:
        raise AttackError(f"{attack.name}: the client itself failed: {stumbled[0]}")
    return outcomes(attack, samples)


def outcomes(attack: Attack, samples: Sequence[Sample]) -> list[Outcome]:
    """A line of the table for each limit."""
    return [Outcome(attack, limit, [each for each in samples if each.limit == limit]) for limit in attack.limits]
