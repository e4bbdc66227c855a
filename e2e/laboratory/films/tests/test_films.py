"""Films of a few seconds, by the page's own player in a process of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import Mock

import polars as pl
import pytest

from e2e.laboratory.films.command import main
from e2e.laboratory.films.expand import demo_film
from e2e.laboratory.films.player_process import PlayerError, PlayerProcess, about
from e2e.laboratory.films.quality import OF_VMAF
from e2e.laboratory.films.record import FilmRecord
from e2e.laboratory.films.run import FilmPlan, PlannedSeek, play_film, play_films
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.films.tests.sample_film import RUNGS_BITS_PER_S, SEGMENT_S, SEGMENTS, write_sample_film
from e2e.laboratory.films.worker import _player, attempt_film
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.request import SELF, FlowTemplate, LinkChoice


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample_film(tmp_path_factory.mktemp("film"))


@pytest.fixture(scope="module")
def player() -> Iterator[PlayerProcess]:
    with PlayerProcess() as process:
        yield process


@pytest.fixture(scope="module", autouse=True)
def _asked_once() -> Iterator[None]:
    """Of each film one process of Node tells what it is: it takes seconds to start, and each command would ask anew."""
    ask = cache(lambda *folders: about(folders))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("e2e.laboratory.films.expand.about", lambda folders: ask(*folders))
        yield


@pytest.fixture
def _same_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands play in this process, with the players that the last one left, rather than with a pool of their own."""
    monkeypatch.setattr("e2e.laboratory.films.make.make_processes", ThreadPoolExecutor)


def plan_of(folder: Path, *, rule: str = "nuwa", link: str = "8mbit") -> FilmPlan:
    loaded = load_link(LinkChoice(link, 20, 100, "droptail", 0.0))
    return FilmPlan(
        folder=folder,
        scheme="nuwa",
        rule=rule,
        estimator="receiver",
        link=link,
        opportunities_ms=loaded.downlink_ms,
        start_ms=0,
        queue_packets=100,
        delay_ms=20.0,
    )


@pytest.mark.parametrize("rule", ["nuwa", "dynamic"])
def test_a_film_is_played_to_its_end_at_the_rate_that_the_link_carries(
    film: Path, player: PlayerProcess, rule: str
) -> None:
    played = play_film(plan_of(film, rule=rule), player).played
    assert played.has_ended
    assert played.position_seconds == pytest.approx(SEGMENTS * SEGMENT_S)
    assert played.startup_ms is not None
    assert 100 < played.startup_ms < 1500
    assert played.waits == []
    assert [segment.index for segment in played.segments] == list(range(SEGMENTS))
    assert played.segments[-1].bits_per_second == RUNGS_BITS_PER_S[-1]


def test_without_any_delay_a_film_comes_to_its_end(film: Path, player: PlayerProcess) -> None:
    assert play_film(replace(plan_of(film), delay_ms=0.0), player).played.has_ended


def test_a_slow_link_stalls_the_film_and_a_player_that_played_others_plays_it_again_to_the_bit(
    film: Path, player: PlayerProcess
) -> None:
    slow = plan_of(film, link="300kbit")
    with PlayerProcess() as unused:
        first = play_film(slow, unused)
    play_film(plan_of(film, rule="lolp"), player)
    assert play_film(slow, player) == first
    stalled_ms = sum(wait.duration_ms for wait in first.played.waits)
    least_bits = SEGMENTS * SEGMENT_S * (RUNGS_BITS_PER_S[0] + 128_000)
    assert stalled_ms + SEGMENTS * SEGMENT_S * 1000 >= 1000 * least_bits / 300_000 - 1000
    assert first.played.qoe is not None
    assert first.played.qoe.total < 0


def test_the_rule_for_vmaf_takes_no_more_bits_than_show_where_that_is_known(
    film: Path, player: PlayerProcess, tmp_path: Path
) -> None:
    unmeasured = tmp_path / "unmeasured"
    shutil.copytree(film, unmeasured, ignore=shutil.ignore_patterns("quality.json"))
    rates = {
        folder: {
            segment.bits_per_second
            for segment in play_film(plan_of(folder, rule="nuwa-vmaf"), player).played.segments[1:]
        }
        for folder in (film, unmeasured)
    }
    assert rates[film] == {RUNGS_BITS_PER_S[0]}
    assert RUNGS_BITS_PER_S[1] in rates[unmeasured]


def test_a_download_of_which_nothing_comes_is_given_up_for_the_least(film: Path, player: PlayerProcess) -> None:
    opportunities_ms = (*range(1, 1550), *range(12_000, 60_000))
    played = play_film(replace(plan_of(film), opportunities_ms=opportunities_ms), player).played
    asked_before, asked_after = played.segments[2:4]
    assert asked_before.bits_per_second == RUNGS_BITS_PER_S[1]
    assert asked_after.bits_per_second == RUNGS_BITS_PER_S[0]
    assert played.has_ended


def test_requests_and_acknowledgements_wait_for_the_uplink(film: Path, player: PlayerProcess) -> None:
    plan = plan_of(film)
    prompt, waiting = play_film(plan, player), play_film(replace(plan, uplink_ms=(400,)), player)
    assert prompt.played.startup_ms is not None
    assert waiting.played.startup_ms is not None
    assert prompt.played.startup_ms + 300 < waiting.played.startup_ms
    assert play_film(replace(plan, uplink_ms=tuple(range(1, 1001))), player).played.has_ended


def test_constants_are_those_of_one_film_alone(film: Path, player: PlayerProcess) -> None:
    plan = plan_of(film)
    as_chosen = play_film(plan, player)
    timid = play_film(replace(plan, nuwa_constants={"reserveWeight": 1e6, "reserveShare": 1.0}), player)
    assert [segment.bits_per_second for segment in timid.played.segments] == [RUNGS_BITS_PER_S[0]] * SEGMENTS
    assert play_film(plan, player) == as_chosen


def test_a_viewer_seeks_ahead_and_back_and_a_seek_after_the_end_is_none(film: Path, player: PlayerProcess) -> None:
    plan = plan_of(film)
    seeks = (PlannedSeek(1.0, 8.0), PlannedSeek(3.0, 5.0))
    result = play_film(replace(plan, seeks=seeks), player)
    played = result.played
    ahead, back = played.seeks
    assert played.startup_ms is not None
    assert (ahead.from_seconds, ahead.to_seconds, back.to_seconds) == (1.0, 8.0, 5.0)
    assert [ahead.started_at_ms, back.started_at_ms] == [played.startup_ms + 1000, played.startup_ms + 3000]
    assert ahead.has_picture
    assert back.has_picture
    assert 40 < ahead.duration_ms < 1500  # nothing of that place was there: a round trip at least
    assert back.from_seconds == pytest.approx(8.0 + 2.0 - ahead.duration_ms / 1000)
    assert [(segment.index, segment.seeks_before) for segment in played.segments] == [
        (0, 0),
        (4, 1),
        *((index, 2) for index in range(2, SEGMENTS)),
    ]
    assert played.has_ended
    assert played.waits == []
    assert played.played_s == pytest.approx(1.0 + back.from_seconds - 8.0 + SEGMENTS * SEGMENT_S - 5.0)
    assert play_film(replace(plan, seeks=seeks), player) == result
    assert play_film(replace(plan, seeks=(PlannedSeek(100.0, 2.0),)), player) == play_film(plan, player)


@pytest.mark.parametrize(
    ("link", "ahead_s", "back_s", "to_s"),
    [("1mbit", 1.0, 4.0, 1.8), ("1mbit", 1.0, 2.0, 0.2), ("4mbit", 0.5, 1.5, 0.2)],
)
def test_what_a_jump_ahead_left_out_comes_once_the_viewer_goes_back(
    film: Path, player: PlayerProcess, link: str, ahead_s: float, back_s: float, to_s: float
) -> None:
    seeks = (PlannedSeek(ahead_s, 8.0), PlannedSeek(back_s, to_s))
    played = play_film(replace(plan_of(film, link=link), seeks=seeks), player).played
    assert [seek.by_viewer for seek in played.seeks] == [True, True]  # dash.js jumps over nothing
    assert [segment.index for segment in played.segments if segment.seeks_before == 2] == list(range(SEGMENTS))
    assert played.has_ended


def test_another_start_is_another_film(film: Path, player: PlayerProcess) -> None:
    plan = plan_of(film, link="lte-like")
    assert play_film(plan, player) != play_film(replace(plan, start_ms=20_000), player)


def one_film(film: Path, output: Path, *more: str) -> list[str]:
    """A command line for a single cell."""
    choices = ["--schemes", "nuwa", "--rules", "nuwa", "--estimators", "receiver", "--links", "8mbit", "--seeds", "1"]
    return [*choices, "--jobs", "1", "--film", str(film), "--output", str(output), *more]


def test_a_row_says_what_was_chosen_and_what_was_met_and_the_same_command_plays_nothing_again(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "films.parquet"
    more = ["--schemes", "nuwa:preset=live", "--estimators", "truth", "--rows", str(rows)]
    assert main(one_film(film, tmp_path / "out", *more)) == 0
    said = capsys.readouterr()
    assert "8mbit  nuwa:live  nuwa  truth" in said.out
    assert said.err.startswith("1 films, 0 of them there")
    [row] = pl.read_parquet(rows).to_dicts()
    assert (row["link"], row["scheme"], row["preset"], row["estimator"]) == ("8mbit", "nuwa", "live", "truth")
    assert (row["seed"], row["trace_start_ms"], row["segments"], row["has_ended"]) == (1, 0, SEGMENTS, True)
    assert row["stalled_s"] == 0
    assert (row["vmaf_mean"], row["ssim_mean"]) == (90.0, pytest.approx(0.9))
    assert row["qoe_vmaf_per_segment"] == pytest.approx(OF_VMAF * 90)
    assert row["played_s"] == pytest.approx(SEGMENTS * SEGMENT_S)
    assert row["queueing_delay_p95_ms"] < 100
    assert row["best_qoe_per_segment"] == pytest.approx(RUNGS_BITS_PER_S[-1] / 1e6)  # the link carries the top rung
    assert row["qoe_per_segment"] <= row["best_qoe_per_segment"]
    assert row["capacity_bits_per_s"] == pytest.approx(8e6, rel=0.01)
    bundle = json.loads((tmp_path / "out" / "bundle.json").read_text(encoding="utf-8"))
    for file, table in ((rows, "films.parquet"), *((tmp_path / "out" / name, name) for name in bundle["tables"])):
        made = pl.read_parquet_metadata(file)
        assert (made["command"], made["commit"]) == (bundle["command"], bundle["versions"]["commit"])
        columns = json.loads(made["columns"])
        assert list(columns) == list(bundle["tables"][table]) == pl.read_parquet(file).columns
        assert all(columns.values())
    assert {"Node", "dash.js"} <= bundle["versions"]["packages"].keys()
    assert (bundle["request"]["estimators"], bundle["request"]["discipline"]) == ("truth", "droptail")
    assert bundle["seeds"] == [1]
    seconds = pl.read_parquet(tmp_path / "out" / "seconds.parquet")
    assert seconds["run"].unique().to_list() == [row["run"]]
    assert (tmp_path / "out" / "films" / f"{row['run']}.json").is_file()
    assert seconds["position_s"][-1] == pytest.approx(SEGMENTS * SEGMENT_S)
    assert seconds["buffer_s"].max() > SEGMENT_S  # type: ignore[operator]
    assert main(one_film(film, tmp_path / "out", *more)) == 0
    assert capsys.readouterr().err == "1 films, 1 of them there\n"


@pytest.mark.usefixtures("_same_players")
def test_a_row_counts_stalls_by_the_time_that_the_film_took(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(one_film(film, tmp_path / "out", "--links", "300kbit")) == 0
    capsys.readouterr()
    [row] = pl.read_parquet(tmp_path / "out" / "films.parquet").to_dicts()
    assert row["preset"] == "on-demand"  # that of players who choose none
    assert row["stalled_s"] > 1
    assert row["stalled_ratio"] == pytest.approx(row["stalled_s"] / (SEGMENTS * SEGMENT_S + row["stalled_s"]))


@pytest.mark.usefixtures("_same_players")
def test_films_over_links_of_one_trace_stand_apart(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = one_film(film, tmp_path / "out", "--links", "8mbit,8mbit:loss=0.05", "--schemes", "cubic")
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "8mbit:loss=0 " in said
    assert "8mbit:loss=0.05 " in said
    rows = pl.read_parquet(tmp_path / "out" / "films.parquet")
    assert dict(rows.select("link", "loss_ratio").iter_rows()) == {"8mbit:loss=0": 0.0, "8mbit:loss=0.05": 0.05}


@pytest.mark.usefixtures("_same_players")
def test_places_are_rows_of_one_table_and_a_browser_plays_one_at_a_time(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Path] = []

    def play_in_browser(plan: FilmPlan, folder: Path) -> FilmRecord:
        assert (plan.film_s, len(plan.uplink_ms) > 0) == (SEGMENTS * SEGMENT_S, True)
        played.append(folder)
        if len(played) > 1:
            return FilmRecord(None, f"the page is gone; cell.log in {folder}", 1.0)
        return attempt_film(replace(plan, place="simulation"))

    monkeypatch.setattr("e2e.laboratory.films.make.attempt_in_browser", play_in_browser)
    monkeypatch.setattr("e2e.laboratory.films.outcome.require_browser", lambda: None)
    command = one_film(film, tmp_path / "out", "--on", "simulation,browser", "--rules", "nuwa,bola")
    assert main(command) == 1
    said = capsys.readouterr()
    assert "4 films, 0 of them there, about 2 min" in said.err  # two of 12 s, and what is beside them
    assert f"the page is gone; cell.log in {played[1]}" in said.err
    assert "8mbit (browser)  nuwa" in said.out
    rows = pl.read_parquet(tmp_path / "out" / "films.parquet")
    assert sorted(rows["place"].to_list()) == ["browser", "simulation", "simulation"]
    assert main(command) == 1
    assert len(played) == 3  # what failed is played again, and nothing else


def test_two_players_share_a_link_with_a_download(film: Path, player: PlayerProcess) -> None:
    download = FlowTemplate("newreno", None)
    plan = replace(plan_of(film, link="8mbit"), scheme="cubic", flows=(FlowTemplate(SELF, None),) * 2 + (download,))
    with PlayerProcess() as second:
        results = play_films(plan, [player, second])
    assert [result.played.has_ended for result in results] == [True, True]
    [beside_bits_per_s] = results[0].beside_bits_per_s
    assert 1e6 < beside_bits_per_s < 8e6
    assert all(result.carried_bits_per_s + beside_bits_per_s < 8.1e6 for result in results)


def test_a_film_that_fails_is_tried_twice_and_said_and_the_others_stay(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def fail(plan: FilmPlan, players: Sequence[PlayerProcess]) -> list[FilmResult]:
        tried.append(plan.seed)
        raise PlayerError("the page is gone")

    player = Mock(spec=PlayerProcess)
    monkeypatch.setattr("e2e.laboratory.films.worker.PlayerProcess", lambda: player)
    monkeypatch.setattr("e2e.laboratory.films.worker._player", cache(_player.__wrapped__))
    monkeypatch.setattr("e2e.laboratory.films.worker.play_films", fail)
    record = attempt_film(plan_of(film))
    assert tried == [1, 1]
    assert player.close.call_count == 2  # the next attempt has another
    assert record.results is None
    assert record.failure == "the page is gone"


def test_rows_are_refused_where_they_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--rows", "no-such-folder/films.parquet"])
    assert exit_.value.code == 2
    assert "is no file in a folder that exists" in capsys.readouterr().err


@pytest.mark.usefixtures("_same_players")
def test_a_full_disk_is_said_and_the_film_stays(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "films.csv"
    rows.symlink_to("/dev/full")
    assert main(one_film(film, tmp_path / "out", "--rows", str(rows))) == 1
    assert "No space left on device; what is there stays" in capsys.readouterr().err
    assert len(list((tmp_path / "out" / "films").iterdir())) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rules", "nuva"], "unknown rule nuva: did you mean nuwa?"),
        (["--estimators", "mine"], "unknown estimator mine"),
        (["--schemes", "cubik"], "did you mean cubic?"),
        (["--schemes", "nuwa:loud"], "unknown preset loud"),
        (["--schemes", "cubic,cubic:preset=live"], "preset=live: cubic has none, only receiver-driven schemes do"),
        (["--links", "lte-lik"], "did you mean lte-like?"),
        (["--flows", "cubic"], "let one flow at least be self"),
        (["--on", "browsr"], "unknown place browsr: did you mean browser?"),
        (["--on", "browser", "--estimators", "truth"], "a browser does not know the link"),
        (["--on", "browser", "--flows", "2"], "a browser plays one film, with nothing beside it"),
        (["--on", "browser", "--links", "8mbit:queue=none"], "a droptail queue with a limit"),
        (["--flows", "self:rtt=80"], "rtt and source are no settings of films"),
        (["--seeks", "20"], "--seeks 20: write SECONDS:PLACE, such as 20:80"),
        (["--seeks", "5:3,"], "--seeks 5:3,: an entry is empty"),
        (["--seeks", "5:-1"], "--seeks 5:-1: write SECONDS:PLACE"),
        (["--seeks", "1200:3"], "less than 1200 seconds after the first frame"),
        (["--seeks", "5:nan"], "--seeks 5:nan: write SECONDS:PLACE"),
        (["--seeks", "5:3,4:1"], "--seeks 5:3,4:1: 4 s does not come after 5 s"),
        (["--seeks", "5:3,6:12"], "ends at 12 s"),
        (["--on", "browser", "--seeks", "5:3"], "--seeks: a browser plays a film through; take --on simulation"),
    ],
)
def test_an_unknown_name_is_refused_before_anything_starts(
    film: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--film", str(film)]) == 2
    assert words in capsys.readouterr().err


def test_captions_are_no_hindrance_and_a_missing_segment_is_named(
    film: Path, player: PlayerProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "captioned"
    shutil.copytree(film, folder)
    manifest = (folder / "manifest.mpd").read_text(encoding="utf-8")
    captions = '<AdaptationSet contentType="text"><Representation id="c" mimeType="text/vtt" bandwidth="100">'
    captions += "<BaseURL>captions.vtt</BaseURL></Representation></AdaptationSet></Period>"
    (folder / "manifest.mpd").write_text(manifest.replace("</Period>", captions), encoding="utf-8")
    assert play_film(plan_of(folder), player).played.has_ended
    (folder / "seg-a-3.m4s").unlink()
    assert main(["--film", str(folder)]) == 2
    assert capsys.readouterr().err.endswith("the manifest names seg-a-3.m4s, which is not there\n")


def test_the_demo_film_is_one_of_two_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("e2e.laboratory.films.expand.build_folder", lambda: tmp_path)

    def package(name: str, seconds: int) -> Path:
        folder = tmp_path / "media" / f"demo-{name}"
        folder.mkdir(parents=True)
        (folder / "presentation.json").write_text(json.dumps({"durationSeconds": seconds}), encoding="utf-8")
        return folder

    with pytest.raises(OptionError, match=r"is not packaged: run"):
        demo_film()
    package("a", 30)
    with pytest.raises(OptionError, match=r"is not packaged, only one of 30 s: run"):
        demo_film()
    whole = package("b", 120)
    package("c", 40)
    assert demo_film() == whole


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--film", str(tmp_path)]) == 2
    assert "there is no manifest.mpd in it" in capsys.readouterr().err
