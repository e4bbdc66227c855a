"""Metrics as a cell leaves them in bundle.json."""

from __future__ import annotations

from collections.abc import Mapping


def cell_metrics(*, playback: Mapping[str, object], qoe: Mapping[str, object], **others: object) -> dict[str, object]:
    """Of a film that nothing is said of, but for these."""
    bare_playback: dict[str, object] = {
        "startupSeconds": None,
        "stalls": [],
        "rebufferSeconds": 0.0,
        "playedSeconds": 0.0,
    }
    bare_qoe = {"total": 0.0, "perSegment": 0.0, "bitrateSum": 0.0, "rebufferPenalty": 0.0, "smoothnessPenalty": 0.0}
    bare: dict[str, object] = {
        "window": {"fromMs": 0, "toMs": 1},
        "goodputMegabitsPerSecond": None,
        "serverCpuSeconds": None,
        "receiverEstimate": None,
        "dashjsEstimate": None,
        "segmentMegabitsPerSecond": [],
        "switches": 0,
        "hostLateness": None,
    }
    return {**bare, **others, "playback": {**bare_playback, **playback}, "qoe": {**bare_qoe, **qoe}}
