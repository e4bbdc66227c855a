"""The engine that is always there: damaged samples, from a seed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from e2e.fuzzing.corpus import inputs_of
from e2e.fuzzing.engines.mutation import Mutator
from e2e.fuzzing.engines.watch import WARM_SHARE, Places, Tally, watching
from e2e.fuzzing.target import Target

INPUTS_EACH_LOOK = 256


def run(
    target: Target,
    *,
    seed: int,
    inputs: int,
    seconds: float | None,
    places: Places,
    on_progress: Callable[[int], None] = lambda inputs: None,
) -> Tally:
    """Feed so many inputs, or for so long. `on_progress` is told how many more have been fed."""
    mutator = Mutator(
        random.Random(f"{target.name} {seed}"),
        inputs_of(target),
        tokens=target.tokens,
        largest_bytes=target.largest_bytes,
        is_of_fixed_length=target.is_of_fixed_length,
    )
    ends_s = None if seconds is None else time.monotonic() + seconds
    warm_s = None if seconds is None else time.monotonic() + WARM_SHARE * seconds
    with watching(target, places) as watch:
        is_warm = False
        for number in range(inputs):
            watch.feed(mutator.draw())
            if number % INPUTS_EACH_LOOK:
                continue
            on_progress(INPUTS_EACH_LOOK)
            now_s = time.monotonic()
            if not is_warm and (number >= WARM_SHARE * inputs or (warm_s is not None and now_s >= warm_s)):
                watch.warm()
                is_warm = True
            if watch.is_over or (ends_s is not None and now_s >= ends_s):
                break
    return watch.tally
