"""What measures say of a film that need more than the player tells; each is None where it is not known."""

from __future__ import annotations

from dataclasses import dataclass

from e2e.laboratory.films.messages import AboutFilm, PlayedFilm
from e2e.laboratory.films.p1203 import p1203_mos
from e2e.laboratory.films.quality import FilmQuality, looks_of


@dataclass(frozen=True, slots=True)
class Judgement:
    """Of one film."""

    vmaf_mean: float | None = None
    ssim_mean: float | None = None
    qoe_vmaf_per_segment: float | None = None
    p1203_mos: float | None = None


UNJUDGED = Judgement()


def judged(film: PlayedFilm, about: AboutFilm, quality: FilmQuality | None) -> Judgement:
    """By VMAF where the film was measured, by P.1203 where that is installed."""
    looks = None if quality is None else looks_of(film, quality)
    mos = p1203_mos(film, about)
    if looks is None:
        return Judgement(p1203_mos=mos)
    return Judgement(looks.vmaf, looks.ssim, looks.qoe_per_segment, mos)
