"""The media server asks an agent, hands on what it says, and does without where nobody answers."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import logging
import socket
from pathlib import Path

import pytest

from cc.core.network_report import NetworkReport
from cc.receiver.observer import Observer
from cc.sender.owl import Owl
from transport.headless.client import open_session
from transport.media_server import network_reports
from transport.media_server.network_reports import NetworkReports
from transport.media_server.server import start_server
from transport.relay.agent import LinkAgent
from transport.tests.serving import ORIGIN, options_for, run
from transport.tests.test_relay_agent import SEED, served, slow_pipe


def test_hands_over_what_the_agent_says() -> None:
    agent = LinkAgent([slow_pipe()], known_ratio=0.5, seed=SEED, now_s=0.0)
    agent.read(1.0)
    heard: list[NetworkReport] = []
    with served(agent) as url:
        asyncio.run(NetworkReports(url, heard.append).ask())
    assert heard == [agent.reports[0]]


def test_says_once_that_nobody_answers_and_once_that_somebody_does(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    agent = LinkAgent([slow_pipe()], known_ratio=0.8, seed=SEED, now_s=0.0)
    heard: list[NetworkReport] = []
    with served(agent) as url:
        reports = NetworkReports(url, heard.append)

        async def asking() -> None:
            await reports.ask()  # 503
            await reports.ask()
            agent.read(1.0)
            await reports.ask()
            await reports.ask()

        asyncio.run(asking())
    assert len(heard) == 2
    said = [record.getMessage() for record in caplog.records if "network reports" in record.getMessage()]
    assert said == [
        f"no network reports from {url}: HTTP Error 503: Service Unavailable; schemes do without them",
        f"network reports from {url}: 8 of 10 switches",
    ]


def test_an_agent_that_is_none_is_survived() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    asyncio.run(NetworkReports(f"http://127.0.0.1:{port}/lanes/0", lambda report: pytest.fail(str(report))).ask())


def test_an_answer_of_brackets_is_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    brackets = io.BytesIO(b"[" * network_reports.LARGEST_REPORT_BYTES)
    monkeypatch.setattr(network_reports._opener, "open", lambda url, timeout: brackets)
    asyncio.run(NetworkReports("http://127.0.0.1/lanes/0", lambda report: pytest.fail(str(report))).ask())
    assert brackets.closed


def test_a_sessions_scheme_hears_what_the_switches_count(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = LinkAgent([slow_pipe()], known_ratio=0.8, seed=SEED, now_s=0.0)
    agent.read(1.0)

    async def whole(url: str) -> None:
        heard: asyncio.Queue[tuple[NetworkReport, float]] = asyncio.Queue()
        monkeypatch.setattr(Owl, "on_network_report", lambda _owl, report, *, now_s: heard.put_nowait((report, now_s)))
        server = await start_server(dataclasses.replace(options_for(film), network_reports=url))
        try:
            address = f"https://127.0.0.1:{server.port}"
            async with (
                open_session(f"{address}/v1/cubic", origin=ORIGIN, receiver=Observer()),
                open_session(f"{address}/v1/owl", origin=ORIGIN, receiver=Observer()),
            ):
                report, now_s = await heard.get()
                assert report == agent.reports[0]
                assert now_s == pytest.approx(asyncio.get_running_loop().time(), abs=1.0)
        finally:
            await server.stop()

    with served(agent) as url:
        run(whole(url))
