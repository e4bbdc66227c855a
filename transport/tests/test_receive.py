"""`python -m transport receive` where there is nothing to receive."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from transport.__main__ import main
from transport.tests.running_relay import udp_socket

ROOT = Path(__file__).parents[2]


def test_a_port_at_which_nobody_listens_is_told_in_one_sentence() -> None:
    # held, so that nobody else takes it; it never answers
    with udp_socket() as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}"
        command = [sys.executable, "-m", "transport", "receive", url]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
    sentence = (
        "python -m transport receive: no media server answered at "
        f"{url.removeprefix('https://')} within 5 s; is it running?"
    )
    assert (done.returncode, done.stderr) == (2, sentence + "\n")


def test_what_is_no_address_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["receive", "127.0.0.1:9"]) == 2
    assert "is not of the form https://HOST:PORT" in capsys.readouterr().err
