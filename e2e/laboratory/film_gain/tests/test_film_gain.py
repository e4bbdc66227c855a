"""Figures worked by hand, of films that nobody played; what the command refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from cc.links.catalogue import trace_directories
from cc.links.recorded import recorded_traces
from e2e.laboratory.figures.figure import Figure
from e2e.laboratory.film_gain.arms import USUAL, film_arms, rivals, with_our_rule
from e2e.laboratory.film_gain.command import main, make_parser
from e2e.laboratory.film_gain.figures import best_of, figures_of, table_of, title
from e2e.laboratory.film_gain.report import picture
from e2e.laboratory.films.comparison import Arm, FilmsOfArms, Seen
from e2e.laboratory.films.expand import links_of
from e2e.laboratory.films.judgement import Judgement
from e2e.laboratory.front.kuafu_constants import TRAINING_LINKS
from e2e.laboratory.matrix.link_names import links_by_name
from e2e.laboratory.matrix.links import families_of
from e2e.laboratory.rule_search.links import RECORDED, SLOW
from e2e.laboratory.unseen_links import UNSEEN_LINKS

FAMILIES = {"slow": "lte-like", "fast": "wifi-like", "faster": "wifi-like"}
PART = 2000
"""Gaps: nobody records so many of them alike twice."""
BEST = ("cubic", "robust-mpc", "dashjs")


def seen(qoe: float, *, stalled_s: float = 0.0, p95_s: float = 0.1) -> Seen:
    return Seen(
        qoe_per_segment=qoe,
        qoe_log_per_segment=qoe / 2,
        stalled_s=stalled_s,
        stalled_ratio=stalled_s / 100,
        p95_queueing_delay_s=p95_s,
        best_qoe_per_segment=5.0,
    )


def over_links(slow: Seen, fast: Seen, faster: Seen) -> dict[tuple[str, str, int, int], Seen]:
    films = {"slow": slow, "fast": fast, "faster": faster}
    return {(link, "film", seed, 1): film for link, film in films.items() for seed in (1, 2)}


@pytest.fixture
def films() -> FilmsOfArms:
    arms: list[Arm] = [(arm.scheme[0], arm.rule, arm.estimator) for arm in film_arms()]
    all_alike = {arm: over_links(*[seen(1.0, stalled_s=1.0, p95_s=1.0)] * 3) for arm in arms}
    return {
        **all_alike,
        with_our_rule("kuafu"): over_links(seen(1.0), seen(3.0), seen(4.0)),
        BEST: over_links(*[seen(2.0, stalled_s=2.0, p95_s=1.0)] * 3),
    }


def by_name(figures: list[Figure]) -> Mapping[str, Figure]:
    return {figure.what: figure for figure in figures}


def test_every_arm_is_played_once() -> None:
    arms = film_arms()
    assert len(arms) == len({(arm.scheme, arm.rule, arm.estimator) for arm in arms})
    assert len(arms) == 4 + 2 + 2 * 4 + 3 * 7 + 3 * 2 - 2


def test_the_rival_is_the_best_of_the_others_and_the_gain_is_of_pairs(films: FilmsOfArms) -> None:
    assert best_of({arm: films[arm] for arm in rivals()}, lambda film: film.qoe_per_segment) == BEST
    figures = by_name(figures_of(films, FAMILIES))
    gain = figures[f"Kuafu: QoE_lin a segment, more than {title(BEST)}"]
    assert gain.value == pytest.approx((-1 + 1 + 2) / 3)
    assert gain.interval is not None
    assert (gain.interval.samples, gain.interval.groups) == (6, 3)
    assert gain.is_reached is False
    assert figures[f"Kuafu: QoE_lin, more than {title(BEST)}"].value == pytest.approx(100 * (8 / 6 - 1))
    assert figures[
        f"Kuafu: QoE_lin, more than {title(USUAL)} (dash.js's own rule, without fast switching)"
    ].value == pytest.approx(100 * (8 / 3 - 1))


def test_the_most_that_can_be_won_over_the_rival_is_told(films: FilmsOfArms) -> None:
    what = f"the best film that each link allowed: QoE_lin, more than {title(BEST)}"
    figure = by_name(figures_of(films, FAMILIES))[what]
    assert figure.value == pytest.approx(100 * (5 / 2 - 1))
    assert figure.reach is None
    unknown = {
        arm: {meeting: replace(one, best_qoe_per_segment=None) for meeting, one in met.items()}
        for arm, met in films.items()
    }
    assert what not in by_name(figures_of(unknown, FAMILIES))


def test_vmaf_is_compared_with_the_rival_that_has_most_of_it_where_all_films_were_measured(films: FilmsOfArms) -> None:
    looks_best = ("bbr", "bola", "dashjs")
    vmaf = {with_our_rule("kuafu"): 91.0, looks_best: 90.0}
    measured = {
        arm: {meeting: replace(one, judgement=Judgement(vmaf_mean=vmaf.get(arm, 80.0))) for meeting, one in met.items()}
        for arm, met in films.items()
    }
    figures = by_name(figures_of(measured, FAMILIES))
    assert figures[f"Kuafu: VMAF a segment, more than {title(looks_best)}"].is_reached is True
    assert figures[f"Nuwa: VMAF a segment, more than {title(looks_best)}"].value == pytest.approx(-10)
    measured[looks_best] = films[looks_best]
    assert not any("VMAF" in what for what in by_name(figures_of(measured, FAMILIES)))


def test_the_family_in_which_least_is_won_is_named(films: FilmsOfArms) -> None:
    figure = by_name(figures_of(films, FAMILIES))[
        f"Kuafu: QoE_lin, more than {title(BEST)} where least is won, lte-like"
    ]
    assert figure.value == pytest.approx(-50)
    assert figure.is_reached is False


def test_links_of_one_trace_have_its_family(films: FilmsOfArms) -> None:
    options = make_parser("x").parse_args(["--links", "5mbit:queue=100,5mbit:queue=1000,lte-like/5mbit/7"])
    families = families_of(links_by_name(links_of(options)))
    assert families == {"5mbit:queue=100": "rate", "5mbit:queue=1000": "rate", "lte-like/5mbit/7": "lte-like"}
    renamed = dict(zip(FAMILIES, families, strict=True))
    named: FilmsOfArms = {
        arm: {(renamed[link], film, seed, player): seen for (link, film, seed, player), seen in of_arm.items()}
        for arm, of_arm in films.items()
    }
    assert len(figures_of(named, families)) == len(figures_of(films, FAMILIES))


def test_stalls_are_held_against_half_of_the_rivals_and_against_the_least(films: FilmsOfArms) -> None:
    figures = by_name(figures_of(films, FAMILIES))
    share = figures[f"Nuwa: time stalled / that of {title(BEST)}"]
    assert share.value == pytest.approx(0.5)
    assert share.interval is not None
    assert share.is_reached is True
    assert figures[f"Kuafu: time stalled / that of {title(BEST)}"].value == 0
    (more,) = [figure for what, figure in figures.items() if what.startswith("Kuafu: time stalled, more")]
    assert more.value == pytest.approx(-1.0)
    assert more.unit == "percentage points"


def test_half_of_a_rivals_stalls_is_missed_by_any_where_it_never_stalls(films: FilmsOfArms) -> None:
    calm = films | {BEST: over_links(*[seen(2.0, p95_s=1.0)] * 3)}
    figures = by_name(figures_of(calm, FAMILIES))
    shares = [figures[f"{who}: time stalled / that of {title(BEST)}"] for who in ("Kuafu", "Nuwa")]
    assert [share.value for share in shares] == [0, None]  # of 0 s and of 1 s
    assert [share.is_reached for share in shares] == [True, False]


def test_settings_of_one_trace_are_no_samples(films: FilmsOfArms) -> None:
    named = {"slow": "steps:queue=50", "fast": "steps:queue=300", "faster": "8mbit"}
    of_two: FilmsOfArms = {
        arm: {(named[link], film, seed, player): seen for (link, film, seed, player), seen in of_arm.items()}
        for arm, of_arm in films.items()
    }
    families = {named[link]: family for link, family in FAMILIES.items()}
    intervals = [figure.interval for figure in figures_of(of_two, families) if figure.interval is not None]
    assert {(interval.samples, interval.groups) for interval in intervals} == {(6, 2)}


def test_figures_of_a_single_link_can_be_kept(films: FilmsOfArms) -> None:
    of_one: FilmsOfArms = {
        arm: {meeting: seen for meeting, seen in met.items() if meeting[0] == "slow"} for arm, met in films.items()
    }
    found = figures_of(of_one, {"slow": FAMILIES["slow"]})
    assert json.dumps([asdict(figure) for figure in found], allow_nan=False)


def test_only_the_scheme_and_only_the_estimate_are_exchanged(films: FilmsOfArms) -> None:
    figures = by_name(figures_of(films, FAMILIES))
    queue = figures["Kuafu for CUBIC, NuwaRule and the receiver's estimate the same: p95 queueing delay / CUBIC's"]
    assert queue.value == pytest.approx(0.1)
    assert queue.is_reached is True
    estimate = figures["the receiver's estimate for dash.js's, Nuwa, bola: QoE_lin a segment"]
    assert estimate.value == 0
    assert estimate.is_reached is False
    own = figures["the receiver's estimate for dash.js's, Kuafu, NuwaRule: QoE_lin a segment"]
    assert own.value == pytest.approx(8 / 3 - 1)
    shared = figures["Kuafu for CUBIC, robust-mpc and dash.js's estimate the same: QoE_lin a segment"]
    assert shared.value == pytest.approx(1 - 2)
    rule = figures["NuwaRule for robust-mpc, Kuafu and dash.js's estimate the same: QoE_lin a segment"]
    assert rule.value == 0


def test_the_table_and_the_picture_name_ours_and_rivals(films: FilmsOfArms) -> None:
    rows = {row[0]: row[1:] for row in table_of(films).rows}
    assert rows["Kuafu, nuwa, the receiver's"] == ("2.67", "0.533", "1.33", "0.00", "100")
    assert title(BEST) in rows
    assert "CUBIC, robust-mpc" in str(picture(films))


@pytest.mark.parametrize("rival", rivals(), ids=title)
def test_whoever_is_the_best_rival_has_figures_and_a_row(films: FilmsOfArms, rival: Arm) -> None:
    others = {**films, rival: over_links(*[seen(2.5)] * 3)}
    assert title(rival) in {row[0] for row in table_of(others).rows}
    assert f"Kuafu: QoE_lin, more than {title(rival)}" in by_name(figures_of(others, FAMILIES))


def test_a_link_that_is_not_there_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "films"
    assert main(["--links", "nowhere", "--film", str(tmp_path), "--output", str(output)]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert not output.exists()


def test_no_link_is_one_that_constants_were_chosen_on_or_a_part_of_one() -> None:
    recorded = recorded_traces(trace_directories({}), is_taken=lambda _name: False).files
    chosen_on = {*TRAINING_LINKS.split(","), *RECORDED, SLOW[0]}
    judged_on = set(UNSEEN_LINKS)
    assert not judged_on & chosen_on
    whole = {name: gaps_of(recorded[name]) for name in chosen_on & recorded.keys()}
    for name in judged_on & recorded.keys():
        beginning = gaps_of(recorded[name])[:PART]
        assert [other for other, gaps in whole.items() if beginning in gaps] == [], name


def gaps_of(file: Path) -> bytes:
    """Milliseconds between the opportunities of mahimahi's own trace, one a byte."""
    times_ms = np.fromfile(file, dtype=np.int64, sep="\n")
    return np.minimum(np.diff(times_ms), 255).astype(np.uint8).tobytes()
