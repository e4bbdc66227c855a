from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from cc.simulation.checked_scheme import SchemeError
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.places import simulation
from e2e.laboratory.places.simulation import read_answer, simulate, simulation_request
from e2e.laboratory.plan import FlowChoice, OnOff
from e2e.laboratory.record import RunError, RunFailure, RunRecord
from e2e.laboratory.request import LinkChoice
from e2e.laboratory.result import SchemeDecisions
from e2e.laboratory.tests.samples import sample_link, sample_plan
from models.simulation.command import main as simulate_command

RECORDED = Path(__file__).parents[2] / "testdata" / "recorded-run.json"
"""Nuwa and CUBIC in one second over 2 Mbit/s with random loss."""
CHOICE = LinkChoice("2mbit", 20, 300, "droptail", 0.01)
DELAY = {"mean_ms": 1, "p50_ms": 1.5, "p95_ms": 2, "max_ms": 3}


def answer(**flow: object) -> dict[str, object]:
    """What the simulation says of two intervals."""
    measured = {
        "scheme": "owl",
        "goodput_bits_per_s": 8,
        "throughput_bits_per_s": 9.5,
        "queueing_delay": DELAY,
        "packets_sent": 7,
        "packets_lost": 0,
        "spurious_losses": 0,
        "rtt_mean_ms": None,
        "decisions": None,
    }
    intervals = {"delivered_bits_per_s": [8.0, 8.0], "queueing_delay_mean_ms": [None, 1.0]}
    intervals |= {"queueing_delay_p95_ms": [None, 1.0], "cwnd_bytes": [1, 2], "bytes_in_flight": [1, 2]}
    link = {"capacity_bits_per_s": 10, "throughput_bits_per_s": 8, "queueing_delay": DELAY, "dropped": 0, "lost": 0}
    return {
        "flows": [measured | flow],
        "link": link,
        "intervals": {
            "end_s": [0.1, 0.2],
            "capacity_bits_per_s": [10.0, 10.0],
            "flows": [intervals | {"pacing_bits_per_s": [None, 9.0]}],
        },
    }


def test_a_recorded_run_is_made_again_to_the_bit() -> None:
    recorded = msgspec.json.decode(RECORDED.read_bytes(), type=RunRecord)
    assert simulate(recorded.plan, load_link(CHOICE)) == recorded.result


def test_segments_are_timed() -> None:
    plan = sample_plan([FlowChoice("cubic", "on-demand", source=OnOff(27_001, 0.5))], duration_s=5.0)
    plan = replace(plan, link=replace(plan.link, name="12mbit"))
    segments = simulate(plan, load_link(replace(CHOICE, trace="12mbit"))).flows[0].segments
    assert segments is not None
    # 23 packets: 40 ms of path, 23 on the link, up to 25 for the last acknowledgement, then the pause
    assert segments.delivered == 9
    assert 60 < segments.mean_ms <= segments.p95_ms < 135


@pytest.mark.parametrize("name", ["cubic", "nuwa", "omniscient"])
def test_simulate_and_bench_answer_alike(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    choice = LinkChoice("lte-like", 20, 300, "droptail", 0.0)
    plan = sample_plan([FlowChoice(name, "on-demand")], duration_s=5.0)
    plan = replace(plan, link=replace(plan.link, name="lte-like", queue_packets=300))
    made = simulate(plan, load_link(choice))
    assert simulate_command([name, "--link", "lte-like", "--seconds", "5", "--json"]) == 0
    (flow,) = json.loads(capsys.readouterr().out)["flows"]
    assert flow["throughput_bits_per_s"] == made.flows[0].throughput_bits_per_s
    assert made.flows[0].queueing_delay is not None
    assert flow["queueing_delay"]["p95_ms"] == made.flows[0].queueing_delay.p95_ms


def test_a_request_says_all_there_is_to_say_with_the_runs_own_stretch_of_the_trace() -> None:
    flow = FlowChoice("cubic", "on-demand", start_s=0.5, extra_rtt_ms=40.0, source=OnOff(500, 2.0))
    plan = sample_plan([flow], seed=4, duration_s=0.01)
    plan = replace(plan, link=replace(plan.link, start_ms=3, loss_ratio=0.01, queue_packets=None))
    link = LoadedLink(CHOICE, "t", (2, 5), (1, 4), "", "")
    assert simulation_request(plan, link) == {
        "seed": 4,
        "duration_s": 0.01,
        "interval_s": 0.1,
        "packet_bytes": 1200,
        "link": {
            "opportunities_ms": [2, 4, 7, 9, 11],
            "return_opportunities_ms": [1, 2, 5, 6, 9, 10, 11],
            "clock": "mahimahi",
            "queue": {"discipline": "droptail", "packets": None, "wire_bytes": None},
            "delay_ms": 20,
            "return_delay_ms": 20,
            "loss_ratio": 0.01,
        },
        "flows": [
            {
                "scheme": "cubic",
                "preset": "on-demand",
                "start_s": 0.5,
                "stop_s": None,
                "extra_delay_ms": 40.0,
                "source": {"kind": "on-off", "on_bytes": 500, "off_s": 2.0},
            }
        ],
        "options": {"ack": "chromium"},
    }


def test_whoever_knows_the_link_is_never_late() -> None:
    request = simulation_request(sample_plan([FlowChoice("omniscient", "on-demand")]), sample_link(CHOICE))
    link = request["link"]
    assert isinstance(link, dict)
    assert link["clock"] == "exact"


def test_an_interval_goes_by_its_beginning() -> None:
    assert read_answer(answer()).intervals.begin_s == (0.0, 0.1)


def test_a_learned_schemes_decisions_are_read() -> None:
    counts = {"asked": 10, "answered": 9, "late": 0, "failed": 1}
    assert read_answer(answer(decisions=counts)).decisions == (
        SchemeDecisions("owl", is_loaded=True, decisions=10, answered=9, late=0, failed=1),
    )


def test_a_scheme_that_fails_is_named_with_its_state(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(run: object) -> None:
        raise SchemeError("bbr", "window of -1 bytes", {"cwnd_bytes": -1})

    monkeypatch.setattr(simulation, "run_and_answer", fail)
    with pytest.raises(RunError) as caught:
        simulate(sample_plan(), sample_link(CHOICE))
    assert caught.value.failure == RunFailure("window of -1 bytes", "bbr", {"cwnd_bytes": -1})


def test_what_cannot_be_run_is_a_failure_of_no_scheme() -> None:
    with pytest.raises(RunError, match="preset 'dead' is unknown") as caught:
        simulate(sample_plan([FlowChoice("nuwa", "dead")]), sample_link(CHOICE))
    assert caught.value.failure.scheme is None
