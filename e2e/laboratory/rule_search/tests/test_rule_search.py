"""The search's links, what it raises, that it goes uphill, and that its command plays films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from e2e.laboratory.films.messages import PlayedFilm, Qoe, Segment, Wait
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.films.tests.sample_film import write_sample_film
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.rule_search import command, links
from e2e.laboratory.rule_search.judge import Candidate, FilmWorth, Judge, film_worth, mean_worth
from e2e.laboratory.rule_search.search import CANDIDATES, DEVIATIONS, constants_at, rounded, search

CHOSEN = dict.fromkeys(DEVIATIONS, 1.0)
RUNGS = (300_000.0, 1_500_000.0, 5_000_000.0)


def played(rates_bits_per_s: Sequence[int], *, stalled_s: float = 0.0, qoe: float = 1.0) -> FilmResult:
    segments = [Segment(index, rate, 1, 0.0, 1.0) for index, rate in enumerate(rates_bits_per_s)]
    waits = [Wait(0.0, 1000 * stalled_s)] if stalled_s else []
    return FilmResult(PlayedFilm(None, 100.0, 4.0, True, waits, Qoe(qoe, qoe), segments, []), 0.1)


def test_generated_links_are_the_same_for_a_seed_and_others_for_another() -> None:
    def contents(seed: int) -> list[str]:
        return [link.downlink_sha256 for link in links.generated_links(seed=seed)]

    first = contents(3)
    assert contents(3) == first
    assert not set(first) & set(contents(4))


def test_the_slow_link_delivers_three_times_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    for others in ("RECORDED", "CONSTANT", "MEANS_MBIT_PER_S"):
        monkeypatch.setattr(links, others, ())
    [slow] = links.training_links(seed=1)
    assert slow.name == links.SLOW[0]
    assert slow.downlink_ms[0] == slow.downlink_ms[2]
    assert len(slow.downlink_ms) % links.SLOW[1] == 0


def test_worth_is_qoe_over_what_the_link_could_carry_less_stalls() -> None:
    link = load_link(replace(links.link_choice("12mbit"), queue_packets=100))
    film = film_worth(played([1_500_000, 1_500_000], qoe=1.5), link, RUNGS)
    # The link carries more than the top rung: the scale is 5 Mbit/s. log(1.5/0.3) of log(5/0.3), half of it.
    assert film.worth == pytest.approx(1.5 / 5 + 0.5 * 1.6094 / 2.8134, rel=1e-3)
    stalled = film_worth(played([1_500_000, 1_500_000], stalled_s=2.0, qoe=1.5), link, RUNGS)
    assert stalled.worth == pytest.approx(film.worth - 0.5 * 2.66 * 2 / 2 / 2.8134 - 0.05 * 2, rel=1e-3)
    assert mean_worth([film, stalled]).stalled_s == 1.0


def test_the_origin_is_what_is_chosen_and_a_step_is_a_factor() -> None:
    assert constants_at([0.0] * len(DEVIATIONS), CHOSEN) == CHOSEN
    moved = constants_at([1.0, *[0.0] * (len(DEVIATIONS) - 1)], CHOSEN)
    assert rounded(moved) == CHOSEN | {"relaxationSeconds": 2.72}


def test_the_search_goes_uphill() -> None:
    class Hill:
        """Worth more, the larger the weight of stalls."""

        def judge(self, candidates: Sequence[Candidate], seeds: Sequence[int]) -> list[FilmWorth]:
            assert len(candidates) == CANDIDATES
            assert len(seeds) == 1
            return [FilmWorth(candidate.constants["stallWeight"], 0.0, 0.0, 0.0) for candidate in candidates]

    told: list[int] = []

    def tell(generation: int, _films: FilmWorth, _middle: Mapping[str, float]) -> None:
        told.append(generation)

    found = search(cast(Judge, Hill()), CHOSEN, generations=8, seed=1, tell=tell)
    assert found["stallWeight"] > 1.5
    assert told == list(range(1, 9))


def test_the_command_searches_and_compares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(links, "training_links", lambda *, seed: [load_link(links.link_choice("4mbit"))])
    monkeypatch.setattr("e2e.laboratory.rule_search.search.CANDIDATES", 4)
    # Films play in this process and by one player, rather than with a pool and a player of its own for each round.
    monkeypatch.setattr("e2e.laboratory.films.make.make_processes", ThreadPoolExecutor)
    assert (
        command.main(["--generations", "1", "--starts", "1", "--jobs", "1", "--film", str(write_sample_film(tmp_path))])
        == 0
    )
    first, *_, found, chosen, mpc, bba = capsys.readouterr().out.splitlines()
    assert first.startswith("generation 1")
    assert [line.split()[0] for line in (found, chosen, mpc, bba)] == ["found", "NuwaRule", "RobustMPC", "BBA"]


def test_a_film_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.mpd").write_text("<MPD/>")
    assert command.main(["--generations", "0", "--film", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err
