"""What a process hears on standard input, and how it ends with it."""

from __future__ import annotations

import subprocess
import sys

HANGING = """
import asyncio
from transport.media_server import orders

orders.END_LIMIT_S = 0.1

async def hang():
    orders.listen_to_stdin(None, lambda: None)
    print("ready", flush=True)
    while True:
        pass

asyncio.run(hang())
"""


def test_a_process_that_hangs_ends_with_its_standard_input_nevertheless() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HANGING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as hanging:
        try:
            assert hanging.stdout is not None
            assert hanging.stdin is not None
            assert hanging.stdout.readline() == "ready\n"
            hanging.stdin.close()
            assert hanging.wait(10) == 1
        finally:
            hanging.kill()
