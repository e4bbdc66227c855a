"""The policies of models/testdata are of recipes that there are, so that they can be made again."""

from __future__ import annotations

import pytest

from models.policies.card import read_card
from models.training.samples import FOLDER, SAMPLES


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_of_its_recipes_scheme(name: str) -> None:
    card, recipe = read_card(FOLDER / f"{name}.json"), SAMPLES[name]
    assert (card.name, card.scheme, card.space) == (name, recipe.scheme.name, recipe.space)
