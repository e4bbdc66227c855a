"""Simulated runs: lines in, lines out."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest

import cc.simulation.request as request_module
from cc.receiver.drwa import Drwa
from cc.registry import scheme
from cc.simulation.json_lines import answers
from cc.tests.schemes import Breaking, WithoutWindow

REQUEST: dict[str, Any] = {
    "id": "a",
    "link": {
        "opportunities_ms": [1],
        "queue": {"discipline": "droptail", "packets": 60, "wire_bytes": None},
        "delay_ms": 20,
        "return_delay_ms": 20,
        "loss_ratio": 0.0,
    },
    "flows": [
        {
            "scheme": "cubic",
            "preset": None,
            "start_s": 0,
            "stop_s": None,
            "extra_delay_ms": 0,
            "source": {"kind": "bulk"},
        }
    ],
    "duration_s": 2.0,
    "seed": 7,
    "interval_s": 0.5,
    "options": {"ack": "chromium", "timer_quantum_ms": 1, "feedback_interval_ms": 4},
    "packet_bytes": 1350,
}


def run(*requests: dict[str, Any]) -> list[Any]:
    return [json.loads(line) for line in answers([json.dumps(each) for each in requests], random.Random)]


def changed(path: str, value: object) -> dict[str, Any]:
    """The request with one field changed; `path` as in `link.queue.packets`."""
    request: dict[str, Any] = json.loads(json.dumps(REQUEST))
    *parents, field = path.split(".")
    place: Any = request
    for parent in parents:
        place = place[int(parent)] if parent.isdigit() else place[parent]
    place[field] = value
    return request


def test_the_uplink_and_mahimahis_clock_delay_what_comes_back() -> None:
    segments = {"kind": "on-off", "on_bytes": 5000, "off_s": 0.1}
    plain = changed("flows.0.source", segments)
    slow = json.loads(json.dumps(plain))
    slow["link"]["return_opportunities_ms"] = [10]
    late = json.loads(json.dumps(slow))
    late["link"]["clock"] = "mahimahi"
    plain_ms, slow_ms, late_ms = (answer["flows"][0]["rtt_mean_ms"] for answer in run(plain, slow, late))
    assert plain_ms + 3 < slow_ms < plain_ms + 7  # half of 10 ms on the average
    assert 0 < abs(late_ms - slow_ms) < 4


def test_a_run() -> None:
    (answer,) = run(REQUEST)
    assert answer["id"] == "a"
    (flow,) = answer["flows"]
    assert flow["scheme"] == "cubic"
    assert 0.9 * 12e6 < flow["goodput_bits_per_s"] < flow["throughput_bits_per_s"] <= 12.032e6
    delay = flow["queueing_delay"]
    assert 0 < delay["p50_ms"] <= delay["p95_ms"] <= delay["max_ms"] < 70
    assert flow["rtt_mean_ms"] > 40 + 0.5 * delay["mean_ms"]
    assert flow["decisions"] is None
    assert flow["packets_sent"] > 2000 > flow["packets_lost"] >= flow["spurious_losses"]
    assert answer["link"] == {
        "capacity_bits_per_s": pytest.approx(12.032e6),
        "throughput_bits_per_s": pytest.approx(flow["throughput_bits_per_s"]),
        "queueing_delay": delay,
        "dropped": flow["packets_lost"],
        "lost": 0,
    }
    intervals = answer["intervals"]
    assert intervals["end_s"] == [0.5, 1.0, 1.5, 2.0]
    assert intervals["capacity_bits_per_s"] == pytest.approx([12.032e6] * 4)
    (series,) = intervals["flows"]
    assert {len(values) for values in series.values()} == {4}
    assert sum(series["delivered_bits_per_s"]) / 4 == pytest.approx(flow["throughput_bits_per_s"])
    assert all(
        in_flight <= cwnd for in_flight, cwnd in zip(series["bytes_in_flight"], series["cwnd_bytes"], strict=True)
    )
    assert set(series) == {
        "delivered_bits_per_s",
        "queueing_delay_mean_ms",
        "queueing_delay_p95_ms",
        "cwnd_bytes",
        "bytes_in_flight",
        "pacing_bits_per_s",
    }


@pytest.mark.parametrize("discipline", ["droptail", "codel"])
def test_what_chance_loses_used_the_link_and_did_not_arrive(discipline: str) -> None:
    lossy = changed("link.loss_ratio", 0.1)
    lossy["link"]["queue"]["discipline"] = discipline
    lossy["flows"][0]["scheme"] = "bbr"
    (answer,) = run(lossy)
    (flow,), link = answer["flows"], answer["link"]
    assert link["lost"] > 50
    assert flow["throughput_bits_per_s"] == pytest.approx(0.9 * link["throughput_bits_per_s"], rel=0.02)
    assert 1 < flow["throughput_bits_per_s"] / flow["goodput_bits_per_s"] < 1.06  # headers, and what came twice
    (series,) = answer["intervals"]["flows"]
    assert sum(series["delivered_bits_per_s"]) / 4 == pytest.approx(flow["throughput_bits_per_s"])


def test_what_is_left_out_has_a_default() -> None:
    answer = run({"link": {"opportunities_ms": [1]}, "flows": [{"scheme": "newreno"}], "duration_s": 0.25})[0]
    assert answer["id"] is None
    assert answer["intervals"]["end_s"] == pytest.approx([0.1, 0.2, 0.25])


def test_a_seed_repeats_a_run_and_another_does_not() -> None:
    lossy = changed("link.loss_ratio", 0.01)
    first, again = run(lossy, lossy)
    assert first == again
    assert first["link"]["lost"] > 0
    assert run({**lossy, "seed": 8})[0] != first


def test_several_flows() -> None:
    request = changed("flows", [{"scheme": "cubic"}, {"scheme": "nuwa", "preset": "live", "start_s": 0.5}])
    (answer,) = run(request)
    second = answer["intervals"]["flows"][1]
    assert second["delivered_bits_per_s"][0] == 0
    assert second["queueing_delay_mean_ms"][0] is None
    assert second["delivered_bits_per_s"][2] > 0
    of_all = answer["link"]["queueing_delay"]
    of_each = [flow["queueing_delay"] for flow in answer["flows"]]
    for quantity in ("mean_ms", "p50_ms", "p95_ms"):
        least, most = sorted(delay[quantity] for delay in of_each)
        assert least <= of_all[quantity] <= most
    assert of_all["max_ms"] == max(delay["max_ms"] for delay in of_each)
    request = changed(
        "flows", [{"scheme": "omniscient", "source": {"kind": "on-off", "on_bytes": 50_000, "off_s": 0.2}}]
    )
    (answer,) = run(request)
    assert answer["flows"][0]["queueing_delay"]["max_ms"] < 2
    assert answer["flows"][0]["goodput_bits_per_s"] < 3e6


@pytest.mark.parametrize("discipline", ["codel", "pie", "abc", "ce-threshold"])
def test_disciplines(discipline: str) -> None:
    (answer,) = run(changed("link.queue.discipline", discipline))
    assert answer["flows"][0]["goodput_bits_per_s"] > 0.7 * 12e6


def test_what_is_missing_is_said_to_be_missing() -> None:
    (answer,) = run({"link": {"opportunities_ms": [1]}, "flows": [{"scheme": "cubic"}]})
    assert answer["error"]["message"] == "duration_s is missing"


@pytest.mark.parametrize("line", ['{"id": NaN}', '{"id": [1]}', "[" * 100_000])
def test_no_line_stops_those_that_follow(line: str) -> None:
    refused, done = (json.loads(each) for each in answers([line, json.dumps(REQUEST)], random.Random))
    assert refused["id"] is None
    assert "flows" in done


def test_a_flow_that_stops_is_not_credited_with_what_drains_behind_it() -> None:
    """12 Mbit/s: a flow that stops while its queue is full gets no more of it than the link carried until then."""
    (answer,) = run({**changed("flows.0.stop_s", 1.0), "packet_bytes": 1200})
    assert answer["flows"][0]["throughput_bits_per_s"] < 1504 * 8000


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("flows", [], "flows must be a list of at least one object"),
        ("flows.0.scheme", "nope", "scheme 'nope' is unknown"),
        ("flows.0.preset", "live", None),
        ("flows.0.preset", 3, "preset '3' is unknown"),
        ("flows.0.source", {"kind": "poisson"}, "known sources: bulk, on-off"),
        ("flows.0.source", {"kind": "downloads"}, "take bulk or on-off"),
        ("flows.0.start_s", -1, "start_s -1 must be"),
        ("link.opportunities_ms", [3, 2], "trace"),
        ("link.opportunities_ms", [1.5], "whole milliseconds"),
        ("link.return_opportunities_ms", ["1"], "link.return_opportunities_ms must be a list of whole milliseconds"),
        ("link.opportunities_ms", [1, 10**400], "link.opportunities_ms has a time of more than 1e+12 ms"),
        ("link.return_opportunities_ms", [10**400], "link.return_opportunities_ms has a time of more than 1e+12 ms"),
        ("link.clock", "sundial", "link.clock 'sundial' is unknown; known clocks: exact, mahimahi"),
        ("link.queue.discipline", "red", "known disciplines: droptail, codel, pie, abc"),
        ("link.queue.packets", 0, "at least 1"),
        ("link.loss_ratio", 2, "loss ratio"),
        ("link.queue.packet", 60, "queue has an unknown field 'packet'; known fields: discipline, packets, wire_bytes"),
        ("sede", 3, "the run has an unknown field 'sede'"),
        ("flows.0.stop_s", 0, "stop_s 0 of a flow of cubic is not after its start_s 0"),
        ("options.ack", ["chromium"], "known ways"),
        ("options.ack", "never", "known ways: chromium, every-second, every-packet"),
        ("options.feedback_interval_ms", 0, "greater than 0"),
        ("options.feedback_interval_ms", 1e-320, "feedback interval of 1e-323 s must be a time from 1e-06 s on"),
        ("options.timer_quantum_ms", 1e-320, "timer quantum of 1e-323 s must be 0, or a time from 1e-06 s on"),
        ("duration_s", float("nan"), "duration_s nan"),
        ("duration_s", 10**400, "duration_s is more than 1e+12"),
        ("interval_s", 1e-320, "gives more than 1000000 intervals in 2 s"),
        ("packet_bytes", 1473, "packet_bytes 1473"),
        ("seed", "x", "seed 'x'"),
    ],
)
def test_a_run_that_cannot_be_understood_is_refused(path: str, value: object, reason: str | None) -> None:
    refused, done = run(changed(path, value), REQUEST)
    if reason is None:
        assert "error" not in refused  # a preset means nothing to a sender-side scheme
        return
    assert refused["id"] == "a"
    assert refused["error"]["scheme"] is None
    assert reason in refused["error"]["message"]
    assert "flows" in done


def test_lines_that_are_no_requests() -> None:
    lines = list(answers(["", "  \n", "{", "[]", "null"], random.Random))
    assert [json.loads(line)["id"] for line in lines] == [None] * 3


@pytest.mark.parametrize("fault", [Breaking, WithoutWindow])
def test_a_scheme_that_fails_ends_its_run_alone(fault: type[Breaking], monkeypatch: pytest.MonkeyPatch) -> None:
    broken = dataclasses.replace(scheme("cubic"), name="broken", make_sender=fault)
    monkeypatch.setattr(request_module, "scheme", lambda name: broken if name == "broken" else scheme(name))
    failed, done = run(changed("flows", [{"scheme": "newreno"}, {"scheme": "broken"}]), REQUEST)
    assert failed["error"]["scheme"] == "broken"
    assert set(failed["error"]["state"]) == {"cwnd_bytes", "pacing_rate_bytes_per_s"}
    assert ("no packets" in failed["error"]["message"]) == (fault is Breaking)
    assert "flows" in done


@pytest.mark.parametrize("method", ["expect_data", "on_stamp", "feedback"])
def test_a_receiver_that_fails_ends_its_run_alone(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no stamps")

    monkeypatch.setattr(Drwa, method, fail)
    failed, done = run(changed("flows", [{"scheme": "drwa"}]), REQUEST)
    assert failed["error"]["scheme"] == "drwa"
    assert failed["error"]["message"].startswith("its receiver: ZeroDivisionError: no stamps (")
    assert "flows" in done
