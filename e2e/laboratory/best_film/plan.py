"""The best plan for a film over a link whose future is known.

It is the offline optimum of Pensieve (Mao et al., SIGCOMM 2017, section 5) and of MPC (Yin et al., SIGCOMM 2015), by
dynamic programming over segments. A state is the rung fetched last, when it arrived, and by how much playback is late:
start-up and all stalls so far. For each state the most of "quality less changes" is kept. Lateness is paid at the end.

A state that arrives earlier, is less late and has as much quality can do all that another can: it fetches the same
rungs, no later, and stalls no longer. So rounding both times down never loses a plan: what comes out is an upper bound.
With both times rounded to the nearest step, plans are found that come near to it. States that cannot reach what such a
plan reaches are dropped, by a bound on what is left to earn.

Which film: it knows the link and has it for itself. It fetches no sound and no headers of files, gives nothing up, and
its congestion control wastes nothing. Its first frame comes at `first_frame_ms`, or with the lowest rung after it.

The bound also holds for films whose first frame came up to `early_ms` before that. Such a film plays ahead of the best
one by so much at most. So it stalls no less, and what fits into its buffer fits into one that is longer by `early_ms`,
which the bound is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from e2e.laboratory.best_film.film_sizes import FetchingRules, FilmSizes, Worth
from e2e.laboratory.best_film.known_link import KnownLink, Times
from e2e.laboratory.best_film.outlook import Outlook

PLAN_STEPS_MS = (200.0, 100.0, 50.0)
"""To the nearest of which both times are rounded, one after the other, in search of plans."""
BOUND_STEPS_MS = (20.0, 40.0)
"""Down to which arrival and lateness are rounded for the bound."""
NEAREST = 0.5
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Plan:
    """A film that can be played, to the ms."""

    rungs: tuple[int, ...]
    worth: float
    quality: float
    """Of all segments."""
    changes: float
    """What is paid for them."""
    stalled_s: float
    first_frame_s: float


@dataclass(frozen=True, slots=True)
class Best:
    """What no plan can exceed, and one that comes near to it; of the whole film."""

    bound: float
    plan: Plan


@dataclass(frozen=True, slots=True)
class Task:
    """A film over a link; the first frame may be shown at `first_frame_ms`."""

    film: FilmSizes
    link: KnownLink
    rules: FetchingRules
    worth: Worth
    opens_ms: float
    """When the first segment may be asked for."""
    first_frame_ms: float
    early_ms: float = 0.0
    """By how much the first frame of a film that the bound holds for may come earlier."""

    @property
    def top(self) -> int:
        """The highest rung."""
        return len(self.film.bits_per_s) - 1


@dataclass(frozen=True, slots=True)
class _States:
    """After a segment: columns of the same length."""

    rung: NDArray[np.int64]
    late_ms: Times
    """When the film's beginning would have been shown, had there been no stall after it."""
    arrived_ms: Times
    earned: NDArray[np.float64]
    """Quality less changes."""
    origin: NDArray[np.int64]
    """Place of the state before."""


def best_plan(task: Task) -> Best:
    """The bound, and the best plan found on the way."""
    best = play_plan(task, [0] * task.film.segments)
    for step_ms in PLAN_STEPS_MS:
        found = _search(task, (step_ms, step_ms), best.worth - ROUNDING, up=NEAREST)
        if found is not None:
            best = max(best, play_plan(task, found[1]), key=lambda plan: plan.worth)
    roomy = replace(task, rules=task.rules.longer_by(task.early_ms / 1000))
    bounded = _search(roomy, BOUND_STEPS_MS, best.worth - ROUNDING, up=0.0)
    assert bounded is not None  # of a plan that was played, every state is there or beaten
    best = max(best, play_plan(task, bounded[1]), key=lambda plan: plan.worth)
    return Best(max(bounded[0], best.worth), best)


def play_plan(task: Task, rungs: Sequence[int]) -> Plan:
    """These rungs over the link, without any rounding."""
    film, link = task.film, task.link
    first_ms = late_ms = arrived_ms = 0.0
    for segment, rung in enumerate(rungs):
        before = rungs[segment - 1] if segment > 0 else None
        asked_ms = task.opens_ms
        if before is not None:
            most_s = task.rules.most_buffered_s(before, rung, task.top)
            asked_ms = max(arrived_ms, late_ms + 1000 * (film.ends_s[segment] - most_s))
        needs = link.opportunities_of(film.segment_bytes[rung][segment])
        arrived_ms = float(link.arrivals_ms(np.array([asked_ms]), needs)[0])
        if before is None:
            first_ms = late_ms = max(arrived_ms, task.first_frame_ms)
        else:
            late_ms = max(late_ms, arrived_ms - 1000 * film.ends_s[segment - 1])
    quality = [task.worth.quality[rung] for rung in rungs]
    changes = sum(abs(after - before) for before, after in pairwise(quality))
    stalled_s = (late_ms - first_ms) / 1000
    worth = sum(quality) - changes - task.worth.stall_cost_per_s * stalled_s
    return Plan(tuple(rungs), worth, sum(quality), changes, stalled_s, first_ms / 1000)


def _search(
    task: Task, steps_ms: tuple[float, float], least: float, *, up: float
) -> tuple[float, tuple[int, ...]] | None:
    """The most that is earned, and the rungs that lead to it; None where `least` cannot be reached."""
    states = _first_states(task)
    first_ms = float(states.late_ms[0])
    outlook = Outlook(task.film, task.link, task.worth, first_frame_ms=first_ms)
    history = [states]
    for segment in range(1, task.film.segments):
        reached = _rounded(_next_states(task, segment, states), first_ms, steps_ms, up)
        most = reached.earned + outlook.most(segment + 1, reached.arrived_ms, reached.late_ms)
        states = _only(reached, most >= least)
        if len(states.rung) == 0:
            return None
        states = _undominated(states, task)
        history.append(states)
    worth = states.earned - task.worth.stall_cost_per_s * (states.late_ms - first_ms) / 1000
    place = int(np.argmax(worth))
    most_worth, rungs = float(worth[place]), []
    for states in reversed(history):
        rungs.append(int(states.rung[place]))
        place = int(states.origin[place])
    return most_worth, tuple(reversed(rungs))


def _first_states(task: Task) -> _States:
    """All rungs that come by the first frame's time; else the lowest, whenever it comes."""
    sizes = [sizes[0] for sizes in task.film.segment_bytes]
    asked_ms = np.array([task.opens_ms])
    arrived_ms = np.array([task.link.arrivals_ms(asked_ms, task.link.opportunities_of(size))[0] for size in sizes])
    rung = np.flatnonzero(arrived_ms <= task.first_frame_ms)
    if len(rung) == 0:
        rung = np.zeros(1, dtype=np.int64)
    late_ms = np.maximum(arrived_ms[rung], task.first_frame_ms)
    return _States(rung, late_ms, arrived_ms[rung], np.array(task.worth.quality)[rung], np.zeros_like(rung))


def _next_states(task: Task, segment: int, states: _States) -> _States:
    """Each state with each rung fetched behind it."""
    film, quality = task.film, np.array(task.worth.quality)
    own = np.arange(len(states.rung))
    columns: list[tuple[NDArray[Any], ...]] = []
    for rung, sizes in enumerate(film.segment_bytes):
        stays = task.rules.most_buffered_s(rung, rung, task.top)
        comes = task.rules.most_buffered_s(0 if rung > 0 else 1, rung, task.top)
        most_s = np.where(states.rung == rung, stays, comes)
        asked_ms = np.maximum(states.arrived_ms, states.late_ms + 1000 * (film.ends_s[segment] - most_s))
        arrived_ms = task.link.arrivals_ms(asked_ms, task.link.opportunities_of(sizes[segment]))
        late_ms = np.maximum(states.late_ms, arrived_ms - 1000 * film.ends_s[segment - 1])
        earned = states.earned + quality[rung] - np.abs(quality[rung] - quality[states.rung])
        columns.append((np.full_like(own, rung), late_ms, arrived_ms, earned, own))
    return _States(*(np.concatenate(column) for column in zip(*columns, strict=True)))


def _rounded(states: _States, first_ms: float, steps_ms: tuple[float, float], up: float) -> _States:
    step_ms, late_step_ms = steps_ms
    late_ms = first_ms + late_step_ms * np.floor((states.late_ms - first_ms) / late_step_ms + up)
    return replace(states, late_ms=late_ms, arrived_ms=step_ms * np.floor(states.arrived_ms / step_ms + up))


def _undominated(states: _States, task: Task) -> _States:
    """Those that no other beats in earliness, lateness and quality together, a change to its rung paid."""
    quality = np.array(task.worth.quality)
    _, late = np.unique(states.late_ms, return_inverse=True)
    _, arrived = np.unique(states.arrived_ms, return_inverse=True)
    best = np.full((len(quality), int(late.max()) + 1, int(arrived.max()) + 1), -np.inf)
    order = np.argsort(states.earned, kind="stable")
    best[states.rung[order], late[order], arrived[order]] = states.earned[order]  # the last, and best, stays
    place = np.full(best.shape, -1, dtype=np.int64)
    place[states.rung[order], late[order], arrived[order]] = order
    reach = np.maximum.accumulate(np.maximum.accumulate(best, axis=1), axis=2)
    kept = best > -np.inf
    kept[:, 1:] &= best[:, 1:] > reach[:, :-1]
    kept[:, :, 1:] &= best[:, :, 1:] > reach[:, :, :-1]
    for rung in range(len(quality)):
        for other in range(len(quality)):
            # Only behind the top rung does the buffer grow longer: there no other state can do as much.
            if rung not in (other, task.top):
                kept[rung] &= best[rung] > reach[other] - abs(quality[rung] - quality[other])
    return _only(states, place[kept])


def _only(states: _States, chosen: NDArray[Any]) -> _States:
    return _States(*(getattr(states, name)[chosen] for name in _States.__slots__))
