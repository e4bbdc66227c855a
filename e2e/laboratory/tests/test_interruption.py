from __future__ import annotations

import subprocess
import sys

from e2e.laboratory.interruption import ended

TIDIES_UP = """
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
print("ready", flush=True)
signal.pause()
"""


class Interrupted(subprocess.Popen[bytes]):
    """Each wait of the first so many is interrupted, as by Ctrl-C and by whoever passes it on."""

    left = 2

    def wait(self, timeout: float | None = None) -> int:
        if self.left > 0:
            self.left -= 1
            raise KeyboardInterrupt
        return super().wait(timeout)


def test_a_program_that_is_interrupted_comes_to_its_own_end() -> None:
    with Interrupted([sys.executable, "-c", TIDIES_UP], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
        assert ended(program) == 7
