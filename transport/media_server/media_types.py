"""Which files of a folder are those of a film, by their names, and what a client is told that they are."""

from __future__ import annotations

import json
from pathlib import Path

_SUBTITLES = frozenset((".cmft", ".vtt", ".ttml"))
_IMAGES = {".jpg": "image/jpeg", ".png": "image/png", ".webp": "image/webp"}
_QUALITY_FILE = "quality.json"  # of media/, beside the manifest

MEDIA_TYPES: dict[str, str] = json.loads(Path(__file__).with_name("media_types.json").read_text("utf-8"))
"""By ending. The web server reads the same file (server/films/media-path.ts)."""
FILM_SUFFIXES = MEDIA_TYPES.keys() - _SUBTITLES
"""Of what makes a folder that of a film: manifests and segments."""


def media_type(name: str, *, with_images: bool) -> str | None:
    """Of a film's file, as the field Content-Type has it; None for another file, which is not served."""
    suffix = Path(name).suffix.lower()
    if suffix in MEDIA_TYPES:
        return MEDIA_TYPES[suffix]
    if name == _QUALITY_FILE:
        return "application/json"
    return _IMAGES.get(suffix) if with_images else None
