"""A film of a few seconds for tests."""

from __future__ import annotations

import json
from pathlib import Path

RUNGS_BITS_PER_S = (400_000, 3_000_000)
SEGMENTS = 6
SEGMENT_S = 2


def write_sample_film(folder: Path) -> Path:
    """Twelve seconds of nothing, in the sizes of two bitrates that look the same, and a sound track."""
    rungs = [("video", f"v{bits}", bits, "avc1.64001f") for bits in RUNGS_BITS_PER_S]
    sets = ""
    for kind, rung, bits, codec in [*rungs, ("audio", "a", 128_000, "mp4a.40.2")]:
        (folder / f"init-{rung}.m4s").write_bytes(bytes(800))
        for number in range(1, SEGMENTS + 1):
            (folder / f"seg-{rung}-{number}.m4s").write_bytes(bytes(bits * SEGMENT_S // 8))
        size = ' width="640" height="360"' if kind == "video" else ""
        representation = (
            f'<Representation id="{rung}" mimeType="{kind}/mp4" codecs="{codec}" bandwidth="{bits}"{size}>'
            f'<SegmentTemplate timescale="1" initialization="init-$RepresentationID$.m4s" '
            f'media="seg-$RepresentationID$-$Number$.m4s" startNumber="1"><SegmentTimeline>'
            f'<S t="0" d="{SEGMENT_S}" r="{SEGMENTS - 1}"/></SegmentTimeline></SegmentTemplate></Representation>'
        )
        first = rung == f"v{RUNGS_BITS_PER_S[0]}"
        last = rung != f"v{RUNGS_BITS_PER_S[0]}"
        sets += (f'<AdaptationSet contentType="{kind}">' if first or kind == "audio" else "") + representation
        sets += "</AdaptationSet>" if last else ""
    manifest = (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" minBufferTime="PT2S" '
        f'profiles="urn:mpeg:dash:profile:isoff-live:2011" mediaPresentationDuration="PT{SEGMENTS * SEGMENT_S}S">'
        f'<Period id="0" start="PT0S">{sets}</Period></MPD>'
    )
    (folder / "manifest.mpd").write_text(manifest, encoding="utf-8")
    looks = [
        {"representation": f"v{bits}", "bitsPerSecond": bits, "vmaf": [90.0] * SEGMENTS, "ssim": [0.9] * SEGMENTS}
        for bits in RUNGS_BITS_PER_S
    ]
    quality = {"schema": 1, "model": "even", "segmentSeconds": [SEGMENT_S] * SEGMENTS, "rungs": looks}
    (folder / "quality.json").write_text(json.dumps(quality), encoding="utf-8")
    return folder
