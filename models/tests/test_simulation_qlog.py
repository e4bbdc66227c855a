"""`nuwa simulate --qlog-dir`: what both ends of a simulated flow tell, and that telling changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cc.core import qlog
from models.simulation.command import main

RUN = ["nuwa", "cubic", "--link", "12mbit", "--seconds", "3", "--json"]


def read(path: Path) -> list[dict[str, Any]]:
    """The records of a file."""
    return [json.loads(text) for text in path.read_text().split(qlog.RECORD_SEPARATOR)[1:]]


def test_both_ends_are_told_of_and_the_run_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(RUN) == 0
    plain = capsys.readouterr().out
    assert main([*RUN, "--qlog-dir", str(tmp_path)]) == 0
    assert capsys.readouterr().out == plain
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "1-nuwa-receiver.sqlog",
        "1-nuwa-sender.sqlog",
        "2-cubic-sender.sqlog",
    ]
    head, *asked = read(tmp_path / "1-nuwa-receiver.sqlog")
    _, *granted = read(tmp_path / "1-nuwa-sender.sqlog")
    assert head == qlog.head("simulation: nuwa", "client", clock="virtual")
    requests = {event["data"]["sequence"]: event for event in asked if event["name"] == "nuwa:window_requested"}
    grants = [event for event in granted if event["name"] == "nuwa:window_granted"]
    assert len(grants) > 100
    for grant in grants:
        request = requests[grant["data"]["sequence"]]
        assert grant["data"]["requested_bytes"] == request["data"]["window_bytes"]
        assert grant["time"] >= request["time"]
    states = [event["data"] for event in granted if event["name"] == "recovery:congestion_state_updated"]
    assert states[0] == {"old": "slow_start", "new": "avoidance"}
    for events in (asked, granted, read(tmp_path / "2-cubic-sender.sqlog")[1:]):
        times = [event["time"] for event in events]
        assert times == sorted(times)
        assert {"nuwa:receiver_updated", "recovery:metrics_updated"} & {event["name"] for event in events}


def test_a_folder_that_cannot_be_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main([*RUN, "--qlog-dir", str(tmp_path / "file")]) == 2
    assert "--qlog-dir" in capsys.readouterr().err
