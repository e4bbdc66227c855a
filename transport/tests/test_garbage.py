"""What a server that is ready does about cycles, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import gc
from transport.media_server.garbage import look_for_cycles_seldom

looks = []
gc.callbacks.append(lambda phase, info: looks.append(info["generation"]) if phase == "stop" else None)

def make_cycles(count):
    for _ in range(count):
        cycle = []
        cycle.append(cycle)

make_cycles(2_000)
assert looks, "as Python does by itself"
look_for_cycles_seldom()
looks.clear()
make_cycles(15_000)
assert looks == [], looks
make_cycles(15_000)
assert looks == [0], looks
assert len(gc.get_objects()) < 15_000 + 1_000, "what was there before is looked through"
assert gc.get_freeze_count() > 1_000
"""


def test_cycles_are_looked_for_seldom_and_found() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
