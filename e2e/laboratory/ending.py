"""How commands of the laboratory end, whatever becomes of their runs.

Imports the standard library alone until something is run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from cc.command_line.arguments import EXIT_USAGE
from e2e.laboratory.interruption import interrupt_on_signals


def ended(prog: str, run: Callable[[], int]) -> int:
    """What it returns; 2 for what cannot be run, 1 where nothing can be kept, or it was stopped."""
    from cc.links.catalogue import UnknownLinkError  # noqa: PLC0415 - help needs Python alone
    from e2e.laboratory.matrix.values import OptionError  # noqa: PLC0415

    interrupt_on_signals()
    try:
        return run()
    except (OptionError, UnknownLinkError) as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    except OSError as error:
        sys.stderr.write(f"{prog}: {not_kept(error)}\n")
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}; the same command goes on\n")
    return 1


def not_kept(error: OSError) -> str:
    """A sentence about what could not be written; of a full disk the system names no file."""
    where = "" if error.filename is None else f"{error.filename}: "
    return f"{where}{error.strerror}; what is there stays, the same command goes on"
