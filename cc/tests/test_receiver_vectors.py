"""Receivers against the vectors that the browser's are held to as well (cc/receiver/receiver-vectors.test.ts)."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from typing import Any

import pytest

from cc.core.base import Phase
from cc.core.decision import Learned
from cc.core.nuwa_parameters import ALL_PARAMETERS, NuwaParameters, ParameterName
from cc.core.receiver_base import Need, Stamp
from cc.core.scheme import Scheme
from cc.receiver.nuwa_rl import NuwaRl
from cc.receiver.window_receiver import WindowReceiver
from cc.tests.record_receiver_vectors import (
    FAULTS,
    LONGER_STEPPED,
    RECEIVER_DRIVEN,
    SCHEMES_FILE,
    receiver_maker,
    vectors_file,
    vectors_of_schemes,
)

CASES: dict[str, list[dict[str, Any]]] = {
    entry.name: json.loads(vectors_file(entry).read_text()) for entry in RECEIVER_DRIVEN
}
ANEW = (
    "another window than was recorded: if its law is meant to change, change its TypeScript, too, and record anew:"
    " `.venv/bin/python -m cc.tests.record_receiver_vectors SCHEME`"
)
EACH_SCHEME = pytest.mark.parametrize("entry", RECEIVER_DRIVEN, ids=lambda entry: entry.name)


@pytest.mark.parametrize(
    ("entry", "case"),
    [(entry, case) for entry in RECEIVER_DRIVEN for case in CASES[entry.name]],
    ids=lambda value: value.name if isinstance(value, Scheme) else value["name"],
)
def test_the_recorded_stamps_give_the_recorded_windows(entry: Scheme, case: dict[str, Any]) -> None:
    replay(receiver_maker(entry)(NuwaParameters(**case["parameters"])), case)


@EACH_SCHEME
def test_counts_that_wrap_change_nothing(entry: Scheme) -> None:
    for case in CASES[entry.name]:
        replay(receiver_maker(entry)(NuwaParameters(**case["parameters"])), counted_from_before_wrapping(case))


def counted_from_before_wrapping(case: dict[str, Any]) -> dict[str, Any]:
    """The same stamps, whose counts pass 2^32 in the middle."""
    counts = ("sequence", "packets_sent")
    middle = case["steps"][len(case["steps"]) // 2]["stamp"]
    steps = [
        {**step, "stamp": {**step["stamp"], **{name: (step["stamp"][name] - middle[name]) % 2**32 for name in counts}}}
        for step in case["steps"]
    ]
    return {**case, "steps": steps}


def test_the_browser_is_told_of_every_receiver_driven_scheme() -> None:
    assert json.loads(SCHEMES_FILE.read_text()) == vectors_of_schemes()


@pytest.mark.parametrize("case", CASES["nuwa"], ids=lambda case: case["name"])
def test_without_answers_nuwa_rl_gives_the_windows_of_nuwa(case: dict[str, Any]) -> None:
    receiver = NuwaRl(NuwaParameters(**case["parameters"]))
    replay(receiver, case)
    assert receiver.k == case["parameters"]["k"]


def replay(receiver: WindowReceiver, case: dict[str, Any]) -> None:
    """The same events again, with the same outcome."""
    for step in case["steps"]:
        tell(receiver, step)
        state = receiver.state(now_s=step["received_time_s"])
        assert receiver.window_packets == pytest.approx(step["window_packets"], rel=1e-9), ANEW
        assert state.window_bytes == step["window_bytes"]
        assert same_or_none(state.target_delay_s, step["target_delay_s"])
        assert state.queueing_delay_s == pytest.approx(step["queueing_delay_s"], rel=1e-9, abs=1e-12)
        assert state.raw_queueing_delay_s == pytest.approx(step["raw_queueing_delay_s"], rel=1e-9, abs=1e-12)
        assert same_or_none(state.wanted_bits_per_s, step.get("wanted_bits_per_s"))
        assert state.is_held == step.get("is_held", False)
        assert receiver.epochs_begun == step["epochs_begun"]
        assert same_or_none(state.bandwidth_bits_per_s, step["bandwidth_bits_per_s"])
        if "feedback_s" in step:
            receiver.feedback(now_s=step["feedback_s"])
            replay_decision(receiver, step)


@EACH_SCHEME
@pytest.mark.parametrize("name", ALL_PARAMETERS)
def test_a_scheme_goes_by_the_parameters_that_its_entry_names(entry: Scheme, name: ParameterName) -> None:
    moves = False
    for index, case in enumerate(CASES["nuwa"]):
        parameters = NuwaParameters(**case["parameters"])
        changed = with_another(parameters, name)
        if changed is not None and not moves:
            moves = windows_of(entry, changed, index) != windows_of(entry, parameters, index)
    assert moves == (name in entry.reads)


def with_another(parameters: NuwaParameters, name: ParameterName) -> NuwaParameters | None:
    """None where there are none with it: the paper's law neither catches up nor follows a need."""
    value = getattr(parameters, name)
    another = not value if isinstance(value, bool) else 10 - value if name == "k" else 1.25 * value
    try:
        return dataclasses.replace(parameters, **{name: another})
    except ValueError:
        return None


@cache  # those of a case's own parameters are compared with each change of one
def windows_of(entry: Scheme, parameters: NuwaParameters, index: int) -> list[float | None]:
    """Its windows after the stamps of one of Nuwa's cases."""
    receiver = receiver_maker(entry)(parameters)
    windows = []
    for step in CASES["nuwa"][index]["steps"]:
        tell(receiver, step)
        windows.append(receiver.window_packets)
    return windows


def tell(receiver: WindowReceiver, step: dict[str, Any]) -> None:
    """What reached the receiver in a step."""
    if step.get("told"):
        receiver.start_epoch(now_s=step["received_time_s"])
    if "need" in step:
        receiver.on_need(Need(**step["need"]), now_s=step["received_time_s"])
    stamp = Stamp(**{**step["stamp"], "phase": Phase(step["stamp"]["phase"])})
    receiver.on_stamp(stamp, received_time_s=step["received_time_s"], late_s=step.get("late_s", 0.0))


def same_or_none(value: float | None, recorded: float | None) -> bool:
    """To 1e-9."""
    if value is None or recorded is None:
        return value is recorded
    return value == pytest.approx(recorded, rel=1e-9)


def replay_decision(receiver: WindowReceiver, step: dict[str, Any]) -> None:
    """The request that the feedback brought, and the answer that was given after it."""
    assert isinstance(receiver, Learned)
    if "request" in step:
        request = receiver.request
        assert request is not None
        assert request.sequence == step["request"]["sequence"]
        assert request.observation == pytest.approx(step["request"]["observation"], rel=1e-9, abs=1e-12)
    if "answer" in step:
        receiver.on_decision(**step["answer"])
    assert receiver.state(now_s=step["feedback_s"]).k == pytest.approx(step["k"], rel=1e-9)


@EACH_SCHEME
def test_the_cases_reach_every_phase_and_epoch(entry: Scheme) -> None:
    stamps = [step["stamp"] for case in CASES[entry.name] for step in case["steps"]]
    assert {stamp["phase"] for stamp in stamps} == {0, 1, 2}
    assert len({stamp["epoch"] for stamp in stamps}) > 1
    assert any(stamp["is_app_limited"] for stamp in stamps)


def test_nuwa_rls_cases_hold_every_kind_of_answer() -> None:
    steps = [step for case in CASES["nuwa-rl"] for step in case["steps"]]
    actions = [step["answer"]["action"] for step in steps if "answer" in step]
    assert {0, 1, 2, 3, 4, None, 5, 0.5} <= set(actions)
    assert sum("request" in step for step in steps) > len(actions)  # some were never answered
    assert any("answer" in step and "request" not in step for step in steps)  # some too late
    ks = [step["k"] for step in steps if "k" in step]
    assert min(ks) == 1.0
    assert max(ks) == 9.0
    assert len(set(ks)) > 10
    assert any(step["request"]["observation"][2] > 0 for step in steps if "request" in step)


def test_nuwa_rls_cases_tell_what_its_policy_sees() -> None:
    for case in CASES["nuwa-rl"]:
        assert case["policy_space"] == json.loads(json.dumps(dataclasses.asdict(NuwaRl.policy_space)))


def test_nuwa_drains_the_queue_in_its_last_case() -> None:
    steps = CASES["nuwa"][-1]["steps"]
    assert [step for step in steps if step["window_bytes"] < 1200 * step["window_packets"] - 1200]


def test_clocks_that_step_begin_one_epoch_and_an_outage_none() -> None:
    epochs = {case["name"]: case["steps"][-1]["epochs_begun"] for case in CASES["nuwa"]}
    assert {name: epochs.pop(name) for name in FAULTS} == dict.fromkeys(FAULTS, 1)
    assert epochs.pop("the receiver is told that it slept") == 1
    assert epochs.pop("the peer moves to a longer path") == 1
    assert epochs.pop("a path becomes longer, then shorter") == 1
    assert epochs.pop(LONGER_STEPPED) == 2
    assert "an outage of 5 s before a deep queue" in epochs
    assert set(epochs.values()) == {0}
