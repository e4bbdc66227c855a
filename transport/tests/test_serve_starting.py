"""Signals that meet a server that is starting."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

STARTING = """
import asyncio, signal, sys
from transport.media_server import command

async def serve(options):
    signal.raise_signal(int(sys.argv[2]))
    await asyncio.sleep(0)
    return 0

command._serve = serve
sys.exit(command.main([sys.argv[1], "--workers", "1"]))
"""


@pytest.mark.parametrize(
    ("number", "exit_code"), [(signal.SIGUSR1, 0), (signal.SIGUSR2, 0), (signal.SIGINT, 130), (signal.SIGTERM, -15)]
)
def test_renewals_are_passed_over_and_an_interrupt_ends_it_without_words(
    tmp_path: Path, number: signal.Signals, exit_code: int
) -> None:
    command = [sys.executable, "-c", STARTING, str(tmp_path), str(int(number))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (exit_code, "", "")
