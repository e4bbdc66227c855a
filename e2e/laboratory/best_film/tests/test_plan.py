"""The best plan, worked out by hand and by going through all plans of small films."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from cc.links.link import OPPORTUNITY_BYTES
from e2e.laboratory.best_film.film_sizes import FetchingRules, FilmSizes, Worth
from e2e.laboratory.best_film.known_link import KnownLink
from e2e.laboratory.best_film.plan import Task, best_plan, play_plan

BIG = 10**9
"""A datagram so large that headers weigh nothing."""


def film_of(*opportunities: list[int]) -> FilmSizes:
    """Segments of 2 s; by rung, what each takes."""
    return FilmSizes(
        bits_per_s=tuple(1e6 * (rung + 1) for rung in range(len(opportunities))),
        segment_bytes=tuple(tuple(OPPORTUNITY_BYTES * count - 8 for count in sizes) for sizes in opportunities),
        ends_s=tuple(2.0 * (segment + 1) for segment in range(len(opportunities[0]))),
    )


def task_of(
    film: FilmSizes,
    opportunities_ms: list[int],
    *,
    quality: tuple[float, ...],
    buffer_s: float = 18.0,
    first_ms: float = 0.0,
) -> Task:
    link = KnownLink(opportunities_ms, delay_ms=20.0, datagram_bytes=BIG, payload_share=1.0)
    return Task(film, link, FetchingRules(buffer_s, buffer_s + 2), Worth(quality, 4.0), 0.0, first_ms)


def all_plans(task: Task) -> float:
    """The most that any reaches whose first rung comes by the first frame's time, or is the lowest."""
    plans = product(range(task.top + 1), repeat=task.film.segments)
    played = [play_plan(task, rungs) for rungs in plans]
    in_time = [plan for plan in played if plan.first_frame_s <= task.first_frame_ms / 1000]
    return max(plan.worth for plan in in_time or [plan for plan in played if plan.rungs[0] == 0])


def test_a_link_is_asked_and_answers_a_round_trip_later() -> None:
    # An opportunity each 100 ms. Asked at 0 the server hears of it at 20: it uses those at 100, 200 and 300.
    link = KnownLink([100], delay_ms=20.0, datagram_bytes=1472, payload_share=1.0)
    task = task_of(film_of([3, 3]), [100], quality=(1.0,))
    plan = play_plan(task, [0, 0])
    assert plan.first_frame_s == pytest.approx(0.32)
    # The second: asked at 320, heard of at 340, carried at 400, 500 and 600; due at 2,320.
    assert plan.stalled_s == 0.0
    assert link.opportunities_of(1472) == 1
    assert link.opportunities_of(1473) == 2


def test_what_comes_late_is_waited_for_and_paid_for() -> None:
    # 30 opportunities of 100 ms each: the first comes at 3,020, the second by 6,040 + the ms up to the next hundred.
    plan = play_plan(task_of(film_of([30, 30]), [100], quality=(1.0,)), [0, 0])
    assert plan.first_frame_s == pytest.approx(3.02)
    # Asked at 3,020, carried from 3,100 to 6,000: at 6,020, and due at 5,020.
    assert plan.stalled_s == pytest.approx(1.0)
    assert plan.worth == pytest.approx(2.0 - 4.0 * 1.0)


def test_a_full_buffer_waits_until_the_next_segment_fits() -> None:
    # One opportunity each: the buffer holds 4 s. The third segment, 4 to 6 s of the film, fits when 2 s are played.
    early = task_of(film_of([1, 1, 1], [2, 2, 2]), [100], quality=(1.0, 2.0), buffer_s=4.0)
    plan = play_plan(early, [0, 0, 0])
    assert plan.first_frame_s == pytest.approx(0.12)
    late = task_of(film_of([1, 1, 30], [2, 2, 40]), [100], quality=(1.0, 2.0), buffer_s=4.0)
    # Asked at 120 + 2,000, heard of at 2,140, carried from 2,200 to 5,100: at 5,120, due at 120 + 4,000.
    assert play_plan(late, [0, 0, 0]).stalled_s == pytest.approx(1.0)


def test_a_change_that_costs_more_than_it_earns_is_not_made() -> None:
    # The second segment would come in the upper rung, too, and the third would not: two changes for one better segment.
    task = task_of(film_of([1, 1, 1], [1, 1, 90]), [100], quality=(1.0, 2.0), first_ms=200.0)
    best = best_plan(task)
    assert best.plan.rungs == (1, 1, 0)
    assert best.plan.worth == pytest.approx(2 + 2 + 1 - 1)
    assert best.bound == pytest.approx(best.plan.worth)


def test_where_no_rung_comes_by_the_first_frames_time_the_lowest_begins() -> None:
    task = task_of(film_of([30, 1], [40, 1]), [100], quality=(1.0, 5.0), first_ms=2000.0)
    best = best_plan(task)
    assert best.plan.rungs[0] == 0
    assert best.plan.first_frame_s == pytest.approx(3.02)
    assert best.bound == pytest.approx(all_plans(task))


@pytest.mark.parametrize("seed", range(12))
def test_no_plan_exceeds_the_bound_and_on_the_grid_one_reaches_it(seed: int) -> None:
    draw = random.Random(seed)
    # All times are multiples of 40 ms, but for the delays: 20 ms there and back are 40 ms. So nothing is rounded.
    opportunities_ms = sorted(draw.sample(range(40, 16_000, 40), 150))
    rungs = [sorted(draw.randint(2, 60) for _ in range(3)) for _ in range(6)]
    film = film_of(*([segment[rung] for segment in rungs] for rung in range(3)))
    quality = (0.3, 1.5, 4.0)
    task = task_of(film, opportunities_ms, quality=quality, buffer_s=draw.choice([4.0, 6.0]), first_ms=2020.0)
    assert best_plan(task).bound == pytest.approx(all_plans(task))


@pytest.mark.parametrize("seed", range(12))
def test_off_the_grid_the_best_of_all_plans_lies_between_the_plan_found_and_the_bound(seed: int) -> None:
    draw = random.Random(seed)
    opportunities_ms = sorted(draw.sample(range(1, 16_000), 150))
    film = film_of(*([draw.randint(2 + 15 * rung, 20 + 20 * rung) for _ in range(6)] for rung in range(3)))
    task = task_of(film, opportunities_ms, quality=(0.3, 1.5, 4.0), buffer_s=draw.choice([4.0, 6.0]), first_ms=2000.0)
    best, most = best_plan(task), all_plans(task)
    assert best.plan.worth <= most + 1e-9
    assert most <= best.bound + 1e-9
    assert best.bound - most < 0.25 * task.film.segments  # 20 ms a segment and 40 ms a stall, at 4 a second


@pytest.mark.parametrize("seed", range(12))
def test_no_film_that_began_earlier_exceeds_the_bound(seed: int) -> None:
    draw = random.Random(seed)
    # A link that breaks off while buffers are full: who began earlier has fetched more by then.
    opportunities_ms = [*range(20, draw.randint(5_000, 9_000), 20), *range(14_000, 20_000, 20)]
    film = film_of(*([draw.randint(2 + 15 * rung, 6 + 20 * rung) for _ in range(6)] for rung in range(3)))
    task = task_of(film, opportunities_ms, quality=(0.3, 1.5, 4.0), buffer_s=draw.choice([4.0, 6.0]), first_ms=2000.0)
    bound = best_plan(replace(task, early_ms=1000.0)).bound
    earlier = [all_plans(replace(task, first_frame_ms=first_ms)) for first_ms in (1001.0, 1300.0, 1700.0)]
    assert max(earlier) <= bound + 1e-9
