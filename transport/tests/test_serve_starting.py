"""Signals that meet a server that is starting."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

STARTING = """
import asyncio, signal, sys
from transport.media_server import command, serve_command

async def serve(options):
    signal.raise_signal(int(sys.argv[2]))
    await asyncio.sleep(0)
    return 0

command._serve = serve
sys.exit(serve_command.main([sys.argv[1], "--workers", "1"]))
"""

IMPORTING = """
import signal, sys
from importlib.abc import MetaPathFinder
from transport.__main__ import main

class Importing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "transport.media_server.command":
            signal.raise_signal(int(sys.argv[1]))

sys.meta_path.insert(0, Importing())
sys.exit(main(["serve", "--help"]))
"""


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGUSR2])
def test_renewals_are_passed_over_while_it_imports(number: signal.Signals) -> None:
    command = [sys.executable, "-c", IMPORTING, str(int(number))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("number", "exit_code"), [(signal.SIGUSR1, 0), (signal.SIGUSR2, 0), (signal.SIGINT, 130), (signal.SIGTERM, -15)]
)
def test_renewals_are_passed_over_and_an_interrupt_ends_it_without_words(
    tmp_path: Path, number: signal.Signals, exit_code: int
) -> None:
    command = [sys.executable, "-c", STARTING, str(tmp_path), str(int(number))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (exit_code, "", "")
