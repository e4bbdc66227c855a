"""The page of films that nobody played: what it says and how it pairs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_struct

from cc.links.link import OVERHEAD_BYTES
from e2e.laboratory.bundle import Machine, UsedTrace, Versions
from e2e.laboratory.films.bundle import FilmsBundle
from e2e.laboratory.films.charts import QUALITY, spread
from e2e.laboratory.films.comparison import Seen, exchanges, films_of_arms, interval_over
from e2e.laboratory.films.messages import Seek, Segment
from e2e.laboratory.films.page import write_page
from e2e.laboratory.films.rows import PlayedCell, films_frame, seconds_frame
from e2e.laboratory.films.seen import Second
from e2e.laboratory.films.tests.test_films import plan_of
from e2e.laboratory.films.tests.test_summaries import film_of
from e2e.laboratory.report.chart import SERIES

LINKS = ("8mbit", "steps")
FAMILIES = {"8mbit": "rate", "12mbit": "rate", "steps": "steps"}


def bundle_of(*failures: str) -> FilmsBundle:
    return FilmsBundle(
        command="nuwa bench films",
        written_at="2026-11-21T12:00:00+00:00",
        versions=Versions("0123456789abcdef", True, "3.11", {"dash.js": "5.0.3"}, None, "Linux 6"),
        sources={},
        policies={},
        request={},
        seeds=(1, 2),
        machine=Machine("a processor", 2, 2**33),
        links=(UsedTrace("8mbit", "f00d", "f00d", 1000),),
        films={"demo": "beef"},
        finished=4,
        failures=failures,
        tables={"films.parquet": {}},
    )


def cells_of(
    rule: str, qoe: dict[int, float | None], *, stalled_ms: float = 0.0, links: tuple[str, ...] = LINKS
) -> list[PlayedCell]:
    """A film a seed over some links; over the second each is 1 better."""
    seconds = tuple(Second(at_s, at_s, 8.0, 8e6, 4e6, 7e6, None) for at_s in (1.0, 2.0))
    cells = []
    for more, link in enumerate(links):
        plan = plan_of(Path("film"), rule=rule, link=link)
        for seed, value in qoe.items():
            result = film_of(None if value is None else value + more, stalled_ms=stalled_ms)
            cells.append(PlayedCell(replace(plan, seed=seed), 1, replace(result, seconds=seconds), 500_000.0))
    return cells


def test_arms_are_paired_by_link_and_seed_where_one_choice_differs() -> None:
    films = films_of_arms([*cells_of("bba", {1: 1.0, 2: 2.0}), *cells_of("nuwa", {1: 2.0, 2: 5.0}, stalled_ms=500)])
    (found,) = exchanges(films)
    assert (found.axis, found.arm[1], found.instead_of[1], found.pairs) == ("rule", "nuwa", "bba", 4)
    assert found.qoe_per_segment.value == pytest.approx(2.0)  # 1, 3, 1, 3
    assert found.qoe_per_segment.groups == 2
    assert found.stalled_s.value == pytest.approx(0.5)


def test_a_second_has_the_bitrate_of_the_segment_that_is_shown() -> None:
    [cell] = cells_of("bba", {1: 1.0})[:1]
    shown = [replace_struct(cell.result.played.segments[0], index=at, bits_per_second=at * 10) for at in range(3)]
    played = replace_struct(cell.result.played, has_ended=False, position_seconds=5.9, segments=shown)
    seconds = tuple(Second(at_s, at_s, 8.0, 8e6, 4e6, 7e6, None) for at_s in (1.9, 2.0, 5.9, 6.0, 9.0))
    result = replace(cell.result, played=played, seconds=seconds)
    rows = seconds_frame([replace(cell, result=result, segment_ends_s=(2.0, 4.0, 6.0, 8.0))])
    assert rows["bitrate_bits_per_s"].to_list() == [0, 10, 20, None, None]


def test_a_second_after_a_seek_has_the_bitrate_that_was_shown_then_and_none_while_it_waits() -> None:
    # Two segments of 2 s, seen at 10 and 20 bits a second; back at 3 s, half a second without a picture, then at 30.
    [cell] = cells_of("bba", {1: 1.0}, links=("8mbit",))
    shown = [(0, 10, 0), (1, 20, 0), (0, 30, 1), (1, 20, 1)]
    segments = [Segment(index, rate, 1, 0.0, 0.0, seeks_before) for index, rate, seeks_before in shown]
    seeks = [Seek(3000.0, 500.0, True, 3.0, 0.5)]
    played = replace_struct(cell.result.played, position_seconds=4.0, waits=[], segments=segments, seeks=seeks)
    places = {1.0: 1.0, 2.9: 2.9, 3.2: 0.5, 3.5: 0.5, 4.5: 1.5, 5.5: 2.5}
    seconds = tuple(Second(at_s, place_s, 8.0, 8e6, 4e6, 7e6, None) for at_s, place_s in places.items())
    cell = replace(cell, result=replace(cell.result, played=played, seconds=seconds), segment_ends_s=(2.0, 4.0))
    assert seconds_frame([cell])["bitrate_bits_per_s"].to_list() == [10, 20, None, 30, 30, 20]
    [row] = films_frame([cell]).to_dicts()
    assert (row["seeks"], row["seek_s"], row["played_s"], row["segments"]) == (1, 0.5, 6.5, 4)


def test_the_page_says_how_long_seeks_took_where_there_are_any(tmp_path: Path) -> None:
    cells = cells_of("bba", {1: 1.0})
    pages = []
    for seeks in ([], [Seek(500.0, 250.0, True, 0.5, 1.0)]):
        sought = [
            replace(cell, result=replace(cell.result, played=replace_struct(cell.result.played, seeks=seeks)))
            for cell in cells
        ]
        write_page(tmp_path / "report.html", sought, bundle_of(), families=FAMILIES)
        pages.append((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "seek" not in pages[0]
    assert ">seek, s<" in pages[1]
    assert "<td>0.25</td>" in pages[1]
    assert "A seek lasts from" in pages[1]


def test_the_interval_is_over_links() -> None:
    gains = {"a": (1.0, 3.0), "b": (3.0, 5.0), "c": (5.0, 7.0)}  # means 2, 4 and 6
    values = {(link, "film", seed, 1): gain for link, its in gains.items() for seed, gain in enumerate(its, 1)}
    interval = interval_over(values)
    assert interval is not None
    assert (interval.value, interval.samples, interval.groups) == (4, 6, 3)
    assert (interval.low, interval.high) == pytest.approx((-0.968, 8.968), abs=1e-3)
    of_two = interval_over({key: value for key, value in values.items() if key[0] != "c"})
    assert of_two is not None
    assert (of_two.value, of_two.samples, of_two.groups) == (3, 4, 2)


def test_links_of_one_trace_are_one_sample() -> None:
    links = ("a:queue=50", "a:queue=300", "b", "c")
    interval = interval_over(
        {(link, "film", 1, 1): gain for link, gain in zip(links, (1.0, 3.0, 5.0, 8.0), strict=True)}
    )
    assert interval is not None
    assert (interval.value, interval.samples, interval.groups) == (5, 4, 3)  # 2, 5 and 8


def test_a_browsers_films_over_a_trace_are_no_sample_of_their_own() -> None:
    links = ("a", "a (browser)", "a:queue=50 (browser-mahimahi)", "b (browser)", "c (2)", "c (3)")
    interval = interval_over({(link, "film", 1, 1): 1.0 for link in links})
    assert interval is not None
    assert (interval.samples, interval.groups) == (6, 4)  # a, b and two files


def test_films_that_never_began_make_no_pair_and_two_pairs_no_interval() -> None:
    films = films_of_arms([*cells_of("bba", {1: 1.0, 2: None}), *cells_of("nuwa", {1: 2.0, 2: 5.0})])
    assert list(exchanges(films)) == []


def test_the_page_has_all_parts_and_needs_nothing_from_anywhere(tmp_path: Path) -> None:
    cells = [*cells_of("bba", {1: 1.0, 2: 2.0}), *cells_of("nuwa", {1: 2.0, 2: 5.0}, stalled_ms=500)]
    write_page(tmp_path / "report.html", cells, bundle_of(), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for part in ("All links", "Quality against stalls", "Link by link", "One choice exchanged", "One film over time"):
        assert f">{part}<" in page
    assert page.count("<svg") == 4
    assert ">+2.00<" in page  # of two links without an interval
    assert 'src="http' not in page


def test_each_arm_has_a_line_of_its_own_however_many_there_are_and_of_how_few_films() -> None:
    met = {("8mbit", "film", 1, 1): Seen(1.0, 0.5, 0.0, 0.0, None)}
    arms = {("nuwa", f"rule {number}", "receiver"): met for number in range(SERIES + 1)}
    lines = re.findall(r'<path[^>]* d="([^"]+)"[^>]* stroke="var\(--series-1\)"[^>]*>', spread(arms, QUALITY))
    assert len(lines) == 2


def test_the_page_says_what_downloads_beside_films_got(tmp_path: Path) -> None:
    alone = cells_of("bba", {1: 1.0})
    cells = [replace(cell, result=replace(cell.result, beside_bits_per_s=(2e6, 4e6))) for cell in alone]
    write_page(tmp_path / "report.html", cells, bundle_of(), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert ">beside, Mbit/s<" in page
    assert ">3.00<" in page
    write_page(tmp_path / "report.html", alone, bundle_of(), families=FAMILIES)
    assert "beside, Mbit/s" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_page_says_who_won_how_many_links_and_how_each_family_went(tmp_path: Path) -> None:
    links = ("8mbit", "12mbit", "steps")
    won = [cells_of("nuwa", {1: qoe}, links=(link,)) for qoe, link in zip((4.0, 2.0, 4.0), links, strict=True)]
    cells = [*cells_of("bba", {1: 1.0}, links=links), *(cell for its in won for cell in its)]  # bba: 1, 2, 3
    write_page(tmp_path / "report.html", cells, bundle_of(), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.findall(r">(\d of 3)<", page) == ["1 of 3", "3 of 3"]  # both have 12mbit
    by_family = page[page.index(">Family by family<") : page.index(">Link by link<")]
    assert re.findall(r">(rate|steps|\d\.\d\d) ?[(<]", by_family) == ["rate", "1.50", "3.00", "steps", "3.00", "4.00"]


def test_a_link_is_won_in_the_films_that_all_arms_have(tmp_path: Path) -> None:
    cells = [*cells_of("nuwa", {1: 2.0}, links=("8mbit",)), *cells_of("bba", {1: 3.0, 2: 0.5}, links=("8mbit",))]
    write_page(tmp_path / "report.html", cells, bundle_of(), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.findall(r">(\d of 1)<", page) == ["0 of 1", "1 of 1"]


def test_the_page_says_how_far_both_estimates_were_off(tmp_path: Path) -> None:
    payload = 1350 / (1350 + OVERHEAD_BYTES)
    busy = Second(1.0, 1.0, 8.0, 8e6, 8e6, 8e6 * payload, 10e6 * payload)
    seconds = (*[busy] * 9, *[replace(busy, receiver_bits_per_s=12e6 * payload)] * 2)
    shown = [
        replace(cell, result=replace(cell.result, seconds=seconds, receiver_error_ratio=0.01, dashjs_error_ratio=0.25))
        for cell in cells_of("bba", {1: 1.0}, links=("steps",))
    ]
    row = films_frame(shown).to_dicts()[0]
    assert (row["receiver_error_p90_ratio"], row["dashjs_error_p90_ratio"]) == pytest.approx((0.5, 0.25))
    known = [replace(cell, plan=replace(cell.plan, estimator="truth")) for cell in shown]
    assert films_frame(known)["receiver_error_p90_ratio"].to_list() == [None]
    shown += [replace(cell, result=replace(cell.result, dashjs_error_ratio=0.6)) for cell in known]
    write_page(tmp_path / "report.html", shown, bundle_of(), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    cells = ("nuwa", "1.0 %", "50.0 %", "25.0 %", "25.0 %")
    assert ">steps</th>" + "".join(f"<td>{cell}</td>" for cell in cells) in page


def test_a_browsers_films_have_their_links_row(tmp_path: Path) -> None:
    cells = [replace(cell, plan=replace(cell.plan, place="browser")) for cell in cells_of("bba", {1: 1.25})]
    write_page(tmp_path / "report.html", cells, bundle_of(), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    by_link = page[page.index(">Link by link<") :]
    assert re.search(r">8mbit \(browser\)</th><td>1\.25 \(0\.0 s\)", by_link)


def test_a_page_says_what_made_it(tmp_path: Path) -> None:
    write_page(tmp_path / "report.html", cells_of("bba", {1: 1.0}), bundle_of(), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "2026-11-21, commit 0123456789ab with local changes." in page
    for said in ("dash.js 5.0.3", "2 cores, a processor, 8 GiB", "1 to 2", "SHA-256 beef", "SHA-256 f00d"):
        assert said in page


def test_no_interval_says_what_no_film_can_do(tmp_path: Path) -> None:
    stalled = cells_of("bba", {1: 1.0, 2: 1.0}, stalled_ms=500, links=("12mbit",))
    cells = [*cells_of("bba", {1: 1.0, 2: 1.0}), *stalled]
    write_page(tmp_path / "report.html", cells, bundle_of(), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "0.17 [0.00, 0.88]" in page  # of 0, 0 and 0.5 s: a half-width of 0.717


def test_a_matrix_of_which_nothing_began_has_a_page_too(tmp_path: Path) -> None:
    write_page(tmp_path / "report.html", cells_of("bba", {1: None}), bundle_of("a film"), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "2 films; 1 failure" in page
    assert "<svg" not in page


def test_the_page_names_the_films_that_failed(tmp_path: Path) -> None:
    cells = cells_of("bba", {1: 1.0})
    write_page(tmp_path / "report.html", cells, bundle_of("kuafu over <steps>, seed 1: it ended"), families=FAMILIES)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<li>kuafu over &lt;steps&gt;, seed 1: it ended</li>" in page
    write_page(tmp_path / "report.html", cells, bundle_of(), families=FAMILIES)
    assert "Failed films" not in (tmp_path / "report.html").read_text(encoding="utf-8")
