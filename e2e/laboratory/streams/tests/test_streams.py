"""The command, its arms, its figures, and one small run with real processes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.laboratory.places.child import ChildError
from e2e.laboratory.streams import servers
from e2e.laboratory.streams.command import main, make_parser
from e2e.laboratory.streams.findings import bulk_figures, streams_figures, streams_table, workers_figures
from e2e.laboratory.streams.load import Load
from e2e.laboratory.streams.measure import arms_of
from e2e.laboratory.streams.paths import Link
from e2e.laboratory.streams.runs import Bulk, Streams, run_bulk, run_streams
from e2e.laboratory.streams.servers import OURS, QH3, STOCK, beside, several

LINK = Link(4.0)
needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="CPU time is read from /proc")


def load(cost: float = 100.0, rate: float = 40.0, smallest: float = 0.9) -> Load:
    return Load(rate, cost, rate / cost, 1.0, smallest, 0.99, 20.0, 50.0, 280.0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sessions", "65"], "--sessions: '65'"),
        (["--sessions", "twelve"], "--sessions: 'twelve'"),
        (["--beside", "/nowhere"], "'/nowhere' is no clone of nuwa-stream"),
        (["--sessions", "0", "--no-bulk"], "nothing is left to measure"),
        (["--rate-mbit", "0"], "--rate-mbit"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    words = capsys.readouterr().err
    assert said in words
    assert words.count("\n") == 1


@pytest.fixture
def _qh3_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "find_spec", lambda package: None if package == "qh3" else object())


@pytest.mark.usefixtures("_qh3_is_missing")
def test_arms_that_are_compared_are_next_to_each_other() -> None:
    options = make_parser("streams").parse_args(["--sessions", "12,40", "--beside", str(ROOT)])
    bulk, streams = arms_of(options)
    assert [(arm.sessions, arm.name) for arm in streams[:3]] == [
        (12, "nuwa, ours"),
        (12, f"nuwa, {ROOT.name}'s"),
        (12, "cubic, ours"),
    ]
    assert len(streams) == 9
    assert [arm.server.name for arm in bulk if arm.client == "light sink"] == [
        "ours",
        "stock aioquic",
        f"{ROOT.name}'s",
    ]
    assert arms_of(make_parser("streams").parse_args(["--sessions", "0"]))[1] == []


def test_others_of_the_field_that_are_installed_stand_beside_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "find_spec", lambda package: object())
    bulk, streams = arms_of(make_parser("streams").parse_args(["--sessions", "12,40"]))
    assert [arm.server for arm in streams] == [OURS, OURS, STOCK, QH3, OURS, OURS]
    assert [arm.server for arm in bulk if arm.client == "light sink"] == [OURS, STOCK, QH3]


def test_a_server_that_keeps_whole_responses_is_asked_for_pieces() -> None:
    assert [Streams(server, "cubic", 12, LINK).request_bytes for server in (OURS, STOCK)] == [None, 2_000_000]
    assert Streams(STOCK, "cubic", 12, Link(100.0)).request_bytes == 50_000_000


def test_sessions_are_judged_beside_others_of_the_field() -> None:
    found: dict[Streams, list[Load | None]] = {
        Streams(OURS, "nuwa", 12, LINK): [load(cost=100)],
        Streams(OURS, "cubic", 12, LINK): [load(cost=120)],
        Streams(STOCK, "cubic", 12, LINK): [load(cost=40)],
    }
    figures = {figure.what: figure for figure in streams_figures(found)}
    assert figures["12 sessions, CUBIC: Mbit per CPU second / stock aioquic"].value == pytest.approx(3.0)


def test_figures_are_ratios_of_the_same_repeat() -> None:
    other = beside(ROOT)
    found: dict[Streams, list[Load | None]] = {
        Streams(OURS, "nuwa", 12, LINK): [load(cost=100), load(cost=300), None],
        Streams(other, "nuwa", 12, LINK): [load(cost=50), load(cost=100), load()],
        Streams(OURS, "cubic", 12, LINK): [load(rate=20), load(rate=40), load()],
        Streams(OURS, "nuwa", 40, LINK): [load(rate=50, smallest=0.7)],
        Streams(OURS, "cubic", 40, LINK): [load(rate=40)],
    }
    figures = {figure.what: figure for figure in streams_figures(found)}
    assert figures[f"12 sessions, Nuwa: Mbit per CPU second / {other.name}"].samples == (2.0, 3.0, None)
    assert figures["12 sessions, Nuwa: delivered / CUBIC's"].value == pytest.approx(1.5)
    assert figures["40 sessions, Nuwa: delivered / CUBIC's"].is_reached is True
    assert figures["40 sessions, Nuwa: smallest / mean"].is_reached is False
    assert "| 12       | nuwa, ours" in streams_table(found)


def test_downloads_are_judged_beside_stock_aioquic() -> None:
    found = {
        Bulk(OURS, "cubic", "light sink"): [load(cost=700)],
        Bulk(STOCK, "cubic", "light sink"): [load(cost=100)],
        Bulk(OURS, "nuwa", "headless receiver"): [load(cost=1)],
    }
    figures = {figure.what: figure for figure in bulk_figures(found)}
    assert figures["download, CUBIC, light sink: ours / stock aioquic"].value == pytest.approx(7.0)
    assert not any("headless" in what for what in figures)


def test_workers_are_judged_beside_one_process_with_as_many_downloads() -> None:
    options = make_parser("streams").parse_args(["--sessions", "0", "--no-bulk", "--workers", "2"])
    one, two = arms_of(options)[0]
    assert (one, two.server.options[:2]) == (Bulk(OURS, "cubic", "light sink", 4), ("--workers", "2"))
    found = {one: [load(cost=400, rate=200)], two: [load(cost=380, rate=370)]}
    assert [figure.value for figure in workers_figures(found)] == pytest.approx([1.85, 400 / 380])
    assert bulk_figures(found) == []


@needs_proc
def test_each_worker_serves_and_all_their_time_counts() -> None:
    found = asyncio.run(run_bulk(Bulk(several(2), "cubic", "light sink", 2), seconds=1))
    assert found.megabits_per_cpu_s > 10
    assert found.core_share > 0.05


@needs_proc
def test_each_client_takes_what_each_server_sends() -> None:
    async def run() -> list[Load]:
        streams = run_streams(Streams(OURS, "nuwa", 2, LINK), seconds=1)
        stock_streams = run_streams(Streams(STOCK, "cubic", 2, LINK), seconds=1)
        bulk = [run_bulk(Bulk(server, "cubic", "light sink"), seconds=1) for server in (OURS, STOCK)]
        return await asyncio.gather(streams, stock_streams, *bulk)

    streams, stock_streams, ours, stock = asyncio.run(run())
    # A link that is late by 0.2 s has less than this more in a second than two links of 4 Mbit/s carry.
    for each in (streams, stock_streams):
        assert 1 < each.mbit_per_s < 2 * 4.0 * 1.5
    assert streams.delay_median_ms is not None
    assert streams.server_late_ms is not None
    assert streams.links_late_ms is not None
    assert stock.server_late_ms is None
    assert min(ours.megabits_per_cpu_s, stock.megabits_per_cpu_s) > 10


def test_a_server_that_does_not_serve_is_reported(clone: Path) -> None:
    with pytest.raises(ChildError, match=r"the server of clone's ended early .* no server here"):
        asyncio.run(run_streams(Streams(beside(clone), "nuwa", 1, LINK), seconds=1))


def test_a_failed_arm_has_no_figure(
    clone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(runner: object, arm: Bulk | Streams, *, seconds: float) -> Load | None:
        return load() if arm.server == OURS else None

    monkeypatch.setattr("e2e.laboratory.streams.measure._run", run)
    arguments = ["--sessions", "12", "--no-bulk", "--beside", str(clone), "--repeats", "1"]
    assert main([*arguments, "--output", str(clone)]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "12 sessions, Nuwa: Mbit per CPU second / clone's | **not measured** | >= 2.5" in said


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """One whose server says why it does not serve."""
    folder = tmp_path / "clone"
    (folder / "transport").mkdir(parents=True)
    (folder / "transport" / "__init__.py").touch()
    (folder / "transport" / "__main__.py").write_text("raise SystemExit('no server here')")
    return folder
