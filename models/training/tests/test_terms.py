"""What a training goes by: the reward by what it computes, not by its words, and the traces that were there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from types import FunctionType

import pytest

from cc import registry
from cc.registry import SCHEMES
from cc.sender.owl import DELTA, utility
from models.recipes import RECIPES, bbr_fit, nuwa_rl, recipe, zixia
from models.recipes import owl as owl_recipe
from models.recipes.zixia import delay_ranking_reward, ranking_reward, shared_ranking
from models.training import terms as training_terms
from models.training.fingerprint import as_written, fingerprint
from models.training.online_dqn import OnlineSettings
from models.training.terms import terms

Function = Callable[..., object]


def test_a_weight_changes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before, terms_before = fingerprint(bbr_fit.reward), terms(recipe("bbr-fit"))
    assert fingerprint(bbr_fit.reward) == before
    assert isinstance(bbr_fit.LATENCY_WEIGHT, float)
    monkeypatch.setattr(bbr_fit, "LATENCY_WEIGHT", 9.0)
    assert fingerprint(bbr_fit.reward) != before
    assert terms(recipe("bbr-fit")) != terms_before


def test_so_does_a_weight_of_a_function_that_it_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(nuwa_rl.reward)
    monkeypatch.setattr(nuwa_rl, "FAIRNESS", 0.5)  # of alpha_fairness
    assert fingerprint(nuwa_rl.reward) != before


@lru_cache
def kept() -> float:
    return WEIGHTS["throughput"][0]


def by_what_is_kept() -> float:
    return 2 * kept()


def test_so_does_a_weight_behind_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(by_what_is_kept)
    monkeypatch.setitem(WEIGHTS, "throughput", [3.0, 2.0])
    assert fingerprint(by_what_is_kept) != before


def test_what_is_said_of_schemes_is_nothing_to_a_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = shared_ranking(ranking_reward)
    before = fingerprint(ranked)
    monkeypatch.setattr(registry, "SCHEMES", (replace(SCHEMES[0], summary="Other words."), *SCHEMES[1:]))
    assert fingerprint(ranked) == before


def reward_of(weights: object, *, share: object = 1.0) -> Function:
    def reward() -> object:
        return weights, share

    return reward


WEIGHTS = {"throughput": [1.0, 2.0]}


def by_table() -> float:
    return WEIGHTS["throughput"][1]


def by_default(weight: float = DELTA) -> float:
    return weight


def test_a_weight_in_a_table_or_a_default_changes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before, default_before = fingerprint(by_table), fingerprint(by_default)
    assert isinstance(by_default, FunctionType)
    monkeypatch.setitem(WEIGHTS, "throughput", [1.0, 3.0])
    monkeypatch.setattr(by_default, "__defaults__", (0.1,))
    assert fingerprint(by_table) != before
    assert fingerprint(by_default) != default_before


def test_a_weight_of_a_schemes_own_formula_changes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(owl_recipe.reward)
    assert isinstance(utility, FunctionType)
    monkeypatch.setattr(utility, "__kwdefaults__", {"delta": 0.1})
    assert fingerprint(owl_recipe.reward) != before


def test_settings_change_it_field_by_field() -> None:
    settings = OnlineSettings(discount=0.9)
    assert fingerprint(reward_of(settings)) == fingerprint(reward_of(OnlineSettings(discount=0.9)))
    assert fingerprint(reward_of(settings)) != fingerprint(reward_of(OnlineSettings(discount=0.8)))
    assert fingerprint(reward_of((1.0, (2.0, 3.0)))) != fingerprint(reward_of((1.0, 2.0, 3.0)))


def test_windows_are_among_the_terms_and_meanings_are_not() -> None:
    chosen = recipe("owl")
    first, *others = chosen.space.features
    reworded = replace(chosen.space, features=(replace(first, meaning="said better"), *others))
    assert terms(replace(chosen, window_s=5.0)) != terms(chosen)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(chosen), "space", property(lambda _recipe: reworded))
        written = terms(chosen)
    assert written == terms(chosen)


def test_so_is_where_it_is_judged_if_it_practises_elsewhere() -> None:
    chosen = recipe("aurora")
    assert chosen.practice is not None
    judged_longer = replace(chosen, scenarios=replace(chosen.scenarios, duration_s=99.0))
    assert terms(judged_longer)["scenarios"] == terms(chosen)["scenarios"]
    assert terms(judged_longer) != terms(chosen)
    assert {each.name for each in RECIPES if "judged" in terms(each)} == {
        each.name for each in RECIPES if each.practice
    }


def test_closures_and_partials_are_known_by_what_they_hold() -> None:
    assert fingerprint(shared_ranking(ranking_reward)) == fingerprint(shared_ranking(ranking_reward))
    assert fingerprint(shared_ranking(ranking_reward)) != fingerprint(shared_ranking(delay_ranking_reward))
    assert fingerprint(partial(ranking_reward, delay_rank=1.0)) != fingerprint(partial(ranking_reward, delay_rank=2.0))
    assert fingerprint(ranking_reward) != fingerprint(delay_ranking_reward)


def test_words_and_layout_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(zixia.transient_reward)
    assert isinstance(zixia.transient_reward, FunctionType)
    monkeypatch.setattr(zixia.transient_reward, "__doc__", "Other words.")
    assert fingerprint(zixia.transient_reward) == before


def test_a_training_knows_which_traces_were_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [terms(each) for each in (recipe("bbr-fit"), recipe("dqn-v1"))]
    monkeypatch.setattr(training_terms, "missing_traces", lambda split: (f"a recording for {split}",))
    left_out, own_links = (terms(each) for each in (recipe("bbr-fit"), recipe("dqn-v1")))
    assert left_out == whole[0] | {"missing_traces": ["a recording for training"]}
    assert own_links == whole[1]


def test_all_rewards_have_one() -> None:
    assert len({fingerprint(each.reward) for each in RECIPES}) > len(RECIPES) / 2


def test_a_compiled_formula_counts_as_what_its_source_says() -> None:
    assert fingerprint(as_written("cc.sender.owl", "utility")) == fingerprint(utility)
