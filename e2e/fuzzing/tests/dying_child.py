"""A child as `e2e.fuzzing.child`, over a target that ends its process at the third input, or stands still there."""

from __future__ import annotations

import os
import signal
import sys

from e2e.fuzzing import registry
from e2e.fuzzing.child import main
from e2e.fuzzing.target import Subject, Target


class Deadly(Subject):
    """Takes two inputs."""

    def __init__(self) -> None:
        self._count = 0

    def feed(self, data: bytes) -> bool:
        self._count += 1
        if self._count == 3:
            if sys.argv[1] == "traces":
                signal.pause()
            os.kill(os.getpid(), signal.SIGKILL)
        return True


if __name__ == "__main__":
    registry.target = lambda name: Target(name, "", Deadly, lambda: [b"some", b"samples"])
    sys.exit(main())
