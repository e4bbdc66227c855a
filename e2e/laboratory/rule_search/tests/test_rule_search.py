"""The search's links, and that its command plays films over them."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from e2e.laboratory.rule_search import links
from e2e.laboratory.rule_search.command import main


@pytest.fixture(autouse=True)
def _few_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "_recorded", lambda: iter(()))
    monkeypatch.setattr(links, "GENERATED_SEEDS", 1)


def test_links_are_the_same_for_a_seed_and_others_for_another() -> None:
    def rates(seed: int) -> dict[str, list[float]]:
        return {link.name: link.bits_per_second for link in links.training_links(seed=seed)}

    assert rates(3) == rates(3)
    assert rates(3)["lte-like 0"] != rates(4)["lte-like 0"]
    assert rates(3)["2 Mbit/s"] == [2e6]


def test_the_command_compares_rules_and_prints_constants(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "0", "--starts", "1"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["NuwaRule", "RobustMPC", "BBA"]
    assert json.loads(lines[-1])["parameters"]["horizonSegments"] >= 1


def test_a_failed_search_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.run", lambda *_arguments, **_options: SimpleNamespace(returncode=3))
    assert main(["--rounds", "0"]) == 1
