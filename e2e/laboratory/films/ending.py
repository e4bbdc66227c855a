"""How commands that play films end, whatever becomes of them.

Imports the standard library alone until something is played.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from cc.command_line.arguments import EXIT_USAGE
from e2e.laboratory.interruption import interrupt_on_signals


def ended(prog: str, play: Callable[[], int]) -> int:
    """What it returns; 2 for what cannot be played, 1 where nothing can be kept, or it was stopped."""
    from e2e.laboratory.matrix.values import OptionError  # noqa: PLC0415 - help needs Python alone

    interrupt_on_signals()
    try:
        return play()
    except OptionError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    except OSError as error:
        sys.stderr.write(f"{prog}: {error.filename}: {error.strerror}; what is there stays, the same command goes on\n")
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}; the same command goes on\n")
    return 1


def say_failures(failures: Sequence[str], *, of: int) -> None:
    """Of so many films, where there are any."""
    if failures:
        sys.stderr.write(f"{len(failures)} of {of} films failed:\n")
        sys.stderr.writelines(f"  {failure}\n" for failure in failures)
