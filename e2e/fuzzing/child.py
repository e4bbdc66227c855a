"""`python -m e2e.fuzzing.child TARGET ...`: one run over a target, in a process that it may take down.

What it found is the last line on standard output, in JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from e2e.fuzzing.engines.watch import Order, Places, Tally, Watch


def main() -> int:
    """0, whatever was found."""
    parser = argparse.ArgumentParser(prog="python -m e2e.fuzzing.child")
    parser.add_argument("target")
    parser.add_argument("--engine", choices=["coverage", "mutation"], default="mutation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--findings", type=Path, default=Path())
    parser.add_argument(
        "--replay", type=Path, help="feed a finding's inputs; the exit status is 1 if they are too much"
    )
    parser.add_argument("--journal", type=Path, help="where each input is written before it is fed")
    options = parser.parse_args()
    if options.replay is not None:
        return _replay(options.target, options.replay, options.journal)
    order = Order(options.seed, options.inputs, options.seconds)
    places = Places(options.findings, options.journal)
    if options.engine == "coverage":
        from e2e.fuzzing.engines import coverage  # noqa: PLC0415 - it has to be there before what it instruments

        coverage.run(options.target, order, places, on_end=_tell)
        return 0
    from e2e.fuzzing.engines import mutate  # noqa: PLC0415 - as above
    from e2e.fuzzing.registry import target  # noqa: PLC0415 - as above

    _tell(mutate.run(target(options.target), order, places))
    return 0


def _replay(name: str, finding: Path, journal: Path | None) -> int:
    from e2e.fuzzing.findings import read  # noqa: PLC0415 - as in main
    from e2e.fuzzing.registry import target  # noqa: PLC0415 - as in main

    with tempfile.TemporaryDirectory() as folder:
        watch = Watch(target(name), Places(Path(folder), journal))
        for data in read(finding)[1]:
            watch.feed(data)
        return 1 if watch.end().findings else 0


def _tell(tally: Tally) -> None:
    sys.stdout.write(json.dumps({**asdict(tally), "growth_bytes": tally.growth_bytes}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
