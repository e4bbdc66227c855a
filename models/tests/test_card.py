"""Cards: where a training was resumed, which traces were missing, and that shipped cards stay as they are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from models.policies.card import Card, CardError, read_card
from models.policies.card_page import MISSING_TEST_TRACES, card_page
from models.policies.folder import POLICIES
from models.policies.policy import known_policies
from models.recipes import recipe

SENTENCE = "- **Resumed** after 64, 96 decisions: later scenarios are drawn anew; the command repeats what came before."


def resumed(*steps: int) -> Card:
    card = read_card(POLICIES / "bbr-fit.json")
    return replace(card, training=replace(card.training, resumed_at_steps=steps))


def test_resumptions_are_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "bbr-fit.json"
    file.write_text(resumed(64, 96).as_json(), encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8"))["training"]["resumed_at_steps"] == [64, 96]
    assert read_card(file) == resumed(64, 96)


def test_resumptions_are_on_the_page() -> None:
    assert SENTENCE in card_page(resumed(64, 96)).splitlines()
    assert "Resumed" not in card_page(resumed())


def without_traces() -> Card:
    card = read_card(POLICIES / "bbr-fit.json")
    training = replace(card.training, missing_traces=("ATT-LTE-driving",))
    return replace(card, training=training, results={**card.results, MISSING_TEST_TRACES: ["TMobile-LTE-short"]})


def test_missing_traces_are_written_read_and_on_the_page(tmp_path: Path) -> None:
    file = tmp_path / "bbr-fit.json"
    file.write_text(without_traces().as_json(), encoding="utf-8")
    assert read_card(file) == without_traces()
    page = card_page(without_traces())
    assert "**Trained without** ATT-LTE-driving, which were not installed" in page
    assert "**Measured without** TMobile-LTE-short, which were not installed" in page
    assert "not installed" not in card_page(resumed())


@pytest.mark.parametrize(
    ("name", "value", "items"),
    [
        ("resumed_at_steps", "64", "whole numbers"),
        ("resumed_at_steps", [64.5], "whole numbers"),
        ("missing_traces", "one", "names"),
        ("missing_traces", [1], "names"),
    ],
)
def test_lists_of_the_training_are_refused_where_they_hold_others(
    name: str, value: object, items: str, tmp_path: Path
) -> None:
    card = json.loads((POLICIES / "bbr-fit.json").read_text(encoding="utf-8"))
    card["training"][name] = value
    file = tmp_path / "bbr-fit.json"
    file.write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(CardError, match=rf"'{name}' is .* and no list of {items}"):
        read_card(file)


@pytest.mark.parametrize("name", known_policies())
def test_a_shipped_card_says_of_its_choices_what_its_recipe_says(name: str) -> None:
    assert read_card(POLICIES / f"{name}.json").notes == recipe(name).notes


@pytest.mark.parametrize("name", known_policies())
def test_a_shipped_card_is_written_as_it_was(name: str) -> None:
    file = POLICIES / f"{name}.json"
    assert json.loads(read_card(file).as_json()) == json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", known_policies())
def test_a_shipped_page_is_its_cards(name: str) -> None:
    page = (POLICIES / f"{name}.md").read_text(encoding="utf-8")
    assert page == card_page(read_card(POLICIES / f"{name}.json")) + "\n", "write it by models.policies.card_page"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "zixia",
            "the training traces of `models/scenarios/splits.json`: round trips of 2 to 200 ms, 20 to 1000 packets of "
            "queue, 0.1 to 15 % random loss in 50 of 100 episodes, 30 s each.",
        ),
        (
            "aurora",
            "2mbit, 4mbit: round trips of 20 to 1000 ms, 2 to 2981 packets of queue, 0.1 to 5 % random loss in 100 of "
            "100 episodes, 60 s each.",
        ),
        ("dqn-v2", "64mbit, 90mbit, 120mbit: round trips of"),
        ("dqn-v2", "0.1 to 2 bandwidth-delay products of queue, no random loss, 30 s each."),
        ("zixia-lean", "splits.json`, and on lte-like/1mbit/1000, "),
    ],
)
def test_a_page_says_what_was_learned_on(name: str, said: str) -> None:
    (line,) = (
        line
        for line in card_page(read_card(POLICIES / f"{name}.json")).splitlines()
        if line.startswith("- **Learned on** ")
    )
    assert said in line
