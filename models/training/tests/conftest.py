"""What all tests of the training take for given."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.training import job


@pytest.fixture(autouse=True)
def all_traces_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the recorded ones the command says so first, and what it says is compared."""
    monkeypatch.setattr(job, "traces_left_out", lambda _recipe: ())


@pytest.fixture(autouse=True)
def logs_are_kept_with_the_test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Stable-Baselines3 makes a folder for each training that names none, and leaves it among the system's own."""
    monkeypatch.setenv("SB3_LOGDIR", str(tmp_path / "sb3"))
