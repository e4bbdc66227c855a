"""Runs in real time, over the relay of transport/."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.laboratory.matrix.expand import expand_matrix
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.matrix.options import parse_options
from e2e.laboratory.places.child import ChildError
from e2e.laboratory.places.emulation import emulate
from e2e.laboratory.places.relay import open_relay, require_all_sent
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
    monkeypatch.setattr("e2e.laboratory.places.receiver.ORIGIN", "http://somewhere.else")
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
