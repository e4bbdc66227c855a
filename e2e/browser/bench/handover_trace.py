"""A link with handovers: `python -m e2e.browser.bench.handover_trace SEED` prints its trace."""

from __future__ import annotations

import random
import sys

from cc.links.traces.formats.mahimahi import format_trace
from cc.links.traces.nr_like import NrLike
from cc.links.traces.rates import generate

MEAN_BITS_PER_S = 20e6
DURATION_MS = 80_000


def main() -> None:
    """Write the trace in mahimahi's format."""
    seed = int(sys.argv[1])
    opportunities_ms = generate(NrLike(mean_bits_per_s=MEAN_BITS_PER_S), random.Random(seed), duration_ms=DURATION_MS)
    sys.stdout.write(format_trace(opportunities_ms))


if __name__ == "__main__":
    main()
