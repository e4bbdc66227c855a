"""The command, with attacks that are over at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.abuse import command
from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.command import main
from e2e.abuse.ground import Ground
from e2e.abuse.registry import NAMES
from e2e.abuse.run import report, run
from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.figures.measured import Measured

DRAWN = Limit("drawn", Reach("at most", 2.0))


def attack_of(name: str, values: Sequence[float]) -> Attack:
    """Its arms fail where there is nothing to measure."""

    async def measure(ground: Ground) -> Sequence[Sample]:
        async def arm() -> float:
            if not values:
                raise AttackError(f"{name} found nothing")
            return values[0]

        first, *_ = await ground.each([arm])
        return [DRAWN.of(first), *(DRAWN.of(value) for value in values[1:])]

    return Attack(name, f"{name}.", (DRAWN,), measure)


def status_of(folder: Path, *attacks: Attack) -> tuple[int, Measured]:
    found = list(run(attacks, seed=1, jobs=1, is_small=True))
    status = report(found, command="npm run bench -- abuse", folder=folder)
    (file,) = folder.glob("*-abuse.json")
    return status, Measured.read(file)


def test_all_limits_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, measured = status_of(tmp_path, attack_of("one", [1.0, 1.5]), attack_of("two", [2.0]))
    assert status == 0
    assert [(figure.what, figure.value) for figure in measured.figures] == [("one: drawn", 1.5), ("two: drawn", 2.0)]
    assert measured.tables[0] in capsys.readouterr().out


def test_one_that_does_not_hold_is_enough(tmp_path: Path) -> None:
    assert status_of(tmp_path, attack_of("one", [1.0]), attack_of("two", [2.1]))[0] == 1


def test_what_fails_is_told_of_and_the_others_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, measured = status_of(tmp_path, attack_of("one", []), attack_of("two", [1.0]))
    assert status == 1
    assert [figure.value for figure in measured.figures] == [None, 1.0]
    assert "one: one found nothing\n" in capsys.readouterr().err


def test_a_stop_shows_what_was_found_by_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def stop(ground: Ground) -> Sequence[Sample]:
        raise KeyboardInterrupt("SIGTERM")

    found = {"one": attack_of("one", [1.5]), "two": Attack("two", "two.", (DRAWN,), stop)}
    monkeypatch.setattr(command, "attack", found.__getitem__)
    monkeypatch.setattr(command, "interrupt_on_signals", lambda: None)
    assert main(["one", "two"]) == 1
    captured = capsys.readouterr()
    assert "stopped by SIGTERM" in captured.err
    assert "1.50" in captured.out


def test_an_unknown_attack_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["acks-ahed"]) == 2
    assert "attack 'acks-ahed' is unknown: did you mean acks-ahead?" in capsys.readouterr().err


def test_help_names_every_attack_and_takes_no_packages() -> None:
    command = [sys.executable, "-S", "-m", "e2e.laboratory", "abuse", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    said = "".join(done.stdout.split())
    assert all(name in said for name in NAMES)
