"""What commands that play films say in the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def say_failures(failures: Sequence[str], *, of: int) -> None:
    """Of so many films, where there are any."""
    if failures:
        sys.stderr.write(f"{len(failures)} of {of} films failed:\n")
        sys.stderr.writelines(f"  {failure}\n" for failure in failures)
