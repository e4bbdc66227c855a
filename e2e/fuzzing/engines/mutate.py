"""The engine that is always there: damaged samples, from a seed."""

from __future__ import annotations

import random
import time

from e2e.fuzzing.corpus import inputs_of
from e2e.fuzzing.engines.mutation import Mutator
from e2e.fuzzing.engines.watch import WARM_SHARE, Order, Places, Tally, watching
from e2e.fuzzing.target import Target

INPUTS_EACH_LOOK = 256


def run(target: Target, order: Order, places: Places) -> Tally:
    """Feed so many inputs, or for so long."""
    mutator = Mutator(
        random.Random(f"{target.name} {order.seed}"),
        inputs_of(target),
        tokens=target.tokens,
        largest_bytes=target.largest_bytes,
        is_of_fixed_length=target.is_of_fixed_length,
    )
    began_s = time.monotonic()
    with watching(target, places) as watch:
        for number in range(order.inputs):
            watch.feed(mutator.draw())
            if number % INPUTS_EACH_LOOK:
                continue
            share = order.done_share(number, began_s=began_s)
            if share >= WARM_SHARE:
                watch.warm()
            if share >= 1 or watch.is_over:
                break
    return watch.tally
