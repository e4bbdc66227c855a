"""Nuwa against the vectors that the browser's Nuwa is held to as well (cc/receiver/nuwa.test.ts)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cc.base import Phase
from cc.receiver.nuwa import Nuwa, NuwaParameters
from cc.receiver_base import Stamp
from cc.tests.record_nuwa_vectors import FAULTS, VECTORS_FILE

CASES: list[dict[str, Any]] = json.loads(VECTORS_FILE.read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_recorded_stamps_give_the_recorded_windows(case: dict[str, Any]) -> None:
    nuwa = Nuwa(NuwaParameters(**case["parameters"]))
    for step in case["steps"]:
        stamp = Stamp(**{**step["stamp"], "phase": Phase(step["stamp"]["phase"])})
        if step.get("told"):
            nuwa.start_epoch(now_s=step["received_time_s"])
        nuwa.on_stamp(stamp, received_time_s=step["received_time_s"])
        state = nuwa.state(now_s=step["received_time_s"])
        assert nuwa.window_packets == pytest.approx(step["window_packets"], rel=1e-9)
        assert state.queueing_delay_s == pytest.approx(step["queueing_delay_s"], rel=1e-9, abs=1e-12)
        assert state.raw_queueing_delay_s == pytest.approx(step["raw_queueing_delay_s"], rel=1e-9, abs=1e-12)
        assert nuwa.epochs_begun == step["epochs_begun"]
        if step["bandwidth_bits_per_s"] is None:
            assert state.bandwidth_bits_per_s is None
        else:
            assert state.bandwidth_bits_per_s == pytest.approx(step["bandwidth_bits_per_s"], rel=1e-9)


def test_the_cases_reach_every_part_of_the_algorithm() -> None:
    phases = {step["stamp"]["phase"] for case in CASES for step in case["steps"]}
    epochs = {step["stamp"]["epoch"] for case in CASES for step in case["steps"]}
    assert phases == {0, 1, 2}
    assert len(epochs) > 1
    drained = [s for s in CASES[-1]["steps"] if s["window_bytes"] < 1200 * s["window_packets"] - 1200]
    assert drained


def test_clocks_that_step_begin_one_epoch_and_an_outage_none() -> None:
    epochs = {case["name"]: case["steps"][-1]["epochs_begun"] for case in CASES}
    assert {name: epochs.pop(name) for name in FAULTS} == dict.fromkeys(FAULTS, 1)
    assert epochs.pop("the receiver is told that it slept") == 1
    assert "an outage of 5 s before a deep queue" in epochs
    assert set(epochs.values()) == {0}
