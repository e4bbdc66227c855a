"""What every attack must say of itself."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from e2e.abuse.attack import Attack
from e2e.abuse.attacks import linked_files
from e2e.abuse.registry import ENTRIES, NAMES, UnknownAttackError, attack
from e2e.laboratory.figures.markdown import SYMBOLS

FOLDER = Path(__file__).parents[1] / "attacks"
ATTACKS = tuple(attack(name) for name in NAMES)
MODULES = [
    import_module(f"e2e.abuse.attacks.{name}") for name in sorted({entry.partition(":")[0] for entry in ENTRIES})
]
FAMILIES = [module for module in MODULES if hasattr(module, "ATTACKS")]
each_attack = pytest.mark.parametrize("each", ATTACKS, ids=lambda each: each.name)


def test_every_file_has_its_line_and_every_name_is_one_attack() -> None:
    modules = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}
    assert {entry.partition(":")[0] for entry in ENTRIES} == modules
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__.rpartition(".")[2])
def test_every_attack_of_several_in_a_file_has_its_line(family: ModuleType) -> None:
    module = family.__name__.rpartition(".")[2]
    lines = [entry for entry in ENTRIES if entry.startswith(f"{module}:")]
    assert lines == [f"{module}:{each.name.replace('-', '_')}" for each in family.ATTACKS]


@each_attack
def test_an_attack_says_what_it_does_and_what_it_is_held_to(each: Attack) -> None:
    assert re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", each.name)
    assert each.summary.endswith(".")
    assert each.limits
    for limit in each.limits:
        assert limit.what
        assert limit.reach.comparison in SYMBOLS
    assert len({limit.what for limit in each.limits}) == len(each.limits)


def test_an_attack_whose_module_calls_it_otherwise_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linked_files, "ATTACK", replace(linked_files.ATTACK, name="linked-filez"))
    with pytest.raises(
        UnknownAttackError, match=r"attack 'linked-files' is unknown: .*/linked_files\.py has linked-filez"
    ):
        attack("linked-files")


def test_an_attack_that_there_is_not_is_named() -> None:
    with pytest.raises(UnknownAttackError, match=r"attack 'none' is unknown: choose one of .*acks-ahead"):
        attack("none")
    with pytest.raises(UnknownAttackError, match=r"attack 'rebound-hots' is unknown: did you mean rebound-host\?"):
        attack("rebound-hots")
