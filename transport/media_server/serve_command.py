"""`serve`, from its first moment: what it imports takes a while, in which a signal must not end it."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from transport.windows import refuse_windows


def main(arguments: Sequence[str], *, prog: str = "nuwa serve") -> int:
    """Serve until it is stopped; 2 where that cannot begin."""
    refuse_windows(prog)
    for renewal in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(renewal, signal.SIG_IGN)  # until somebody listens: whatever starts is new
    from transport.media_server.command import main as serve  # noqa: PLC0415 - it takes the time

    return serve(arguments, prog=prog)
