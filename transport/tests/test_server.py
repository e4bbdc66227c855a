"""A server and a client over real sockets on loopback: every scheme, what the receiver reports, and the seed."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path

import pytest

from cc.receiver.nuwa import Nuwa
from cc.receiver.observer import Observer
from cc.receiver.presets import preset
from cc.registry import scheme
from cc.sender.newreno import NewReno
from transport.headless.client import open_session
from transport.headless.receive import ReceiveOptions, receive
from transport.media_server.server import connection_generators, start_server
from transport.tests.serving import ORIGIN, options_for, run, running_server
from transport.udp.socket import bind


def test_nuwas_window_is_the_one_that_the_server_uses(film: Path) -> None:
    receiver = Nuwa(preset("on-demand").parameters)

    async def whole() -> None:
        async with (
            running_server(film) as url,
            open_session(url + "/v1/nuwa", origin=ORIGIN, receiver=receiver) as client,
        ):
            pairs: list[tuple[int, int | None]] = []
            client.stamp_observer = lambda stamp, now_s: pairs.append(
                (stamp.cwnd_bytes, receiver.state(now_s=now_s).window_bytes)
            )
            await client.download("generated/10000000", on_data=lambda data: None)
            granted = {cwnd for cwnd, _ in pairs} & {window for _, window in pairs}
            assert len(granted) > 3  # to the byte; on a busy machine the guard often grants less

    run(whole())


def test_the_headless_receiver_reports_what_it_measured(film: Path) -> None:
    async def whole() -> None:
        async with running_server(film) as url:
            report = await receive(
                ReceiveOptions(
                    url=url,
                    origin=ORIGIN,
                    scheme=scheme("nuwa"),
                    preset=preset("on-demand"),
                    seconds=1.0,
                    interval_s=0.25,
                )
            )
        assert report.received_bytes > 100_000
        assert report.throughput_bits_per_s == pytest.approx(8 * report.received_bytes / report.seconds)
        assert report.queueing_delay_p95_s is not None
        assert report.stamps_received > 10
        assert report.intervals is not None
        assert len(report.intervals.received_bytes) == 4
        assert 0 < sum(report.intervals.received_bytes) < sum(report.intervals.payload_bytes)
        assert report.intervals.cwnd_bytes[-1] is not None
        assert json.loads(json.dumps(report.as_json()))["scheme"] == "nuwa"
        assert "throughput" in report.as_text()

    run(whole())


def test_where_nobody_answers_the_client_says_so() -> None:
    async def whole() -> None:
        silent = bind("127.0.0.1", 0)
        try:
            url = f"https://127.0.0.1:{silent.getsockname()[1]}/v1/cubic"
            async with open_session(url, origin=ORIGIN, receiver=Observer()):
                raise AssertionError("the session was opened")
        finally:
            silent.close()

    with pytest.raises(ConnectionError, match="no media server answered"):
        run(whole())


def test_a_seed_repeats_each_connections_random_numbers() -> None:
    first, again, other = (connection_generators(seed) for seed in (7, 7, 8))
    drawn = [first().random() for _ in range(2)]
    assert drawn == [random.Random("7 flow 0").random(), random.Random("7 flow 1").random()]
    assert [again().random() for _ in range(2)] == drawn
    assert other().random() not in drawn
    unseeded = connection_generators(None)
    assert unseeded().random() != unseeded().random()


def test_a_connections_scheme_gets_the_seeded_generator(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    class Recorded(NewReno):
        def __init__(self, *, max_datagram_bytes: int, rng: random.Random) -> None:
            given.append(rng.getstate())
            super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)

    monkeypatch.setattr("transport.media_server.media_protocol.NewReno", Recorded)

    async def scenario() -> None:
        server = await start_server(dataclasses.replace(options_for(film), seed=7))
        try:
            url = f"https://127.0.0.1:{server.port}/v1/cubic"
            async with open_session(url, origin=ORIGIN, receiver=Observer()):
                assert given == [random.Random("7 flow 0").getstate()]
        finally:
            await server.stop()

    run(scenario())
