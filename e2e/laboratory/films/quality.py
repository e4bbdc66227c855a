"""How good a film's segments look: the `quality.json` that media/ measures, and what was seen of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import msgspec

from e2e.laboratory.films.messages import PlayedFilm

QUALITY_FILE = "quality.json"
SCHEMA = 1

OF_VMAF, OF_STALL, OF_RISE, OF_FALL = 0.8469, 28.7959, 0.2979, 1.0610
"""QoE by VMAF, fitted to what viewers said (Comyco, Huang et al., MM 2019, equation 2 and section 5.1): of a point of a
segment's VMAF, of a second stalled, of a point that it rises and of one that it falls from a segment to the next."""


class QualityError(Exception):
    """A file that is not what media/ writes; the message is one sentence."""


class RungQuality(msgspec.Struct, frozen=True, rename="camel"):
    """A number for each segment, in order."""

    representation: str
    bits_per_second: int
    vmaf: list[float]
    ssim: list[float]


class FilmQuality(msgspec.Struct, frozen=True, rename="camel"):
    """As media/README.md has it, as far as rows need it."""

    schema: int
    model: str
    rungs: list[RungQuality]


@dataclass(frozen=True, slots=True)
class Looks:
    """Means over the segments that were shown."""

    vmaf: float
    ssim: float
    qoe_per_segment: float


def read_quality(folder: Path) -> FilmQuality | None:
    """None where the film was not measured. Raises QualityError."""
    file = folder / QUALITY_FILE
    if not file.exists():
        return None
    try:
        quality = msgspec.json.decode(file.read_bytes(), type=FilmQuality)
    except msgspec.DecodeError as error:
        raise QualityError(
            f"{file} is not what --quality writes ({error}): remove it and measure the film anew"
        ) from error
    if quality.schema != SCHEMA:
        raise QualityError(
            f"{file} has schema {quality.schema}, and {SCHEMA} is known: remove it and measure the film anew"
        )
    return quality


def looks_of(film: PlayedFilm, quality: FilmQuality) -> Looks | None:
    """None where nothing was shown, or a segment that was not measured."""
    by_rate = {rung.bits_per_second: rung for rung in quality.rungs}
    vmaf, ssim = [], []
    for segment in film.segments:
        rung = by_rate.get(segment.bits_per_second)
        if rung is None or segment.index >= len(rung.vmaf):
            return None
        vmaf.append(rung.vmaf[segment.index])
        ssim.append(rung.ssim[segment.index])
    if not vmaf:
        return None
    return Looks(fmean(vmaf), fmean(ssim), qoe_vmaf(vmaf, film.stalled_s) / len(vmaf))


def qoe_vmaf(vmaf: Sequence[float], stalled_s: float) -> float:
    """Comyco's, over all segments."""
    changes = [after - before for before, after in pairwise(vmaf)]
    rises, falls = sum(max(0.0, change) for change in changes), sum(max(0.0, -change) for change in changes)
    return OF_VMAF * sum(vmaf) - OF_STALL * stalled_s + OF_RISE * rises - OF_FALL * falls
