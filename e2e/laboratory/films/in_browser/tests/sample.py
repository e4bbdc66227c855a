"""A film of four seconds, and what a cell would leave of it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.places.tests.cell_metrics import cell_metrics

ZERO_MS = 1_000_000


def plan_of(folder: Path) -> FilmPlan:
    """Over 8 Mbit/s, in a browser."""
    return FilmPlan(
        folder=folder,
        scheme="nuwa",
        rule="nuwa",
        estimator="receiver",
        link="8mbit",
        opportunities_ms=[1, 2, 3],
        start_ms=0,
        queue_packets=100,
        delay_ms=20.0,
        place="browser",
        uplink_ms=[1, 2, 3],
        film_s=4.0,
    )


def leave_bundle(folder: Path, *, ends: bool = True) -> None:
    """Segments of 4 and 2 Mbit/s, the first fetched anew once seen; 0.5 s without data, 0.25 s without a processor."""
    metrics = cell_metrics(
        window={"fromMs": ZERO_MS, "toMs": ZERO_MS + 5000},
        hostLateness={"medianMs": 12.0, "maxMs": 20.0, "isOverloaded": False},
        playback={
            "startupSeconds": 0.9,
            "stalls": [
                {"startedAtMs": ZERO_MS + 1000, "seconds": 0.5, "leastBufferSeconds": 0.1},
                {"startedAtMs": ZERO_MS + 2000, "seconds": 0.25, "leastBufferSeconds": 12.0},
            ],
        },
        segmentMegabitsPerSecond=[4.0, 2.0],
        qoe={"total": 0.775, "bitrateSum": 6.0, "rebufferPenalty": 4.3 * 0.75, "smoothnessPenalty": 2.0},
    )
    (folder / "bundle.json").write_text(json.dumps({"metrics": metrics, "decisions": []}))
    _table(
        folder / "playback.csv",
        "atMs,mediaSeconds,bufferSeconds,videoHeight,isEnded",
        *[f"{ZERO_MS},0,0,0,false"] * 150,  # while the page waits for its time
        *(f"{ZERO_MS + at_ms},{shown_s},4.0,360,false" for at_ms, shown_s in ((1000, 0.5), (2000, 1.5), (3000, 2.5))),
        f"{ZERO_MS + 3500},3.0,4.0,360,{str(ends).lower()}",
    )
    _table(
        folder / "estimates.csv",
        "atMs,receiverBitsPerSecond,dashjsBitsPerSecond",
        f"{ZERO_MS + 900},,",
        f"{ZERO_MS + 1500},5e6,",
    )
    _table(
        folder / "segments.csv",
        "mediaType,index,bitsPerSecond,bytes,requestedAtMs,endedAtMs,isShown",
        *(
            f"{kind},{index},{rate},1000,{ZERO_MS + 100},{ZERO_MS + 200.5},{is_shown}"
            for kind, index, rate, is_shown in (
                ("audio", 0, 128_000, "false"),
                ("video", 1, 2_000_000, "true"),
                ("video", 0, 4_000_000, "true"),
                ("video", 0, 8_000_000, "false"),
            )
        ),
    )
    (folder / "switches.json").write_text("[]")
    log = f"# init timestamp: {ZERO_MS}\n# base timestamp: 0\n100 # 1504\n90 + 1504\n97 - 1504 7\n150 # 1504\n"
    (folder / "link.log.gz").write_bytes(gzip.compress(log.encode()))


def _table(file: Path, *lines: str) -> None:
    file.write_text("\n".join([*lines, ""]))
