"""`python -m e2e.fuzzing.model_loader FOLDER SECONDS`: loads what standard input names, and says how it went.

`loaded`, `refused`, or `hung` where one takes longer; a model that ends the process ends nothing else.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from models.policies.policy import PolicyError, load_policy


def main() -> int:
    """0 at the end of standard input."""
    folder, limit_s = Path(sys.argv[1]), float(sys.argv[2])
    for line in sys.stdin:
        watchdog = threading.Timer(limit_s, _hung)
        watchdog.start()
        try:
            load_policy(line.strip(), folder)
            answer = "loaded"
        except PolicyError:
            answer = "refused"
        watchdog.cancel()
        _say(answer)
    return 0


def _hung() -> None:
    _say("hung")
    os._exit(1)


def _say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
