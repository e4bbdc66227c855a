"""A child that is looked after: it is ended where it stands still, and what it was fed last is known."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import Signals

from cc.command_line.clone import ROOT
from e2e.fuzzing import journal

STILL_S = 120.0
"""Without an input; then a child stands still, and is ended."""
LOOK_S = 1.0
STOPPED = ("SIGINT", "SIGTERM", "SIGHUP")
"""A child that one of them ended was stopped by somebody; what it was fed is not to blame."""


@dataclass(frozen=True, slots=True)
class Attended:
    """How a child ended."""

    problem: str | None
    """What the parent saw of its death; None where it came to its end."""
    output: str
    inputs: list[bytes]
    """Of its last subject, where it died."""


def attend(command: Sequence[str], *, still_s: float = STILL_S) -> Attended:
    """Run a child to its end, with `--journal FILE` added. Raises KeyboardInterrupt where somebody stopped it."""
    with tempfile.TemporaryDirectory(prefix="nuwa-fuzz-") as folder:
        file = Path(folder) / "journal"
        with subprocess.Popen(
            [*command, "--journal", str(file)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as child:
            try:
                told = _until_it_ends(child, file, still_s)
            finally:
                child.kill()
        if told is None:
            return Attended(f"stood still for {still_s:g} s", "", journal.read(file))
        output, errors = told
        if child.returncode < 0 and Signals(-child.returncode).name in STOPPED:
            raise KeyboardInterrupt(Signals(-child.returncode).name)
        if child.returncode == 0:
            return Attended(None, output, [])
        return Attended(f"exit status {child.returncode}\n{errors[-4000:]}", output, journal.read(file))


def _until_it_ends(child: subprocess.Popen[str], file: Path, still_s: float) -> tuple[str, str] | None:
    """What it said; None where it stood still."""
    seen, since_s = None, time.monotonic()
    while True:
        try:
            return child.communicate(timeout=min(LOOK_S, still_s))
        except subprocess.TimeoutExpired:
            state = file.stat() if file.is_file() else None
            progress = None if state is None else (state.st_size, state.st_mtime_ns)
            if progress != seen:
                seen, since_s = progress, time.monotonic()
            elif time.monotonic() - since_s >= still_s:
                return None
