"""The page of studies, of what is made up."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.episode_runs import Settings
from e2e.laboratory.learned.groups import Difference, Group, Row
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies import k_front, known_network, rewards
from e2e.laboratory.studies.findings import Findings, not_shipped
from e2e.laboratory.studies.page import page
from e2e.laboratory.studies.reports import Measurement, Studied
from models.evaluation.resampling import Interval


def row(name: str, mbit_per_s: float, p95_ms: float, *, is_policy: bool = False) -> Row:
    return Row(name, is_policy, 120, 0.5, 0.9, mbit_per_s * 1e6, 0.02, p95_ms / 1000, 0.06, 0.01, None)


def interval(value: float, half: float) -> Interval:
    return Interval(value, value - half, value + half, samples=5, groups=5)


def of_few_traces(value: float, half: float) -> Interval:
    return replace(interval(value, half), is_resampled=True)


FIXED = (row("Nuwa, k = 1", 4, 10), row("Nuwa, k = 2", 5, 40), row("Nuwa, k = 9", 8, 30))
ARMS = (row("Nuwa-RL", 6, 20, is_policy=True), *FIXED)
REWARDS = Findings(
    (
        Figure.of_interval(
            "less Nuwa, k = 1's <&>", interval(0.02, 0.01), reach=Reach("above", 0.0), has_to_be_sure=True
        ),
        *not_shipped("Owl", "reward").figures,
    ),
    (
        Group(
            "Nuwa-RL",
            ARMS,
            (
                Difference("Nuwa-RL", "Nuwa, k = 1", interval(0.02, 0.01), is_to_be_beaten=True),
                Difference("Nuwa-RL", "Nuwa, k = 9", of_few_traces(0.04, 0.05), is_to_be_beaten=False),
            ),
            reward="throughput < delay",
        ),
        *not_shipped("Owl", "reward").groups,
    ),
)
FRONT = Findings(
    (Figure("above the front", -2.0, "%", reach=Reach("at least", 0.0)),),
    (Group("4G", ARMS, front=("Nuwa, k = 1", "Nuwa, k = 9")),),
)


def knows(ratio: float, mbit_per_s: float) -> Group:
    rows = (row("Owl", mbit_per_s, 20, is_policy=True), row("cubic", 5, 30))
    differences = (Difference("Owl", "cubic", interval(0, 1), is_to_be_beaten=False),)
    return Group(f"Owl, {100 * ratio:g} % known", rows, differences, known_ratio=ratio)


KNOWN = Findings((Figure("throughput of Owl", 6.0),), (knows(0.0, 6), knows(0.5, 7)), (Table("Owl", ("", "0 %"), ()),))
MEASUREMENT = Measurement(
    "learned",
    "npm run bench -- learned",
    Settings(),
    [
        Studied("rewards", rewards.STUDY, 5, REWARDS),
        Studied("k-front", k_front.STUDY, 5, FRONT),
        Studied("known-network", known_network.STUDY, 5, KNOWN),
    ],
    "2026-11-21T12:00:00+00:00",
    "0123456789abcdef",
    "2 cores",
)


@pytest.fixture(scope="module")
def made() -> str:
    """Drawn once, and by the worker alone that runs these tests: it takes seconds."""
    return page(MEASUREMENT)


def test_the_page_needs_nothing_from_anywhere_and_escapes_what_it_was_told(made: str) -> None:
    assert re.findall(r"<(?:link|img|iframe|object)|<script src|@import|(?:src|href)=|url\((?!#)", made) == []
    assert "less Nuwa, k = 1&#39;s &lt;&amp;&gt;" in made
    assert "Reward: throughput &lt; delay." in made


def test_a_page_of_changed_sources_says_so(made: str) -> None:
    assert "local changes" not in made
    assert page(replace(MEASUREMENT, has_local_changes=True)).count("with local changes") == 2


def test_what_was_to_be_reached_is_counted_and_said_beside_each_figure(made: str) -> None:
    assert "1 of 2 figures reached" in made
    reached = r'<span class="reached">reached</span></td><td>0\.0200<small>95 %, n = 5: 0\.0100 to 0\.0300</small></td>'
    assert re.search(reached, made)
    assert re.search(r'above the front</th><td><span class="missed">missed</span></td><td>-2 %', made)
    assert re.search(r'throughput of Owl</th><td><span class=""></span></td><td>6</td><td></td>', made)


def test_policies_that_are_not_shipped_are_named(made: str) -> None:
    assert "Not shipped: Owl." in made


def test_pictures_say_what_they_show_and_take_the_pages_colours(made: str) -> None:
    assert re.findall(r'<svg[^>]*aria-label="([^"]+)"', made) == [
        "Nuwa-RL, reward less that of Nuwa, k = 1 0.02 (0.01 to 0.03); Nuwa, k = 9 0.04.",
        "4G: k = 1 4.00 Mbit/s at 10.0 ms; k = 2 5.00 Mbit/s at 40.0 ms; k = 9 8.00 Mbit/s at 30.0 ms; "
        "Nuwa-RL 6.00 Mbit/s at 20.0 ms.",
        "Owl, Throughput (Mbit/s): Owl 6.00 at 0 %; cubic 5.00 at 0 %; Owl 7.00 at 50 %; cubic 5.00 at 50 %.",
        "Owl, Round trip (ms): Owl 60.00 at 0 %; cubic 60.00 at 0 %; Owl 60.00 at 50 %; cubic 60.00 at 50 %.",
    ]
    drawn = "".join(re.findall(r"<svg.*?</svg>", made, re.S))
    colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawn))
    assert all(re.fullmatch(r"none|transparent|var\(--[a-z0-9-]+\)", colour) for colour in colours), colours
    assert ">k = 1</text>" in drawn
    assert ">Nuwa-RL</text>" in drawn


def test_a_study_without_figures_or_groups_has_a_page() -> None:
    alone = replace(MEASUREMENT, name="k-front", studied=[Studied("k-front", k_front.STUDY, 1, Findings(()))])
    assert "0 of 0 figures reached" in page(alone)
