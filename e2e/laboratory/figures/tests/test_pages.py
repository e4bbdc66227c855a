"""Figures in pages: markers, what is kept, and that the repository's pages agree with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.laboratory.figures.command import main, pages
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.figures.measured import FOLDER, Measured, MeasuredError, all_measured
from e2e.laboratory.figures.pages import PageError, filled, with_figures

LTE = Measured(
    command="npm run bench -- lte",
    commit="fee32628ecca",
    measured_at="2026-11-24T08:00:00Z",
    machine="2 cores",
    figures=(Figure("goodput, Nuwa / CUBIC", 0.972, reach=Reach("at least", 0.95)), Figure("p95", 262.0, "ms")),
    tables=("| a |\n| - |\n",),
)
KEPT = {LTE.command: LTE}


def page(*lines: str) -> str:
    return "\n".join(["# Page", *lines, "The end.", ""])


def test_pages_hold_what_was_measured() -> None:
    kept = all_measured()
    for each in pages(ROOT):
        text = each.read_text(encoding="utf-8")
        assert with_figures(text, kept) == text, f"{each}: run npm run bench -- pages"


def test_a_table_stands_between_its_markers() -> None:
    marker = "<!-- figures: npm run bench -- lte -->"
    once = with_figures(page(marker, "old", "<!-- end -->"), KEPT)
    assert once.splitlines()[1:7] == [
        marker,
        "| figure                | measured | to reach |",
        "| --------------------- | -------- | -------- |",
        "| goodput, Nuwa / CUBIC | 0.972    | >= 0.95  |",
        "| p95                   | 262 ms   |          |",
        "",
    ]
    assert once.splitlines()[7:9] == ["`npm run bench -- lte`, 2026-11-24, commit fee3262, 2 cores.", "<!-- end -->"]
    assert once.endswith("The end.\n")
    assert with_figures(once, KEPT) == once


def test_a_figure_of_changed_sources_says_so() -> None:
    changed = {LTE.command: replace(LTE, has_local_changes=True)}
    text = with_figures(page("<!-- figures: npm run bench -- lte -->", "<!-- end -->"), changed)
    assert "commit fee3262 with local changes, 2 cores." in text


def test_rows_are_chosen_by_their_names() -> None:
    text = with_figures(page("<!-- figures: npm run bench -- lte | p95 | goodput* -->", "<!-- end -->"), KEPT)
    assert text.index("| p95") < text.index("| goodput")


def test_a_number_stands_in_a_sentence() -> None:
    goodput, p95 = (f"<!-- figure: {LTE.command} | {pattern} -->" for pattern in ("good*", "p95"))
    sentence = f"Nuwa has {goodput}{{}}<!-- end --> of it, and waits {p95}{{}}<!-- end -->."
    assert with_figures(sentence.format("1", "2"), KEPT) == sentence.format("0.972", "262 ms")


def test_tables_are_those_of_the_command() -> None:
    text = with_figures(page("<!-- tables: npm run bench -- lte -->", "<!-- end -->"), KEPT)
    assert "\n| a |\n| - |\n\n`npm run bench -- lte`, 2026-11-24" in text
    two = {LTE.command: replace(LTE, tables=("Rates:\n\n| a |\n", "Delays:\n\n| b |\n"))}
    chosen = with_figures(page("<!-- tables: npm run bench -- lte | Del* -->", "<!-- end -->"), two)
    assert "Delays:\n\n| b |\n" in chosen
    assert "Rates" not in chosen


@pytest.mark.parametrize("line", ["    <!-- figures: an example -->", "`<!-- figure: an example -->`"])
def test_examples_are_no_markers(line: str) -> None:
    assert with_figures(page(line), KEPT) == page(line)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["<!-- figures: npm run bench -- lte -->"], "has no <!-- end -->"),
        (["<!-- figures: npm run bench -- lte -->", "<!-- tables: x -->", "<!-- end -->"], "lte --> has no <!-- end"),
        (
            ["<!-- figures: npm run bench -- qoe -->", "<!-- end -->"],
            "nobody has measured 'npm run bench -- qoe'",
        ),
        (["<!-- figures: npm run bench -- lte | p96 -->", "<!-- end -->"], "nothing is called 'p96'"),
        (["<!-- figure: npm run bench -- lte -->", "<!-- end -->"], "2 figures; a sentence has room for one"),
    ],
)
def test_a_marker_that_cannot_be_filled_is_named(lines: Sequence[str], complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text(page(*lines), encoding="utf-8")
    with pytest.raises(PageError, match=rf"README.md: .*{complaint}"):
        filled(file, KEPT)


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    assert LTE.keep(tmp_path).name == "npm-run-bench-lte.json"
    assert all_measured(tmp_path) == KEPT
    changed = replace(LTE, has_local_changes=True)
    assert Measured.read(changed.keep(tmp_path)) == changed


@pytest.mark.parametrize("words", ["--links a/b", f"--schemes {'nuwa,' * 100}"])
def test_commands_that_differ_little_are_kept_apart(words: str, tmp_path: Path) -> None:
    commands = [f"npm run bench -- front {words} {last}" for last in ("a b", "a-b")]
    measured = [replace(LTE, command=command) for command in commands]
    for each in (*measured, *measured):
        each.keep(tmp_path)
    assert all_measured(tmp_path) == dict(zip(commands, measured, strict=True))
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("text", ["", "[]", '{"command": "x"}'])
def test_a_file_without_figures_is_named(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(MeasuredError, match="holds no figures"):
        Measured.read(file)
    assert main([str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_no_page_shows_is_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = replace(LTE, command="npm run bench -- lte --small").keep(tmp_path)
    before = set(FOLDER.iterdir())
    assert main([str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("no page has figures of 'npm run bench -- lte --small': write <!-- ")
    assert set(FOLDER.iterdir()) == before


def test_outside_a_clone_there_are_no_pages(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="is no clone of nuwa-stream"):
        pages(tmp_path)
