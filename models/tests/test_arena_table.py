from __future__ import annotations

from dataclasses import replace

from models.recipes.zixia import ZIXIA
from models.training.arena_table import contestants


def test_contestants_are_those_whose_judge_is_a_contest() -> None:
    assert list(contestants()) == ["zixia", "zixia-delay", "zixia-lean"]
    otherwise = replace(ZIXIA, name="mine", judge=None)
    assert list(contestants([ZIXIA, otherwise])) == ["zixia"]
