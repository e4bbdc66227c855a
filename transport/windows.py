"""Servers and receivers do not run on Windows: asyncio handles no signals there, and its loop waits for no socket."""

from __future__ import annotations

import sys

from cc.command_line.arguments import EXIT_USAGE


def refuse_windows(prog: str) -> None:
    """Ends the program there, with one sentence. It imports little: `serve` begins with it."""
    if sys.platform == "win32":
        sys.stderr.write(f"{prog}: this does not run on Windows itself: run it in WSL2\n")
        sys.exit(EXIT_USAGE)
