"""The known link, differences of pairs and the table, of films that nobody played."""

from __future__ import annotations

import math
from dataclasses import replace

import msgspec
import pytest

from e2e.laboratory.films.messages import PlayedFilm, Qoe, Seek, Segment, Switch, Wait
from e2e.laboratory.films.pairs import Spread, Start, paired_difference
from e2e.laboratory.films.rows import qoe_log
from e2e.laboratory.films.seen import FilmResult, Second, estimate_error
from e2e.laboratory.films.table import films_table
from e2e.laboratory.films.truth import KnownLink


def film_of(qoe: float | None, *, stalled_ms: float = 0.0) -> FilmResult:
    segment = Segment(0, 1_000_000, 250_000, 0.0, 100.0)
    played = PlayedFilm(
        error=None,
        has_ended=True,
        startup_ms=300.0,
        position_seconds=2.0,
        waits=[Wait(1000.0, stalled_ms / 2), Wait(1500.0, stalled_ms / 2)],
        qoe=None if qoe is None else Qoe(qoe, qoe),
        segments=[segment],
        switches=[Switch(0.0, 1_000_000, "start")],
    )
    return FilmResult(played, 0.05)


def by_start(*films: FilmResult) -> dict[Start, FilmResult]:
    return {("film", seed, 1): film for seed, film in enumerate(films, 1)}


def test_a_known_link_tells_what_the_next_second_carries_of_a_film() -> None:
    # Ten opportunities in the first second, none in the second, which the trace's end lies in: it repeats every 2 s.
    link = KnownLink([*range(100, 1001, 100), 2000], datagram_bytes=1472)
    share = 0.975 * 1472 / 1504
    assert link.bits_per_s(0.0) == pytest.approx(10 * 1504 * 8 * share)
    assert link.bits_per_s(0.5) == pytest.approx(5 * 1504 * 8 * share)
    assert link.bits_per_s(1.5) == pytest.approx(6 * 1504 * 8 * share)
    assert link.bits_per_s(20.0) == pytest.approx(link.bits_per_s(0.0))


def test_a_difference_is_of_pairs_and_has_their_spread() -> None:
    films = by_start(film_of(2.0, stalled_ms=3000), film_of(4.0), film_of(6.0))
    difference = paired_difference(films, by_start(film_of(1.0), film_of(2.0), film_of(3.0), film_of(9.0)))
    assert difference is not None
    assert difference.qoe_per_segment == Spread(2.0, 1.0, 3.0)
    assert difference.stalled_s == Spread(1.0, 0.0, 3.0)


def test_a_pair_of_which_one_never_played_is_left_out_and_two_pairs_have_no_difference() -> None:
    films = by_start(film_of(2.0), film_of(None), film_of(6.0))
    assert paired_difference(films, by_start(*[film_of(1.0)] * 3)) is None


def test_the_table_has_differences_from_each_links_first_line_where_there_are_starts_enough() -> None:
    starts = by_start(film_of(1.0), film_of(2.0), film_of(3.0))
    better = by_start(film_of(3.0), film_of(4.0), film_of(5.0, stalled_ms=6000))
    played: dict[tuple[str, ...], dict[Start, FilmResult]] = {
        ("a", "nuwa", "bba", "receiver"): starts,
        ("a", "nuwa", "nuwa", "receiver"): better,
        ("b", "nuwa", "bba", "receiver"): better,
    }
    caption, head, first, second, other_link = films_table(
        played, {("a", "nuwa", "bba", "receiver"): 0.75}
    ).splitlines()
    assert head.split("  ")[-1].strip() == "stalled - first"
    assert caption.startswith("Means over starts in one trace")
    assert first.endswith("50 ms")
    assert " 2.0 s " in second  # 0, 0 and 6 s, which the difference is of, too
    assert second.endswith("+2.00 (+2.00 to +2.00)  +2.0 (+0.0 to +6.0)")
    assert other_link.endswith("50 ms")
    assert "- first" not in films_table(
        {names: by_start(*list(films.values())[:2]) for names, films in played.items()}, {}
    )


def test_the_table_says_what_downloads_beside_films_got_where_there_are_any() -> None:
    beside = by_start(*(replace(film_of(1.0), beside_bits_per_s=rates) for rates in ((2e6, 4e6), (6e6, 4e6))))
    alone = by_start(film_of(1.0), film_of(2.0))
    played: dict[tuple[str, ...], dict[Start, FilmResult]] = {
        ("a", "nuwa", "bba", "receiver"): beside,
        ("a", "cubic", "bba", "receiver"): alone,
    }
    _, head, first, second = films_table(played, {}).splitlines()
    assert head.endswith("  beside")
    assert first.endswith("  4.00 Mbit/s")  # of 3 and 5
    assert second.endswith("  -")
    assert "beside" not in films_table({("a", "nuwa", "bba", "receiver"): alone}, {})


def with_seeks(film: FilmResult, *seeks: Seek) -> FilmResult:
    return replace(film, played=msgspec.structs.replace(film.played, seeks=list(seeks)))


def test_the_table_says_how_long_seeks_took_where_there_are_any() -> None:
    # One viewer of two had to wait for two pictures, 0.4 s in the mean, and went elsewhere before a third one came;
    # then the player jumped over a hole.
    hole = Seek(2500.0, 0.0, True, 1.2, 1.4, by_viewer=False)
    seeks = [Seek(500.0, 300.0, True, 0.5, 20.0), Seek(900.0, 900.0, False, 20.1, 40.0)]
    sought = with_seeks(film_of(1.0), *seeks, Seek(1800.0, 500.0, True, 40.0, 1.0), hole)
    names: list[tuple[str, ...]] = [("a", scheme, "bba", "receiver") for scheme in ("nuwa", "cubic")]
    played = {names[0]: by_start(sought, film_of(1.0)), names[1]: by_start(film_of(1.0), film_of(2.0))}
    _, head, first, second = films_table(played, {}).splitlines()
    assert head.endswith("  seek")
    assert first.endswith("  0.40 s")
    assert second.endswith("  -")
    assert "seek" not in films_table({names[1]: played[names[1]]}, {})


def test_a_film_with_seeks_is_as_long_as_what_was_played_of_it() -> None:
    # To 0.5 s, from 20 to 20.1 s, nothing at 40 s, and from 1 to 2 s.
    seeks = [Seek(500.0, 300.0, True, 0.5, 20.0), Seek(900.0, 900.0, False, 20.1, 40.0)]
    film = with_seeks(film_of(1.0, stalled_ms=400), *seeks, Seek(1800.0, 500.0, True, 40.0, 1.0)).played
    assert film.played_s == pytest.approx(0.5 + 0.1 + 1.0)
    assert film.passed_s == pytest.approx(1.6 + 0.4 + 0.3 + 0.9 + 0.5)
    assert film.seek_s == pytest.approx(0.4)
    assert film_of(1.0).played.seek_s is None


def test_qoe_log_is_pensieves() -> None:
    # log(2), log(4), log(2) of the lowest: sum 4 log 2, changes 2 log 2, half a second of stall.
    assert qoe_log([2e6, 4e6, 2e6], 0.5, 1e6) == pytest.approx((2 * math.log(2) - 2.66 * 0.5) / 3)
    assert qoe_log([], 0.0, 1e6) is None


def test_an_estimates_error_is_the_median_over_seconds_in_which_the_link_was_in_use() -> None:
    busy = Second(
        1.0,
        1.0,
        5.0,
        capacity_bits_per_s=10e6,
        carried_bits_per_s=9e6,
        receiver_bits_per_s=None,
        dashjs_bits_per_s=None,
    )
    idle = replace(busy, carried_bits_per_s=1e6)
    estimates = [(9e6, busy), (4.5e6, busy), (18e6, busy), (1.0, idle), (None, busy)]
    assert estimate_error(estimates, 0.9) == pytest.approx(0.5)  # of 0, 0.5 and 1
    assert estimate_error([(9e6, idle)], 0.9) is None
