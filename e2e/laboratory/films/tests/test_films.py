"""Films of a few seconds, by the page's own player in a process of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from e2e.laboratory.films.command import main
from e2e.laboratory.films.messages import PlayedFilm
from e2e.laboratory.films.player_process import PlayerProcess
from e2e.laboratory.films.run import FilmPlan, FilmResult, play_film
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.request import LinkChoice

RUNGS_BITS_PER_S = (400_000, 3_000_000)
SEGMENTS = 6
SEGMENT_S = 2


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve seconds of nothing, in the sizes of two bitrates and a sound track."""
    folder = tmp_path_factory.mktemp("film")
    rungs = [("video", f"v{bits}", bits, "avc1.64001f") for bits in RUNGS_BITS_PER_S]
    sets = ""
    for kind, rung, bits, codec in [*rungs, ("audio", "a", 128_000, "mp4a.40.2")]:
        (folder / f"init-{rung}.m4s").write_bytes(bytes(800))
        for number in range(1, SEGMENTS + 1):
            (folder / f"seg-{rung}-{number}.m4s").write_bytes(bytes(bits * SEGMENT_S // 8))
        size = ' width="640" height="360"' if kind == "video" else ""
        representation = (
            f'<Representation id="{rung}" mimeType="{kind}/mp4" codecs="{codec}" bandwidth="{bits}"{size}>'
            f'<SegmentTemplate timescale="1" initialization="init-$RepresentationID$.m4s" '
            f'media="seg-$RepresentationID$-$Number$.m4s" startNumber="1"><SegmentTimeline>'
            f'<S t="0" d="{SEGMENT_S}" r="{SEGMENTS - 1}"/></SegmentTimeline></SegmentTemplate></Representation>'
        )
        first = rung == f"v{RUNGS_BITS_PER_S[0]}"
        last = rung != f"v{RUNGS_BITS_PER_S[0]}"
        sets += (f'<AdaptationSet contentType="{kind}">' if first or kind == "audio" else "") + representation
        sets += "</AdaptationSet>" if last else ""
    manifest = (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" minBufferTime="PT2S" '
        f'profiles="urn:mpeg:dash:profile:isoff-live:2011" mediaPresentationDuration="PT{SEGMENTS * SEGMENT_S}S">'
        f'<Period id="0" start="PT0S">{sets}</Period></MPD>'
    )
    (folder / "manifest.mpd").write_text(manifest, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def player() -> Iterator[PlayerProcess]:
    with PlayerProcess() as process:
        yield process


def plan_of(folder: Path, *, rule: str = "nuwa", link: str = "8mbit") -> FilmPlan:
    loaded = load_link(LinkChoice(link, 20, 100, "droptail", 0.0))
    return FilmPlan(
        folder=folder,
        scheme="nuwa",
        rule=rule,
        estimator="nuwa",
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


def test_another_start_is_another_film(film: Path, player: PlayerProcess) -> None:
    plan = plan_of(film, link="lte-like")
    assert play_film(plan, player) != play_film(replace(plan, start_ms=20_000), player)


def test_a_row_says_what_was_chosen_and_what_was_met(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "films.parquet"
    choices = ["--schemes", "nuwa:live", "--rules", "nuwa", "--estimators", "truth", "--links", "8mbit"]
    assert main([*choices, "--starts", "1", "--film", str(film), "--rows", str(rows)]) == 0
    assert "8mbit  nuwa:live  nuwa  truth" in capsys.readouterr().out
    [row] = pl.read_parquet(rows).to_dicts()
    assert (row["link"], row["scheme"], row["preset"], row["estimator"]) == ("8mbit", "nuwa", "live", "truth")
    assert (row["seed"], row["trace_start_ms"], row["segments"], row["has_ended"]) == (1, 0, SEGMENTS, True)
    assert row["stalled_s"] == 0
    assert row["played_s"] == pytest.approx(SEGMENTS * SEGMENT_S)
    assert row["queueing_delay_p95_ms"] < 100


def test_a_full_disk_takes_the_rows_and_leaves_the_table(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = FilmResult(PlayedFilm(None, None, 0.0, False, [], None, [], []), None)
    monkeypatch.setattr("e2e.laboratory.films.matrix.play_all", lambda plans, jobs: [result] * len(plans))
    rows = tmp_path / "films.parquet"
    rows.symlink_to("/dev/full")
    assert main(["--film", str(film), "--rows", str(rows)]) == 1
    said = capsys.readouterr()
    assert "never" in said.out
    assert said.err.endswith(f"--rows {rows}: No space left on device\n")


def test_rows_are_refused_where_they_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--rows", "no-such-folder/films.parquet"])
    assert exit_.value.code == 2
    assert "is no FILE.parquet in a folder that exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rules", "nuva"], "unknown rule nuva: choose of nuwa, bba, nuwa-log, robust-mpc, dynamic"),
        (["--estimators", "mine"], "unknown estimator mine"),
        (["--schemes", "cubik"], "cubik"),
        (["--schemes", "nuwa:loud"], "loud"),
        (["--links", "no-such-link"], "no-such-link"),
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
    one = ["--schemes", "nuwa", "--rules", "nuwa", "--estimators", "nuwa", "--starts", "1", "--jobs", "1"]
    assert main([*one, "--film", str(folder)]) == 1
    assert capsys.readouterr().err.endswith("the manifest names seg-a-3.m4s, which is not there\n")


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--film", str(tmp_path)]) == 2
    assert "there is no manifest.mpd in it" in capsys.readouterr().err
