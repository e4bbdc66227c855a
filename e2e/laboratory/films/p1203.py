"""ITU-T P.1203 (mode 0) of a film, where a user has installed `itu_p1203`: its licence lets nobody ship it.

Raake et al., QoMEX 2017; Robitza et al., MMSys 2018. Mode 0 knows codec, bitrate, size, frame rate and stalls of H.264
and AAC. The recommendation is for films of one to five minutes.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from e2e.laboratory.films.messages import AboutFilm, PlayedFilm, Track

MODULE = "itu_p1203"
SCREEN = "1920x1080"
KILO = 1000.0


class Standalone(Protocol):
    """As much of `itu_p1203.P1203Standalone` as is called."""

    def __init__(self, input_report: dict[str, object], *, quiet: bool) -> None: ...

    def calculate_complete(self) -> dict[str, float]:
        """Scores by their names in the recommendation."""
        ...


def p1203_mos(film: PlayedFilm, about: AboutFilm) -> float | None:
    """O.46, from 1 to 5; None without the module, and for a film that it has no model for."""
    model = _model()
    report = None if model is None else report_of(film, about)
    if model is None or report is None:
        return None
    return float(model(report, quiet=True).calculate_complete()["O46"])


def report_of(film: PlayedFilm, about: AboutFilm) -> dict[str, object] | None:
    """What P.1203 is told (its I.GEN, I.11, I.13 and I.23); None for what it is not made for, and of nothing played.

    It is not made for films with seeks: it knows one way through a film, with stalls.
    """
    video = {track.bits_per_second: track for track in about.tracks if track.kind == "video"}
    audio = next((track for track in about.tracks if track.kind == "audio"), None)
    if audio is None or not audio.codecs.startswith("mp4a.40.2") or film.startup_ms is None or film.seeks:
        return None
    pictures, start_s = [], 0.0
    for segment in film.segments:
        track = video.get(segment.bits_per_second)
        if track is None or not _is_known(track) or segment.index >= len(about.segment_seconds):
            return None
        duration_s = about.segment_seconds[segment.index]
        pictures.append(
            {
                "codec": "h264",
                "start": start_s,
                "duration": duration_s,
                "res": f"{track.width_pixels}x{track.height_pixels}",
                "bitrate": 8 * segment.bytes / duration_s / KILO,
                "fps": track.frames_per_second,
                "representation": track.bits_per_second,
            }
        )
        start_s += duration_s
    if not pictures:
        return None
    sound = {"codec": "aaclc", "start": 0.0, "duration": start_s, "bitrate": audio.bits_per_second / KILO}
    return {
        "IGen": {"displaySize": SCREEN, "device": "pc"},
        "I11": {"streamId": 1, "segments": [sound]},
        "I13": {"streamId": 1, "segments": pictures},
        "I23": {"streamId": 1, "stalling": _stalls(film, film.startup_ms)},
    }


def _stalls(film: PlayedFilm, startup_ms: float) -> list[list[float]]:
    """Pairs of media time and duration, seconds; the first is what it took to the first frame."""
    stalls, passed_ms = [[0.0, startup_ms / KILO]], startup_ms
    for wait in film.waits:
        stalls.append([(wait.started_at_ms - passed_ms) / KILO, wait.duration_ms / KILO])
        passed_ms += wait.duration_ms
    return stalls


def _is_known(track: Track) -> bool:
    return track.codecs.startswith("avc") and min(track.width_pixels, track.frames_per_second) > 0


@cache
def _model() -> type[Standalone] | None:
    return None if find_spec(MODULE) is None else import_module(MODULE).P1203Standalone
