"""VMAF and P.1203 of films that nobody played."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from e2e.laboratory.films import p1203
from e2e.laboratory.films.judgement import UNJUDGED, Judgement, judged
from e2e.laboratory.films.messages import AboutFilm, PlayedFilm, Rung, Seek, Segment, Track, Wait
from e2e.laboratory.films.page import write_page
from e2e.laboratory.films.quality import FilmQuality, QualityError, RungQuality, looks_of, qoe_vmaf, read_quality
from e2e.laboratory.films.rows import films_frame
from e2e.laboratory.films.tests.test_page import FAMILIES, bundle_of, cells_of

LOW, HIGH = 400_000, 3_000_000
QUALITY = FilmQuality(
    1, "vmaf", [RungQuality("0", LOW, [40.0, 50.0], [0.8, 0.9]), RungQuality("1", HIGH, [80.0, 90.0], [0.9, 1])]
)


def track(bits_per_second: int, width: int, height: int) -> Track:
    return Track("video", bits_per_second, "avc1.64001f", width, height, 24.0)


ABOUT = AboutFilm(
    3.0,
    30.0,
    [Rung(LOW, [100_000, 50_000], [2.0, 3.0]), Rung(HIGH, [750_000, 375_000], [2.0, 3.0])],
    [track(LOW, 640, 360), track(HIGH, 1280, 720), Track("audio", 128_000, "mp4a.40.2", 0, 0, 0.0)],
    None,
)
FILM = PlayedFilm(
    error=None,
    startup_ms=500.0,
    position_seconds=3.0,
    has_ended=True,
    waits=[Wait(1500.0, 400.0), Wait(2400.0, 600.0)],
    qoe=None,
    segments=[Segment(0, 3_000_000, 750_000, 0.0, 100.0), Segment(1, 400_000, 50_000, 100.0, 200.0)],
    switches=[],
)


def test_qoe_by_vmaf_is_comycos() -> None:
    # 60 + 80 + 70 = 210; it rises by 20 and falls by 10; half a second of stall.
    expected = 0.8469 * 210 - 28.7959 * 0.5 + 0.2979 * 20 - 1.0610 * 10
    assert qoe_vmaf([60.0, 80.0, 70.0], 0.5) == pytest.approx(expected)


def test_a_film_looks_as_its_own_segments_do() -> None:
    looks = looks_of(FILM, QUALITY)
    assert looks is not None
    assert looks.vmaf == 65.0
    assert looks.ssim == pytest.approx(0.9)
    assert looks.qoe_per_segment == pytest.approx((0.8469 * 130 - 28.7959 * 1.0 - 1.0610 * 30) / 2)


@pytest.mark.parametrize(
    "segment", [Segment(2, 400_000, 1, 0.0, 1.0), Segment(0, 700_000, 1, 0.0, 1.0)], ids=["segment", "rung"]
)
def test_what_was_not_measured_has_no_number(segment: Segment) -> None:
    film = msgspec.structs.replace(FILM, segments=[*FILM.segments, segment])
    assert looks_of(film, QUALITY) is None
    assert looks_of(msgspec.structs.replace(FILM, segments=[]), QUALITY) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [("{}", "is not what --quality writes"), ('{"schema":2,"model":"","rungs":[]}', "has schema 2, and 1 is known")],
)
def test_a_file_of_another_kind_is_refused_in_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    assert read_quality(tmp_path) is None
    (tmp_path / "quality.json").write_text(text, encoding="utf-8")
    with pytest.raises(QualityError, match=words):
        read_quality(tmp_path)


def test_p1203_is_told_of_codec_rate_size_and_stalls_in_media_time() -> None:
    report = p1203.report_of(FILM, ABOUT)
    assert report is not None
    first = {"codec": "h264", "start": 0.0, "duration": 2.0, "res": "1280x720", "bitrate": 3000.0, "fps": 24.0}
    second = {"codec": "h264", "start": 2.0, "duration": 1.0, "res": "640x360", "bitrate": 400.0, "fps": 24.0}
    pictures = [first | {"representation": 3_000_000}, second | {"representation": 400_000}]
    assert report["I13"] == {"streamId": 1, "segments": pictures}
    sound = {"codec": "aaclc", "start": 0.0, "duration": 3.0, "bitrate": 128.0}
    assert report["I11"] == {"streamId": 1, "segments": [sound]}
    # First frame at 0.5 s; the waits began 1 and 1.9 s later, the second after 0.4 s without a picture.
    assert report["I23"] == {"streamId": 1, "stalling": [[0.0, 0.5], [1.0, 0.4], [pytest.approx(1.5), 0.6]]}


def test_p1203_has_no_model_of_other_codecs_nor_of_a_film_that_never_began_nor_of_seeks() -> None:
    hevc = [msgspec.structs.replace(each, codecs="hvc1.1.6.L93") for each in ABOUT.tracks]
    assert p1203.report_of(FILM, msgspec.structs.replace(ABOUT, tracks=hevc)) is None
    assert p1203.report_of(FILM, msgspec.structs.replace(ABOUT, tracks=ABOUT.tracks[:2])) is None
    assert p1203.report_of(msgspec.structs.replace(FILM, startup_ms=None), ABOUT) is None
    seek = Seek(1000.0, 200.0, True, 1.0, 2.0)
    assert p1203.report_of(msgspec.structs.replace(FILM, seeks=[seek]), ABOUT) is None


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """A module with P.1203's interface that gives 4.2 to everything, and the reports that it was given."""
    given: list[object] = []

    class P1203Standalone:
        def __init__(self, input_report: object, *, quiet: bool) -> None:
            given.append(input_report)
            assert quiet

        def calculate_complete(self) -> dict[str, object]:
            return {"O23": 4.0, "O46": 4.2}

    module = ModuleType("itu_p1203")
    module.__spec__ = ModuleSpec("itu_p1203", None)
    module.__dict__["P1203Standalone"] = P1203Standalone
    monkeypatch.setitem(sys.modules, "itu_p1203", module)
    p1203._model.cache_clear()
    yield given
    p1203._model.cache_clear()


def test_p1203_judges_where_it_is_installed(installed: list[object]) -> None:
    assert judged(FILM, ABOUT, None) == Judgement(p1203_mos=4.2)
    assert installed == [p1203.report_of(FILM, ABOUT)]


def test_without_a_measurement_and_without_p1203_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p1203, "_model", lambda: None)
    assert judged(FILM, ABOUT, None) == UNJUDGED


def test_rows_and_page_have_what_is_known_and_nothing_else(tmp_path: Path) -> None:
    cells = [*cells_of("bba", {1: 1.0, 2: 2.0}), *cells_of("nuwa", {1: 2.0, 2: 5.0})]
    assert set(films_frame(cells)["vmaf_mean"]) == {None}
    qoe = {"bba": 50.0, "nuwa": 52.0}
    known = [replace(cell, judgement=Judgement(70.0, 0.9, qoe[cell.plan.rule])) for cell in cells]
    row = films_frame(known).to_dicts()[0]
    assert [row[name] for name in ("vmaf_mean", "ssim_mean", "qoe_vmaf_per_segment")] == [70.0, 0.9, 50.0]
    assert row["p1203_mos"] is None
    pages = []
    for shown in (cells, known):
        write_page(tmp_path / "report.html", shown, bundle_of(), families=FAMILIES)
        pages.append((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "QoE_VMAF" not in pages[0]
    for part in (">VMAF<", ">QoE_VMAF<", "28.7959 for a second stalled", "<td>+2.00</td>"):
        assert part in pages[1]
    assert ">P.1203<" not in pages[1]
