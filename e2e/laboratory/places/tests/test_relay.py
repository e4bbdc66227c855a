"""Runs in real time, over the relay of transport/."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from e2e.laboratory.matrix.expand import expand_matrix
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.matrix.options import parse_options
from e2e.laboratory.places.child import ChildError
from e2e.laboratory.places.emulated_link import EmulatedLink
from e2e.laboratory.places.emulation import emulate
from e2e.laboratory.places.relay import open_detour, open_relay, require_all_sent
from e2e.laboratory.record import RunError
from e2e.laboratory.result import RunResult


def run(flows: str, qlog: Path | None = None) -> RunResult:
    request = parse_options(f"--links 12mbit:queue=60 --on relay --seeds 1 --seconds 4 --flows {flows}".split())
    link = load_link(request.links[0])
    (condition,) = expand_matrix(request, [link])
    return emulate(condition.runs[0], link, open_link=open_relay, qlog_folder=qlog)


def test_two_flows_share_a_link_one_of_them_from_further_away(tmp_path: Path) -> None:
    result = run("nuwa,cubic@1:rtt=100", tmp_path / "qlog")
    nuwa, cubic = result.intervals.flows
    assert result.link.capacity_bits_per_s == pytest.approx(12e6, rel=0.1)
    assert result.link.throughput_bits_per_s > 6e6
    assert max(cubic.delivered_bits_per_s[:10]) == 0  # nothing before a flow begins
    assert max(nuwa.delivered_bits_per_s) > 1e6
    assert max(cubic.delivered_bits_per_s) > 0.2e6  # it has come late, to a full queue
    assert result.flows[1].rtt_mean_ms is not None
    assert result.flows[1].rtt_mean_ms > 100
    assert all(flow.queueing_delay is not None for flow in result.flows)
    assert len(list((tmp_path / "qlog").iterdir())) == 2


def test_a_flow_that_fails_ends_its_run_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("e2e.laboratory.places.emulation.ORIGIN", "http://somewhere.else")
    with pytest.raises(RunError, match=r"receiver of cubic ended early \(exit status 2\)") as caught:
        run("cubic")
    assert caught.value.failure.scheme == "cubic"
    assert "server" in caught.value.failure.state


@pytest.mark.parametrize("kind", ["datagrams_unsent", "datagrams_refused", "datagrams_turned_away", "datagrams_missed"])
def test_what_a_relay_lost_itself_is_not_taken_for_its_links_loss(kind: str) -> None:
    require_all_sent(['{"event":"upstream"}', '{"event":"ended","datagrams_unsent":0,"datagrams_refused":0}'])
    require_all_sent([])  # it was killed
    with pytest.raises(ChildError, match="lost 3 datagrams beside its link"):
        require_all_sent([json.dumps({"event": "ended", kind: 3})])


LOSING = """
import json, sys
print(json.dumps({"lanes": [{"port": 4433}], "link": {"started_at_ms": 0}}), flush=True)
sys.stdin.read()
print(json.dumps({"event": "ended", "datagrams_missed": 3}))
"""


class Link(EmulatedLink):
    host = "127.0.0.1"

    async def connect(self, server_port: int) -> int:
        return server_port

    async def close(self) -> str:
        return ""


async def detour() -> None:
    async with open_detour(Link(), 4433, extra_rtt_ms=100.0) as address:
        assert address == ("127.0.0.1", 4433)


def test_nor_is_what_a_detour_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("e2e.laboratory.places.relay.RELAY", (sys.executable, "-c", LOSING))
    with pytest.raises(ChildError, match="lost 3 datagrams beside its link"):
        asyncio.run(detour())


@pytest.mark.parametrize("words", ["a warning", "{}"])
def test_other_words_than_that_it_is_ready_end_a_run_and_no_others(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("e2e.laboratory.places.relay.RELAY", (sys.executable, "-c", f"print({words!r})"))
    with pytest.raises(RunError, match="instead of that it is ready"):
        asyncio.run(detour())
