"""What a parent works out by itself: shares of a rate, the document, metrics of several as one."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc.receiver.observer import Observer
from transport.headless.client import open_session
from transport.media_server.address_file import AddressFile, WorkerAddress
from transport.media_server.admission.limits import DEFAULT_LIMITS
from transport.media_server.command import _parser
from transport.media_server.rate_limits import RateDemand
from transport.media_server.serve import _Served
from transport.media_server.server import start_server
from transport.media_server.watch_list import Standing, WatchList, WatchNews
from transport.media_server.workers.gathered_metrics import gathered, parent_families
from transport.media_server.workers.parent import Parent
from transport.media_server.workers.rate_shares import shares_mbit
from transport.media_server.workers.shared_port import Share
from transport.tests.serving import ORIGIN, options_for, run

demands = st.builds(RateDemand, eager=st.integers(0, 300), modest=st.integers(0, 300), modest_mbit=st.floats(0.0, 1e6))


@given(st.lists(demands, min_size=1, max_size=64), st.floats(0.1, 1e5))
def test_workers_with_eager_sessions_share_the_whole_rate(demands: list[RateDemand], total_mbit: float) -> None:
    shares = shares_mbit(total_mbit, demands)
    assert all(share > 0 for share in shares)
    firsts = [share for share, each in zip(shares, demands, strict=True) if each.eager == 0]
    if len(firsts) < len(demands):
        assert sum(shares) <= total_mbit * (1 + len(firsts)) * (1 + 1e-9)
    if not firsts:
        assert sum(shares) == pytest.approx(total_mbit)


def test_modest_sessions_of_one_worker_leave_the_rest_to_the_eager_ones_of_another() -> None:
    tricklers, viewers = RateDemand(modest=64, modest_mbit=6.4), RateDemand(eager=4)
    assert shares_mbit(100.0, [tricklers, viewers])[1] == pytest.approx(93.6)
    assert shares_mbit(100.0, [RateDemand(eager=1), RateDemand(eager=3)]) == [25.0, 75.0]
    first_and_other = shares_mbit(100.0, [RateDemand(), RateDemand(eager=3)])
    assert first_and_other == [25.0, 100.0], "an idle worker may begin a session"


def test_what_is_learned_of_a_forger_counts_and_is_not_told_again() -> None:
    mine, others = WatchList(lambda: 0.0), WatchList(lambda: 0.0)
    mine.on_news = others.learn
    others.on_news = lambda news: pytest.fail(f"{news} came from elsewhere")
    mine.on_forged("192.0.2.1", 6000)
    assert others.judge("192.0.2.1", 6000) is Standing.REFUSED
    assert others.judge("192.0.2.1", 6001) is Standing.WATCHED
    others.on_news = lambda news: None
    assert others.judge("198.51.100.1", 6000) is Standing.BELIEVED
    others.learn(WatchNews("198.51.100.1", None))
    assert others.judge("198.51.100.1", 6000) is Standing.WATCHED


def test_what_one_worker_says_of_a_client_all_others_are_told(tmp_path: Path) -> None:
    class Told:
        def __init__(self) -> None:
            self.orders: list[tuple[str, object]] = []

        def order(self, order: str, **fields: object) -> None:
            self.orders.append((order, fields))

    async def scenario() -> None:
        parent = Parent(options_of(str(tmp_path), "--workers", "3"), {})
        told = [Told() for _ in parent._places]
        for place, worker in zip(parent._places, told, strict=True):
            place.worker = worker  # type: ignore[assignment]
        parent._on_message(parent._places[1], {"event": "watch", "host": "192.0.2.1", "port": 6000})
        watch = ("watch", {"host": "192.0.2.1", "port": 6000})
        assert [worker.orders for worker in told] == [[watch], [], [watch]]

    run(scenario())


@pytest.mark.parametrize(
    ("workers", "routed"),
    [
        (("known", "known", "known"), [True, True, True]),
        (("known", "new", "known"), [True, False, True]),  # a page may not have the second's certificate
        (("new", "new", "away"), [True, True, False]),
        (("known", "shut", "known"), [True, False, True]),  # it let in nobody who tried
        (("shut", "away", "shut"), [True, False, True]),
    ],
)
def test_newcomers_at_one_port_are_led_to_open_workers_that_pages_know(
    workers: Sequence[str], routed: list[bool], tmp_path: Path
) -> None:
    class Port:
        port = 4433
        routes: Sequence[bool] = ()

        def share(self, index: int) -> Share:
            return Share(index, 3, mark=0, descriptor=-1)

        def route(self, takes_sessions: Sequence[bool]) -> None:
            self.routes = takes_sessions

    @dataclass(eq=False)
    class Known:
        is_known: bool
        lets_newcomers_in: bool
        is_mute: bool = False

    async def scenario() -> None:
        port = Port()
        parent = Parent(options_of(str(tmp_path), "--workers", "3", "--shared-port"), {}, port)  # type: ignore[arg-type]
        for place, worker in zip(parent._places, workers, strict=True):
            place.worker = None if worker == "away" else Known(worker != "new", worker != "shut")  # type: ignore[assignment]
        parent._route(port)  # type: ignore[arg-type]
        assert port.routes == routed

    run(scenario())


def test_nothing_is_said_before_the_ready_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        parent = Parent(options_of(str(tmp_path), "--workers", "2", "--self-check"), {})
        parent._on_message(parent._places[0], {"event": "newcomers", "can_enter": True, "opening_s": 0.01})
        parent._on_message(parent._places[0], {"event": "policy", "scheme": "bbr-fit"})

    run(scenario())
    assert capsys.readouterr().out == ""


def test_a_worker_watches_whom_it_is_told_of(film: Path) -> None:
    async def scenario() -> None:
        server = await start_server(options_for(film))
        served = _Served(server, options_of(str(film), "--workers", "1", "--worker", "2"))
        served._obey({"order": "watch", "host": "192.0.2.1", "port": 6000})
        watch_list = server._service.watch_list
        assert watch_list.judge("192.0.2.1", 6000) is Standing.REFUSED
        assert watch_list.judge("192.0.2.1", 6001) is Standing.WATCHED
        await server.stop()

    run(scenario())


def options_of(*arguments: str) -> argparse.Namespace:
    """As the command reads them."""
    options = _parser("serve").parse_args(arguments)
    options.origin = [ORIGIN]
    return options


def test_the_document_names_the_worker_with_the_fewest_sessions_first(tmp_path: Path) -> None:
    path = tmp_path / "nuwa.json"
    file = AddressFile(path)
    ends = "2026-12-11T09:27:15Z"
    one = WorkerAddress("https://a:1", ("x",), ends, 3, 0.02)
    file.write([one, WorkerAddress("https://b:2", ("y", "z"), ends, 1, 0.0)])
    assert json.loads(path.read_text()) == {
        "url": "https://b:2",
        "certificateHashes": ["y", "z"],
        "certificateNotAfter": ends,
        "workers": [
            {
                "url": "https://a:1",
                "certificateHashes": ["x"],
                "certificateNotAfter": ends,
                "sessions": 3,
                "latenessMs": 20,
            },
            {
                "url": "https://b:2",
                "certificateHashes": ["y", "z"],
                "certificateNotAfter": ends,
                "sessions": 1,
                "latenessMs": 0,
            },
        ],
    }
    file.write([])
    assert json.loads(path.read_text()) is None


def test_as_many_of_one_address_may_come_at_once_as_may_stay() -> None:
    limits = DEFAULT_LIMITS.with_sessions_per_prefix(128)
    assert {limits.sessions.per_prefix, limits.half_open.per_prefix, limits.without_session.per_prefix} == {128}
    assert (limits.sessions.total, limits.proven_burst_per_prefix, limits.proven_per_s_and_prefix) == (256, 128, 64.0)
    assert limits.plain.per_prefix == 32
    assert DEFAULT_LIMITS.with_sessions_per_prefix(1).plain.per_prefix == 1
    assert DEFAULT_LIMITS.with_sessions_per_prefix(64) == DEFAULT_LIMITS


@dataclass
class _Worker:
    lets_newcomers_in: bool


@pytest.mark.parametrize(("let_in", "counted"), [((True, True), 2), ((True, False), 1), ((False, False), 0)])
def test_workers_are_counted_that_let_newcomers_in(let_in: tuple[bool, ...], counted: int) -> None:
    assert f"nuwa_transport_workers {counted}.0\n" in gathered([], parent_families(map(_Worker, let_in), starts={}))


def test_samples_of_one_family_stand_together(film: Path) -> None:

    async def scenario() -> None:
        server = await start_server(options_for(film))
        metrics = [server.measure(name) for name in ("1", "2")]
        async with open_session(f"https://127.0.0.1:{server.port}/v1/nuwa", origin=ORIGIN, receiver=Observer()):
            metrics[0].on_beat(server.load())
            text = gathered([each.as_text() for each in metrics], parent_families([], starts={1: 1}))
        await server.stop()
        samples = [line for line in text.splitlines() if line.startswith("nuwa_transport_sessions")]
        assert samples == ['nuwa_transport_sessions{worker="1"} 1.0', 'nuwa_transport_sessions{worker="2"} 1.0']
        assert text.count("# TYPE nuwa_transport_sessions gauge") == 1
        assert 'nuwa_transport_queueing_delay_seconds_bucket{le="0.04",worker="2"} 0.0' in text
        assert 'nuwa_transport_newcomers_total{verdict="accepted",worker="1"} 1.0' in text
        assert 'nuwa_transport_worker_starts_total{worker="1"} 1.0' in text

    run(scenario())
