"""Receivers against the vectors that the browser's are held to as well (cc/receiver/receiver-vectors.test.ts)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cc.base import Phase
from cc.receiver.nuwa import NuwaParameters
from cc.receiver_base import Stamp
from cc.registry import Scheme
from cc.tests.record_receiver_vectors import FAULTS, RECEIVER_DRIVEN, receiver_maker, vectors_file

CASES: dict[str, list[dict[str, Any]]] = {
    entry.name: json.loads(vectors_file(entry).read_text()) for entry in RECEIVER_DRIVEN
}
EACH_SCHEME = pytest.mark.parametrize("entry", RECEIVER_DRIVEN, ids=lambda entry: entry.name)


@pytest.mark.parametrize(
    ("entry", "case"),
    [(entry, case) for entry in RECEIVER_DRIVEN for case in CASES[entry.name]],
    ids=lambda value: value.name if isinstance(value, Scheme) else value["name"],
)
def test_the_recorded_stamps_give_the_recorded_windows(entry: Scheme, case: dict[str, Any]) -> None:
    receiver = receiver_maker(entry)(NuwaParameters(**case["parameters"]))
    for step in case["steps"]:
        stamp = Stamp(**{**step["stamp"], "phase": Phase(step["stamp"]["phase"])})
        if step.get("told"):
            receiver.start_epoch(now_s=step["received_time_s"])
        receiver.on_stamp(stamp, received_time_s=step["received_time_s"])
        state = receiver.state(now_s=step["received_time_s"])
        assert receiver.window_packets == pytest.approx(step["window_packets"], rel=1e-9)
        assert state.queueing_delay_s == pytest.approx(step["queueing_delay_s"], rel=1e-9, abs=1e-12)
        assert state.raw_queueing_delay_s == pytest.approx(step["raw_queueing_delay_s"], rel=1e-9, abs=1e-12)
        assert receiver.epochs_begun == step["epochs_begun"]
        if step["bandwidth_bits_per_s"] is None:
            assert state.bandwidth_bits_per_s is None
        else:
            assert state.bandwidth_bits_per_s == pytest.approx(step["bandwidth_bits_per_s"], rel=1e-9)


@EACH_SCHEME
def test_the_cases_reach_every_phase_and_epoch(entry: Scheme) -> None:
    stamps = [step["stamp"] for case in CASES[entry.name] for step in case["steps"]]
    assert {stamp["phase"] for stamp in stamps} == {0, 1, 2}
    assert len({stamp["epoch"] for stamp in stamps}) > 1
    assert any(stamp["is_app_limited"] for stamp in stamps)


def test_nuwa_drains_the_queue_in_its_last_case() -> None:
    steps = CASES["nuwa"][-1]["steps"]
    assert [step for step in steps if step["window_bytes"] < 1200 * step["window_packets"] - 1200]


def test_clocks_that_step_begin_one_epoch_and_an_outage_none() -> None:
    epochs = {case["name"]: case["steps"][-1]["epochs_begun"] for case in CASES["nuwa"]}
    assert {name: epochs.pop(name) for name in FAULTS} == dict.fromkeys(FAULTS, 1)
    assert epochs.pop("the receiver is told that it slept") == 1
    assert "an outage of 5 s before a deep queue" in epochs
    assert set(epochs.values()) == {0}
