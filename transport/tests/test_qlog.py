"""The qlogs of a session's two ends, as files that can be read while they grow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cc.core import qlog
from cc.receiver.presets import preset
from cc.registry import scheme
from transport.aioquic_adapter import withheld
from transport.aioquic_adapter.qlog import ConnectionQlogs
from transport.headless.receive import ReceiveOptions, receive
from transport.qlog_file import QlogFile
from transport.tests.serving import ORIGIN, run, running_server

Record = dict[str, Any]


def read(path: Path) -> list[Record]:
    """The records of a file."""
    assert path.suffix == qlog.SUFFIX
    return [json.loads(text) for text in path.read_text().split(qlog.RECORD_SEPARATOR)[1:]]


def named(events: list[Record], name: str) -> list[Record]:
    """What events of a kind say."""
    return [event["data"] for event in events if event["name"] == name]


def test_both_ends_tell_of_the_same_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withheld, "FIRST_PERIOD_PACKETS", 16)

    async def whole() -> None:
        async with running_server(tmp_path, tmp_path / "server") as url:
            await receive(
                ReceiveOptions(
                    url=url,
                    origin=ORIGIN,
                    scheme=scheme("nuwa"),
                    preset=preset("on-demand"),
                    seconds=0.5,
                    token="1795956058.not-to-be-told",
                    qlog_directory=tmp_path / "client",
                )
            )

    run(whole())
    ((head, *asked), (server_head, *granted)) = (read(next((tmp_path / end).iterdir())) for end in ("client", "server"))
    assert (head["trace"]["vantage_point"], server_head["trace"]["vantage_point"]) == (
        {"type": "client"},
        {"type": "server"},
    )
    requests = {each["sequence"]: each for each in named(asked, "nuwa:window_requested")}
    grants = named(granted, "nuwa:window_granted")
    assert len(grants) > 3
    for grant in grants:
        request = requests[grant["sequence"]]
        assert grant["requested_bytes"] == request["window_bytes"]
        assert grant["queueing_delay_ms"] == pytest.approx(request["queueing_delay_ms"], abs=0.002)
        assert grant["granted_bytes"] <= grant["requested_bytes"]
    assert named(granted, "nuwa:choice_changed")[0]["scheme"] == "nuwa"
    assert named(asked, "nuwa:receiver_updated")[-1]["target_delay_ms"] > 0
    assert any("pacing_rate" in data for data in named(granted, "recovery:metrics_updated"))
    assert named(granted, "transport:packet_sent")
    assert "packet_number" in named(granted, "nuwa:packet_withheld")[0]
    assert server_head["trace"]["common_fields"]["group_id"] == next((tmp_path / "server").iterdir()).stem
    assert named(granted, "recovery:congestion_state_updated")[0]["old"] == "slow_start"
    for end in ("client", "server"):
        assert "not-to-be-told" not in next((tmp_path / end).iterdir()).read_text()
    for events in (asked, granted):
        times = [event["time"] for event in events]
        assert times == sorted(times)


def test_requests_are_told_without_their_secrets(tmp_path: Path) -> None:
    trace = ConnectionQlogs(tmp_path).start_trace(is_client=False, odcid=bytes(8))
    told = trace.encode_http3_headers_frame(
        length=9,
        headers=[
            (b":path", b"/v1/nuwa?token=1795956058.secret&preset=live"),
            (b"cookie", b"nuwa-token=secret"),
            (b"authorization", b"Bearer secret"),
            (b"range", b"bytes=0-9"),
        ],
        stream_id=0,
    )
    trace.close()
    assert [(field["name"], field["value"]) for field in told["frame"]["headers"]] == [
        (":path", "/v1/nuwa?token=(hidden)&preset=live"),
        ("cookie", "(hidden)"),
        ("authorization", "(hidden)"),
        ("range", "bytes=0-9"),
    ]


def test_a_file_that_cannot_be_written_ends_the_log_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    full = QlogFile(Path("/dev/full"), qlog.head("a", "client"))
    full.write(qlog.event("nuwa:stall_ended", {"text": "x" * 100_000}, time_s=1.0))
    full.write(qlog.event("nuwa:stall_ended", {}, time_s=2.0))
    full.close()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "the qlog /dev/full ends here, since it cannot be written: [Errno 28] No space left on device"
    ]
    (tmp_path / "file").touch()
    trace = ConnectionQlogs(tmp_path / "file").start_trace(is_client=False, odcid=bytes(8))
    trace.log_event(category="transport", event="packet_sent", data={})
    trace.close()
    assert f"{tmp_path / 'file'}" in caplog.records[-1].getMessage()
