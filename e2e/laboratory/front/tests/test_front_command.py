"""The command: what it refuses, which links it knows, and one small front."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from e2e.laboratory.bundle import FailedRun
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.front import plans, runs
from e2e.laboratory.front.command import main, make_parser
from e2e.laboratory.front.plans import conditions_of, thinned_ms

SMALL = ("--schemes", "nuwa,cubic", "--seconds", "2", "--starts", "1", "--jobs", "1")


def test_faster_links_are_thinned_out_evenly() -> None:
    fast = tuple(range(1, 1001))  # 1504 bytes each ms: 12.032 Mbit/s
    assert thinned_ms(fast, 100.0) is fast
    thin = thinned_ms(fast, 6.016)
    assert thin == tuple(range(2, 1001, 2))


def test_a_link_that_is_thinned_out_says_so() -> None:
    options = make_parser("front").parse_args(["--links", "2mbit,12mbit", "--most", "3", *SMALL])
    conditions = conditions_of(options)
    assert [condition.link.name for condition in conditions] == ["2mbit", "12mbit at 3 Mbit/s"]
    assert [condition.runs[0].link.name for condition in conditions] == ["2mbit", "12mbit at 3 Mbit/s"]


def test_links_on_which_no_constant_was_chosen_have_a_name_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "UNSEEN_LINKS", ("2mbit", "lte-like/5mbit/904"))
    conditions = conditions_of(make_parser("front").parse_args(["--links", "unseen", *SMALL]))
    assert [condition.link.name for condition in conditions] == ["2mbit", "lte-like/5mbit/904"]


def test_two_files_of_one_name_are_refused_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, times_ms in (("a", "1\n4\n"), ("b", "2\n4\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "home.trace").write_text(times_ms)
    links = f"{tmp_path}/a/home.trace,{tmp_path}/b/home.trace"
    assert main([*SMALL, "--links", links, "--output", str(tmp_path / "out")]) == 2
    assert "would both be called home" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_segments_take_half_of_a_links_rate() -> None:
    options = make_parser("front").parse_args(["--links", "12mbit", "--application", "segments", *SMALL])
    (condition,) = conditions_of(options)
    source = condition.arms[0].flows[0].source
    assert source is not None
    assert source.on_bytes == pytest.approx(12e6 / 8 * 2 * 0.5, rel=1e-3)
    assert condition.references[0].arm.flows[0].source == source


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--links", "nowhere"), "nowhere"),
        (("--links", "lte-like/5/7"), "lte-like/5/7"),
        (("--schemes", "nobody"), "nobody"),
        (("--links", "12mbit,12mbit"), "twice"),
        (("--schemes", "cubic,nuwa,nuwa:preset=on-demand"), "--schemes: nuwa is there twice"),
    ],
)
def test_nonsense_is_refused(
    wrong: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SMALL, "--output", str(tmp_path), *wrong]) == 2
    assert said in capsys.readouterr().err


def test_a_small_front_leaves_rows_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    links = "12mbit,lte-like/5mbit/7"
    picture = tmp_path / "front.svg"
    arguments = [*SMALL, "--links", links, "--output", str(tmp_path), "--picture", str(picture)]
    assert main([*arguments, "--figures", str(tmp_path / "figures")]) == 0
    (figures,) = (tmp_path / "figures").glob("*-front.json")
    assert Measured.read(figures).command.startswith("npm run bench -- front --schemes nuwa,cubic --seconds 2")
    alone = picture.read_text(encoding="utf-8")
    assert alone.startswith("<svg xmlns=")
    assert "prefers-color-scheme: dark" in alone
    assert re.search(r">20\d\d-\d\d-\d\d, commit \w{7}( with local changes)?<", alone)
    assert "Over 2 links, 1 start each" in capsys.readouterr().out
    rows = pl.read_parquet(tmp_path / "points.parquet")
    assert rows.select("scheme", "link").n_unique() == 4
    assert set(rows["family"]) == {"rate", "lte-like"}
    page = (tmp_path / "front.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "2 s, 1 start in each trace, links of 100 Mbit/s at most, queue of 1000 packets, 20 ms each way" in page
    bundle = json.loads((tmp_path / "bundle.json").read_text(encoding="utf-8"))
    assert [link["name"] for link in bundle["links"]] == links.split(",")
    assert (bundle["finished"], bundle["failures"]) == (6, [])
    assert bundle["versions"]["commit"] in page
    for table, columns in bundle["tables"].items():
        made = pl.read_parquet_metadata(tmp_path / table)
        assert (made["command"], made["commit"]) == (bundle["command"], bundle["versions"]["commit"])
        assert list(json.loads(made["columns"])) == list(columns) == pl.read_parquet(tmp_path / table).columns


def test_a_front_whose_runs_failed_leaves_no_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*conditions: object, **options: object) -> runs.Measured:
        measured = measure(*conditions, **options)  # type: ignore[arg-type]
        lost = FailedRun("1.json", "cubic", "broken", {})
        return replace(measured, bundle=replace(measured.bundle, failures=(lost,)))

    measure = runs.measure
    monkeypatch.setattr(runs, "measure", failing)
    folders = ("--output", str(tmp_path / "out"), "--figures", str(tmp_path / "figures"))
    assert main([*SMALL, "--links", "12mbit", *folders]) == 1
    assert "1 runs failed" in capsys.readouterr().err
    assert not (tmp_path / "figures").exists()


def test_a_link_over_which_nothing_comes_has_a_page_without_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    silent = tmp_path / "silent.down"
    silent.write_text("9000\n")
    folders = ("--output", str(tmp_path / "out"), "--figures", str(tmp_path / "figures"))
    picture = tmp_path / "front.svg"
    assert main([*SMALL, "--links", str(silent), *folders, "--picture", str(picture)]) == 1
    assert capsys.readouterr().err.endswith(f"--picture {picture} is not drawn: no scheme has a point\n")
    assert not picture.exists()
    page = (tmp_path / "out" / "front.html").read_text(encoding="utf-8")
    assert "No scheme has a point" in page
    assert "<svg" not in page


def test_a_full_disk_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "points.parquet").symlink_to("/dev/full")
    assert main([*SMALL, "--links", "2mbit", "--output", str(tmp_path), "--figures", str(tmp_path)]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith(": No space left on device; what is there stays, the same command goes on")


def test_segments_are_run_over_links_of_several_rates(tmp_path: Path) -> None:
    folders = ("--output", str(tmp_path), "--figures", str(tmp_path))
    options = ("--links", "6mbit,12mbit", "--application", "segments", *folders)
    assert main([*SMALL, *options]) == 0
    rows = pl.read_parquet(tmp_path / "points.parquet")
    assert rows.filter(pl.col("throughput_bits_per_s") > 0).select("scheme", "link").n_unique() == 4
