"""Policies load only as their cards say, and answer as their cards say."""

from __future__ import annotations

import io
import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

from cc.core.decision import Choices, DecisionRequest
from cc.registry import SCHEMES
from cc.simulation.json_lines import answers
from models import command
from models.policies import find
from models.policies.card import CardError, read_card
from models.policies.card_page import card_page
from models.policies.folder import POLICIES
from models.policies.policy import MAX_MODEL_BYTES, PolicyError, known_policies, load_policy
from models.policies.runner import PolicyRunner
from models.simulation import command as simulation

NAMES = known_policies()
NAME = "bbr-fit"
each_policy = pytest.mark.parametrize("name", NAMES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for ending in ("json", "onnx"):
        shutil.copy(POLICIES / f"{NAME}.{ending}", tmp_path)
    return tmp_path


def change_card(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    file = folder / f"{NAME}.json"
    card = json.loads(file.read_text(encoding="utf-8"))
    change(card)
    file.write_text(json.dumps(card), encoding="utf-8")


def test_another_policys_card_is_refused(folder: Path) -> None:
    """Both files are sound, and of the same features: another policy would serve under this name."""
    for ending in ("json", "onnx"):
        shutil.copy(POLICIES / f"owl-ppo.{ending}", folder / f"owl.{ending}")
    with pytest.raises(PolicyError, match=r"owl\.json is that of policy owl-ppo: put back its own"):
        load_policy("owl", folder)


def test_a_folders_policies_come_before_those_that_are_shipped(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / f"{NAME}.onnx").write_bytes(b"broken")
    assert command.main(["check", NAME, "owl", "--policies", str(folder)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "has SHA-256" in found[NAME]
    assert found["owl"] is None
    monkeypatch.setattr("sys.stdin", io.StringIO(request_line(NAME) + "\n"))
    assert simulation.main(["-", "--policies", str(folder)]) == 0
    assert "has SHA-256" in json.loads(capsys.readouterr().out)["error"]["message"]


def test_to_say_better_what_a_feature_means_makes_no_other_policy(folder: Path) -> None:
    change_card(folder, lambda card: card["features"][0].update(meaning="in other words"))
    change_card(folder, lambda card: card["actions"].update(meaning="in other words"))
    assert load_policy(NAME, folder).card.space.features[0].meaning == "in other words"


@each_policy
def test_every_shipped_policy_loads_and_answers(name: str) -> None:
    policy = load_policy(name)
    card = policy.card
    assert card.name == name
    assert name in [scheme.policy for scheme in SCHEMES]
    assert (POLICIES / f"{name}.onnx").stat().st_size <= MAX_MODEL_BYTES
    rng = np.random.default_rng(1)
    low = np.tile([feature.low for feature in card.space.features], card.space.history)
    high = np.tile([feature.high for feature in card.space.features], card.space.history)
    runner = policy.runner()
    for number in range(20):
        action = runner.decide(DecisionRequest(number, tuple(rng.uniform(low, high))))
        assert action is not None
        assert card.space.accepts(action)


@each_policy
def test_the_page_is_written_from_the_card(name: str) -> None:
    page = (POLICIES / f"{name}.md").read_text(encoding="utf-8")
    assert page == card_page(read_card(POLICIES / f"{name}.json")) + "\n"


@each_policy
def test_cards_tell_of_three_seeds_and_how_the_model_was_made(name: str) -> None:
    card = read_card(POLICIES / f"{name}.json")
    assert len(card.results["test_reward_of_seeds"]) >= 3
    assert card.training.command.startswith(f"npm run train -- --policy {name} --seed ")
    assert not card.training.commit.endswith("+"), "trained with files that no commit has"


def test_a_card_survives_its_file(folder: Path) -> None:
    card = read_card(folder / f"{NAME}.json")
    discrete = replace(card, space=replace(card.space, actions=Choices((0.5, 2.0), "factor")), recurrent_units=8)
    (folder / "again.json").write_text(discrete.as_json(), encoding="utf-8")
    assert read_card(folder / "again.json") == discrete


def test_an_unknown_policy_names_those_there_are(folder: Path) -> None:
    with pytest.raises(PolicyError, match=r"policy 'owls' has no card .*; known policies: bbr-fit"):
        load_policy("owls", folder)


def test_answers_for_the_browser_are_no_policy(folder: Path) -> None:
    (folder / f"{NAME}.vectors.json").write_text("{}", encoding="utf-8")
    assert known_policies(folder) == [NAME]


def test_a_trainings_own_files_are_no_policies(folder: Path) -> None:
    for name in ("run", "validation"):
        (folder / f"{name}.json").write_text("{}", encoding="utf-8")
    assert known_policies(folder) == [NAME]


def test_a_missing_model_is_named(folder: Path) -> None:
    (folder / f"{NAME}.onnx").unlink()
    with pytest.raises(PolicyError, match=r"bbr-fit.onnx cannot be read: No such file"):
        load_policy(NAME, folder)


def test_a_truncated_model_is_refused(folder: Path) -> None:
    model = folder / f"{NAME}.onnx"
    model.write_bytes(model.read_bytes()[:-100])
    with pytest.raises(PolicyError, match=r"has SHA-256 .*, and its card says"):
        load_policy(NAME, folder)


def test_a_model_that_is_none_is_refused(folder: Path) -> None:
    (folder / f"{NAME}.onnx").write_bytes(b"")
    digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # of nothing
    change_card(folder, lambda card: card["model"].update(sha256=digest))
    with pytest.raises(PolicyError, match="is none that onnxruntime can run"):
        load_policy(NAME, folder)


def test_a_model_whose_names_are_no_text_is_refused_without_a_word(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = folder / f"{NAME}.onnx"
    model = file.read_bytes().replace(b"observation", b"observati\xadn")
    file.write_bytes(model)
    change_card(folder, lambda card: card["model"].update(sha256=sha256(model).hexdigest()))
    with pytest.raises(PolicyError, match="is none that onnxruntime can run"):
        load_policy(NAME, folder)
    assert capfd.readouterr().out == ""  # where the media server's parent listens


def test_a_model_of_another_shape_is_refused(folder: Path) -> None:
    change_card(folder, lambda card: card["model"].update(recurrent_units=8))
    with pytest.raises(PolicyError, match=r"and its card wants .*'hidden': \[1, 8\]"):
        load_policy(NAME, folder)


def test_a_model_that_is_too_large_is_refused(folder: Path) -> None:
    (folder / f"{NAME}.onnx").write_bytes(bytes(MAX_MODEL_BYTES + 1))
    with pytest.raises(PolicyError, match="has 2000001 bytes, and 2000000 are the most"):
        load_policy(NAME, folder)


def test_features_must_be_the_schemes(folder: Path) -> None:
    change_card(folder, lambda card: card["features"].reverse())
    with pytest.raises(PolicyError, match="for other features, history or actions than scheme bbr-fit has"):
        load_policy(NAME, folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda card: card.pop("history"), "field 'history' is missing"),
        (lambda card: card.update(format=2), "format 2 is not 1"),
        (lambda card: card.update(name=3), "field 'name' is 3 and no text"),
        (lambda card: card["actions"].update(kind="shapes"), "kind 'shapes'; known kinds: choices, amount"),
        (lambda card: card["features"][0].update(low=9.0), "9 to 4 is no range"),
        (lambda card: card["model"].update(opset=float("inf")), "cannot convert float infinity to integer"),
        (lambda card: card.update(results=[]), r"results '\[\]' are no object"),
    ],
)
def test_a_malformed_card_is_refused(folder: Path, change: Callable[[dict[str, Any]], object], message: str) -> None:
    change_card(folder, change)
    with pytest.raises(CardError, match=message):
        read_card(folder / f"{NAME}.json")


class _Binding:
    """Of a model to the arrays that it reads and writes."""

    def __init__(self) -> None:
        self.inputs: dict[str, onnxruntime.OrtValue] = {}
        self.outputs: list[onnxruntime.OrtValue] = []

    def bind_ortvalue_input(self, name: str, value: onnxruntime.OrtValue) -> None:
        self.inputs[name] = value

    def bind_ortvalue_output(self, _name: str, value: onnxruntime.OrtValue) -> None:
        self.outputs.append(value)


class _Session:
    """Stands in for onnxruntime's, and gives what it is told."""

    def __init__(self, *outputs: list[float]) -> None:
        self.outputs = [np.array([output], np.float32) for output in outputs]
        self.seen: list[dict[str, Any]] = []

    def io_binding(self) -> _Binding:
        return _Binding()

    def run_with_iobinding(self, binding: _Binding) -> None:
        self.seen.append({name: value.numpy().copy() for name, value in binding.inputs.items()})
        for value, output in zip(binding.outputs, self.outputs, strict=True):
            value.update_inplace(output)


def runner(session: _Session, *, units: int | None = None) -> PolicyRunner:
    card = read_card(POLICIES / f"{NAME}.json")
    space = replace(card.space, actions=Choices((0.5, 1.0, 2.0), "factor"))
    return PolicyRunner(replace(card, space=space, recurrent_units=units), session)


REQUEST = DecisionRequest(0, (0.0,) * 30)


def test_the_best_score_is_the_action() -> None:
    assert runner(_Session([0.1, 0.3, 0.2])).decide(REQUEST) == 1


@pytest.mark.parametrize("answer", [float("nan"), float("inf")])
def test_no_finite_answer_is_none(answer: float) -> None:
    assert runner(_Session([0.1, answer, 0.2])).decide(REQUEST) is None


def test_the_memory_is_carried_on_unless_it_is_broken() -> None:
    session = _Session([0.1, 0.3, 0.2], [1.0, 2.0], [3.0, 4.0])
    recurrent = runner(session, units=2)
    recurrent.decide(REQUEST)
    recurrent.decide(REQUEST)
    assert session.seen[0]["hidden"].tolist() == [[0.0, 0.0]]
    assert session.seen[1]["hidden"].tolist() == [[1.0, 2.0]]
    assert session.seen[1]["cell"].tolist() == [[3.0, 4.0]]
    session.outputs[2] = np.array([[3.0, np.nan]], np.float32)
    assert recurrent.decide(REQUEST) is None
    assert recurrent.decide(REQUEST) is None
    assert session.seen[-1]["cell"].tolist() == [[3.0, 4.0]]


def request_line(scheme: str) -> str:
    flow = {"scheme": scheme}
    link = {"opportunities_ms": [1], "delay_ms": 20, "return_delay_ms": 20, "queue": {"packets": 40}}
    return json.dumps({"id": 1, "duration_s": 5.0, "link": link, "flows": [flow]})


def test_the_simulation_asks_the_policy() -> None:
    learned, bbr, again = (
        json.loads(next(answers([request_line(scheme)], random.Random, find.find_policy)))["flows"][0]
        for scheme in (NAME, "bbr", NAME)
    )
    assert learned == again
    assert learned["goodput_bits_per_s"] != bbr["goodput_bits_per_s"]


def test_cc_alone_refuses_learned_schemes() -> None:
    answer = json.loads(next(answers([request_line(NAME)], random.Random)))
    assert answer["error"]["message"] == "policy bbr-fit is not part of cc: run `nuwa simulate`"


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(request_line(NAME) + "\n"))
    assert simulation.main(["-"]) == 0
    [flow] = json.loads(capsys.readouterr().out)["flows"]
    assert flow["scheme"] == NAME
    assert flow["decisions"]["asked"] == flow["decisions"]["answered"] > 0
    assert (flow["decisions"]["late"], flow["decisions"]["failed"]) == (0, 0)


def test_schemes_are_checked_for_policies_that_can_be_had(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["check", "cubic", NAME]) == 0
    assert json.loads(capsys.readouterr().out) == {NAME: None}


def test_without_names_all_learned_schemes_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["check"]) == 0
    problems = json.loads(capsys.readouterr().out)
    assert list(problems) == [entry.name for entry in SCHEMES if entry.policy is not None]
    assert {name for name, problem in problems.items() if problem is None} == set(NAMES)


def test_a_scheme_without_its_policy_is_told_in_the_words_of_the_simulation(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("models.policies.policy.load_policy", partial(load_policy, folder=tmp_path))
    find.load.cache_clear()
    assert command.main(["check", NAME]) == 0
    [sentence] = json.loads(capsys.readouterr().out).values()
    simulated = json.loads(next(answers([request_line(NAME)], random.Random, find.find_policy)))
    assert simulated["error"]["message"] == sentence
    assert sentence == f"policy '{NAME}' has no card {tmp_path / NAME}.json; known policies: none"


def test_a_scheme_that_is_not_known_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["check", "owls", NAME, "bat"]) == 2
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {NAME: None}
    owls, bat = printed.err.splitlines()
    assert "scheme 'owls' is unknown" in owls
    assert "scheme 'bat' is unknown" in bat
