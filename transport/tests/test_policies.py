"""Learned schemes in server and headless receiver: the policy is asked, and nothing stalls where it cannot be."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import shutil
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from aioquic.quic.events import ConnectionTerminated, QuicEvent

from cc.core.decision import Decide
from cc.receiver.presets import preset
from cc.registry import scheme
from cc.sender.bbr.bbr_fit import BbrFit
from models.policies.folder import POLICIES
from models.tests.stand_in import TESTDATA, stand_in
from transport.headless.receive import ReceiveOptions, ReceiveReport, receive
from transport.media_server.media_protocol import MediaProtocol
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions
from transport.media_server.session_opening import SessionOpening
from transport.policies import RETRY_AFTER_S, PolicyReport, PolicyShelf, SessionPolicy
from transport.relay.settings import LinkSettings
from transport.tests.serving import behind_link
from transport.wire_format.session_path import SessionPath

ORIGIN = "http://localhost:8080"
NAME = "bbr-fit"


@pytest.fixture(scope="module", autouse=True)
def _onnxruntime() -> None:
    """Imported before any session, which on a busy machine may otherwise be over before it is."""
    import_module("models.policies.policy")


async def download(
    directory: Path,
    *,
    server_policies: Path = POLICIES,
    receiver_policies: Path = POLICIES,
    name: str = NAME,
    seconds: float,
) -> tuple[ReceiveReport, list[PolicyReport]]:
    """A session over an emulated link: what the receiver reports, and the server.

    The link fills, so that slow start ends and decisions begin, however busy this machine is.
    """
    options = ServerOptions(
        directory=film_in(directory),
        host="127.0.0.1",
        port=0,
        origins=frozenset({ORIGIN}),
        policy_directory=server_policies,
    )
    server = await start_server(options)
    told: list[PolicyReport] = []
    server.tell_of_policies(told.append)
    link = LinkSettings("12mbit", delay_ms=5, queue_packets=50)
    try:
        async with behind_link(server.port, link) as (host, port):
            report = await receive(
                ReceiveOptions(
                    url=f"https://{host}:{port}",
                    origin=ORIGIN,
                    scheme=scheme(name),
                    preset=preset("bulk"),
                    seconds=seconds,
                    policy_directory=receiver_policies,
                )
            )
    finally:
        await server.stop()
    return report, told


def film_in(folder: Path) -> Path:
    """An empty one: what is downloaded is generated."""
    film = folder / "film"
    film.mkdir()
    return film


def sample(folder: Path, kind: str) -> Path:
    """A folder in which a policy that nobody trained stands in Nuwa-RL's place."""
    stand_in(kind, "nuwa-rl", folder)
    return folder


def said_of_policies(records: list[logging.LogRecord]) -> list[str]:
    """What the log has of heuristics."""
    return [record.getMessage() for record in records if "runs its heuristic" in record.getMessage()]


def test_a_session_is_steered_by_its_policy(tmp_path: Path) -> None:
    report, [told] = asyncio.run(download(tmp_path, seconds=2.0))
    assert report.throughput_bits_per_s > 1e6
    assert report.policy is None  # the server's business
    assert (told.scheme, told.policy, told.is_loaded) == (NAME, NAME, True)
    assert told.answered > 3
    assert told.failed == 0


def test_a_policys_first_session_is_opened_when_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    was_loaded: list[bool] = []
    opens = SessionOpening._open

    def noting(opening: SessionOpening, stream_id: int, path: SessionPath) -> None:
        was_loaded.append(opening._service.policies.is_settled(NAME))
        opens(opening, stream_id, path)

    monkeypatch.setattr(SessionOpening, "_open", noting)
    _, [told] = asyncio.run(download(tmp_path, seconds=1.0))
    assert was_loaded == [True]
    assert told.is_loaded


def test_a_client_that_gives_up_while_the_policy_loads_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[SessionPath] = []
    may_load = threading.Event()

    def load(shelf: PolicyShelf, name: str) -> None:
        assert may_load.wait(10)

    async def give_up() -> None:
        waiting, ended, settled = asyncio.Event(), asyncio.Event(), asyncio.Event()
        wait, handle = PolicyShelf.when_settled, MediaProtocol.on_event

        def when_settled(shelf: PolicyShelf, name: str, go_on: Callable[[], None]) -> None:
            wait(shelf, name, go_on)
            wait(shelf, name, settled.set)
            waiting.set()

        def noting(protocol: MediaProtocol, event: QuicEvent, *, now_s: float) -> None:
            handle(protocol, event, now_s=now_s)
            if isinstance(event, ConnectionTerminated):
                ended.set()

        monkeypatch.setattr(PolicyShelf, "when_settled", when_settled)
        monkeypatch.setattr(MediaProtocol, "on_event", noting)
        server = await start_server(
            ServerOptions(directory=film_in(tmp_path), host="127.0.0.1", port=0, origins=frozenset({ORIGIN}))
        )
        try:
            url = f"https://127.0.0.1:{server.port}"
            options = ReceiveOptions(url=url, origin=ORIGIN, scheme=scheme(NAME), preset=preset("bulk"), seconds=1.0)
            receiving = asyncio.create_task(receive(options))
            await asyncio.wait_for(waiting.wait(), 10)
            receiving.cancel()
            await asyncio.wait([receiving])
            await asyncio.wait_for(ended.wait(), 10)
            may_load.set()
            await asyncio.wait_for(settled.wait(), 10)
        finally:
            may_load.set()
            await server.stop()

    monkeypatch.setattr(PolicyShelf, "_load", load)
    monkeypatch.setattr(SessionOpening, "_open", lambda _opening, _id, path: opened.append(path))
    asyncio.run(give_up())
    assert opened == []


def test_a_broken_model_stalls_nothing_and_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    policies = tmp_path / "policies"
    policies.mkdir()
    shutil.copy(POLICIES / f"{NAME}.json", policies)
    (policies / f"{NAME}.onnx").write_bytes(b"broken")
    report, [told] = asyncio.run(download(tmp_path, server_policies=policies, seconds=1.5))
    assert report.throughput_bits_per_s > 1e6
    [sentence] = said_of_policies(caplog.records)
    assert "has SHA-256" in sentence
    assert (told.is_loaded, told.answered, told.failed) == (False, 0, 0)
    assert 0 < told.late <= told.decisions <= told.late + 1


@pytest.mark.parametrize("trouble", [RuntimeError("no thread can be had"), OSError(24, "Too many open files")])
def test_a_policy_that_could_not_be_loaded_for_a_while_is_tried_again_by_a_later_session(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, trouble: Exception
) -> None:
    now_s = 0.0
    shelf = PolicyShelf(now_s=lambda: now_s)
    models = import_module("models.policies.policy")
    load_policy, attempts = models.load_policy, 0

    def fail_once(name: str, folder: Path) -> object:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise trouble
        return load_policy(name, folder)

    monkeypatch.setattr(models, "load_policy", fail_once)

    async def sessions() -> None:
        nonlocal now_s
        for seconds in (0.0, RETRY_AFTER_S - 0.1):
            now_s = seconds
            await shelf.load(NAME)
            assert shelf.decider(NAME) is None
            assert shelf.is_settled(NAME)
        assert attempts == 1
        now_s = RETRY_AFTER_S
        assert not shelf.is_settled(NAME)
        await shelf.load(NAME)
        assert shelf.decider(NAME) is not None
        assert shelf.is_settled(NAME)
        now_s = 10 * RETRY_AFTER_S
        assert shelf.is_settled(NAME)

    asyncio.run(sessions())
    assert attempts == 2
    assert len(said_of_policies(caplog.records)) == 1


class ExecutorWithoutThreads(ThreadPoolExecutor):
    """Of a machine at its limit of them."""

    def submit(self, fn: Callable[..., Any], /, *args: object, **kwargs: object) -> Future[Any]:
        raise RuntimeError("can't start new thread")


def test_where_no_thread_can_be_had_the_heuristic_runs_and_a_later_session_tries_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now_s = 0.0
    shelf = PolicyShelf(now_s=lambda: now_s)

    async def sessions() -> None:
        nonlocal now_s
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ExecutorWithoutThreads())
        for _ in range(2):
            assert shelf.decider(NAME) is None
            assert shelf.is_hopeless(NAME)
        loop.set_default_executor(ThreadPoolExecutor())
        now_s = RETRY_AFTER_S
        await shelf.load(NAME)
        assert shelf.decider(NAME) is not None

    asyncio.run(sessions())
    assert said_of_policies(caplog.records) == [
        f"policy {NAME} cannot be loaded (can't start new thread); its scheme runs its heuristic"
    ]


@pytest.mark.parametrize("kind", ["recurrent", "feed-forward"])
def test_a_receivers_policy_answers_all_its_requests(tmp_path: Path, kind: str) -> None:
    policies = sample(tmp_path, kind)
    report, told = asyncio.run(download(tmp_path, receiver_policies=policies, name="nuwa-rl", seconds=1.5))
    assert report.throughput_bits_per_s > 1e6
    assert told == []  # the receiver's business
    assert report.policy is not None
    assert report.policy.is_loaded
    assert report.policy.decisions >= 3
    assert report.policy.answered == report.policy.decisions
    assert f"policy           nuwa-rl: {report.policy.answered} of {report.policy.decisions}" in report.as_text()


@pytest.mark.parametrize("trouble", ["missing", "truncated", "of another card"])
def test_a_receiver_without_its_policy_runs_its_heuristic_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, trouble: str
) -> None:
    model = sample(tmp_path, "recurrent") / "nuwa-rl.onnx"
    if trouble == "missing":
        model.unlink()
    elif trouble == "truncated":
        model.write_bytes(model.read_bytes()[:-100])
    else:
        shutil.copy(TESTDATA / "feed-forward.onnx", model)
    report, _ = asyncio.run(download(tmp_path, receiver_policies=tmp_path, name="nuwa-rl", seconds=1.0))
    assert report.throughput_bits_per_s > 1e6
    [sentence] = said_of_policies(caplog.records)
    assert ("cannot be read" if trouble == "missing" else "has SHA-256") in sentence
    policy = report.policy
    assert policy is not None
    assert (policy.is_loaded, policy.answered, policy.failed) == (False, 0, 0)
    assert 0 < policy.late <= policy.decisions <= policy.late + 1
    assert "nuwa-rl: not loaded; the heuristic ran through" in report.as_text()


def test_a_receivers_policy_without_a_finite_answer_fails_each_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    policies = sample(tmp_path, "not-a-number")
    report, _ = asyncio.run(download(tmp_path, receiver_policies=policies, name="nuwa-rl", seconds=1.0))
    assert report.throughput_bits_per_s > 1e6
    assert said_of_policies(caplog.records) == [
        "receiver: policy nuwa-rl gave no finite answer; the scheme runs its heuristic"
    ]
    assert report.policy is not None
    assert report.policy.failed == report.policy.decisions > 0
    assert (report.policy.is_loaded, report.policy.answered, report.policy.late) == (True, 0, 0)
    assert report.as_json()["policy"] == report.policy.as_json()


class ShelfOfSilence(PolicyShelf):
    """Its policies answer nothing."""

    def decider(self, name: str) -> Decide:
        return lambda _request: None


def test_an_answer_that_is_no_number_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    bbr_fit = BbrFit(max_datagram_bytes=1200, rng=random.Random(1))
    policy = SessionPolicy(bbr_fit, scheme(NAME), ShelfOfSilence(), who="session 4")
    assert not policy.is_asked
    assert policy.answer() is None
    for number in range(3):
        bbr_fit.decisions.end_interval((1.0, 0.0, 1.0), now_s=0.1 * number)
        assert policy.is_asked
        answer = policy.answer()
        assert answer == (number, None)
        bbr_fit.on_decision(*answer)
    assert bbr_fit.decisions.failed == 3
    assert [record.getMessage() for record in caplog.records] == [
        "session 4: policy bbr-fit gave no finite answer; the scheme runs its heuristic"
    ]


def test_paths_that_are_over_leave_their_counts_and_nothing_else() -> None:
    def asked(times: int) -> BbrFit:
        bbr_fit = BbrFit(max_datagram_bytes=1200, rng=random.Random(1))
        for number in range(times):
            bbr_fit.decisions.end_interval((1.0, 0.0, 1.0), now_s=0.1 * number)
        return bbr_fit

    first = asked(3)
    before = weakref.ref(first.decisions)
    policy = SessionPolicy(first, scheme(NAME), ShelfOfSilence(), who="session 4")
    policy.begin_path(asked(2))
    del first
    gc.collect()
    assert before() is None
    assert (policy.report().decisions, policy.report().late) == (5, 3)
    policy.begin_path(asked(0))
    assert (policy.report().decisions, policy.report().late) == (5, 3)
