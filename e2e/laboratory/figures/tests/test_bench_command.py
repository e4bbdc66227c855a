"""Commands as pages have them."""

from __future__ import annotations

from e2e.laboratory.figures.bench_command import bench_command


def test_where_files_go_is_no_part_of_it() -> None:
    command = bench_command("front", "--output", "a folder", "--starts", "2", "--figures=x")
    assert command == "npm run bench -- front --starts 2"


def test_words_stay_as_they_were_meant() -> None:
    assert bench_command("films", "--links", "a b") == "npm run bench -- films --links 'a b'"
