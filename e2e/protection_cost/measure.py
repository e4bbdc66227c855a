"""The same viewer twice, with protection and without: what differs is what protection costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.protection_cost.unprotected import unprotect
from e2e.protection_cost.viewer import Viewer
from models.evaluation.resampling import resampled

SCHEMES = ("nuwa", "cubic")
WARM_UP_S = 3.0
BLOCK_S = 0.5
MOST_MORE_CPU = 1.02
LEAST_GOODPUT = 0.98


@dataclass(frozen=True, slots=True)
class Pair:
    """Of the same half second of a download; each brings some bytes."""

    making: int
    """Which two servers: one that was made first, or lies elsewhere in memory, takes some hundredths more."""
    protected_cpu_s: float
    bare_cpu_s: float
    protected_bytes: int
    bare_bytes: int

    @property
    def cpu_ratio(self) -> float:
        """CPU for each byte, with protection and without."""
        return self.protected_cpu_s / self.bare_cpu_s * self.bare_bytes / self.protected_bytes


def pairs_of(scheme: str, *, makings: int, blocks: int) -> Iterator[Pair]:
    """Of so many makings, each arm the first in turn; the one that goes first changes with each of their `blocks`."""
    for making in range(makings):
        with ExitStack() as stack:
            made = Viewer(scheme), Viewer(scheme)
            protected, bare = made if making % 2 == 0 else reversed(made)
            for viewer in made:
                stack.callback(viewer.close)
                viewer.watch(WARM_UP_S)
            unprotect(bare)
            for block in range(blocks):
                order = (protected, bare) if block % 2 == 0 else (bare, protected)
                seen = {viewer: _watch(viewer) for viewer in order}
                yield Pair(making, seen[protected][0], seen[bare][0], seen[protected][1], seen[bare][1])


def figures(scheme: str, pairs: Sequence[Pair]) -> list[Figure]:
    """Of one scheme: the median of what pairs say, and the bytes of all."""
    cpu = resampled(
        [pair.making for pair in pairs], lambda indices: median(pairs[index].cpu_ratio for index in indices)
    )
    goodput = sum(pair.protected_bytes for pair in pairs) / sum(pair.bare_bytes for pair in pairs)
    return [
        Figure.of_interval(
            f"{scheme}: CPU for each Mbit, protected / bare", cpu, reach=Reach("at most", MOST_MORE_CPU)
        ),
        Figure(f"{scheme}: goodput, protected / bare", goodput, reach=Reach("at least", LEAST_GOODPUT)),
    ]


def _watch(viewer: Viewer) -> tuple[float, int]:
    before_bytes = viewer.received_bytes
    cpu_s = viewer.watch(BLOCK_S)
    return cpu_s, viewer.received_bytes - before_bytes
