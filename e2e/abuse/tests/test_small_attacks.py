"""A few attacks in their small form, against servers that are started for it."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.abuse.attack import carry_out
from e2e.abuse.ground import Ground
from e2e.abuse.registry import attack

SMALL = (
    "acks-ahead",
    "acks-by-stamps",
    "feedback-huge-window",
    "stream-gaps",
    "path-challenges",
    pytest.param(
        "handshake-elsewhere",
        marks=pytest.mark.skipif(sys.platform != "linux", reason="only on Linux all of 127.0.0.0/8 is this machine"),
    ),
    pytest.param(
        "rebound-host", marks=pytest.mark.skipif(shutil.which("node") is None, reason="no web server without node")
    ),
)
"""Together a few seconds: `npm test` waits for them."""


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as each:
        yield each


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return Ground(Path(tmp_path_factory.mktemp("abuse")), is_small=True)


@pytest.mark.parametrize("name", SMALL)
def test_a_limit_holds(name: str, ground: Ground, runner: asyncio.Runner) -> None:
    chosen = attack(name)
    found = runner.run(carry_out(chosen, ground))
    assert {outcome.figure.what: outcome.holds for outcome in found} == {
        f"{name}: {limit.what}": True for limit in chosen.limits
    }, found
