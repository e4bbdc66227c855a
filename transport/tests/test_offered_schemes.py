"""Nobody's session waits for what a scheme loads: a server has loaded it when it starts."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from cc.registry import scheme
from transport.media_server import offered_schemes
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions

MAKE_ALL = """
import random, sys
from cc.registry import SCHEMES
from transport.media_server.offered_schemes import load_slow_modules

load_slow_modules(None, plain=None)
before = set(sys.modules)
for each in SCHEMES:
    each.make_sender(max_datagram_bytes=1200, rng=random.Random(1))
print(*sys.modules.keys() - before)
"""


async def start_and_stop(folder: Path, *, schemes: tuple[str, ...] | None, plain: str | None) -> None:
    options = ServerOptions(
        directory=folder,
        host="127.0.0.1",
        port=0,
        origins=frozenset({"http://localhost:5173"}),
        schemes=schemes,
        plain_scheme=None if plain is None else scheme(plain),
    )
    await (await start_server(options)).stop()


@pytest.mark.parametrize(
    ("schemes", "plain", "is_loaded"),
    [
        (None, None, True),
        (("reno", "sprout"), None, True),
        (("reno",), "sprout", True),
        (("reno",), "cubic", False),
    ],
    ids=["all offered", "offered", "for plain requests", "not offered"],
)
def test_a_server_starts_with_what_its_schemes_are_slow_to_load(
    schemes: tuple[str, ...] | None,
    plain: str | None,
    is_loaded: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(offered_schemes, "import_module", loaded.append)
    asyncio.run(start_and_stop(tmp_path, schemes=schemes, plain=plain))
    assert loaded == ([scheme("sprout").slow_module] if is_loaded else [])


def test_no_scheme_loads_anything_else_when_a_session_begins() -> None:
    made = subprocess.run([sys.executable, "-c", MAKE_ALL], cwd=ROOT, check=True, capture_output=True, text=True)
    assert made.stdout.split() == []
