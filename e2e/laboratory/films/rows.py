"""Films as a Parquet table: a row each, with all that was chosen, and every unit in its column's name."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import polars as pl

from e2e.laboratory.films.run import FilmPlan, FilmResult

_TEXT, _NUMBER, _WHOLE = pl.String(), pl.Float64(), pl.Int64()
FILMS = pl.Schema(
    {
        "film": _TEXT,
        "link": _TEXT,
        "scheme": _TEXT,
        "preset": _TEXT,
        "rule": _TEXT,
        "estimator": _TEXT,
        "seed": _WHOLE,
        "trace_start_ms": _WHOLE,
        "queue_packets": _WHOLE,
        "delay_ms": _NUMBER,
        "has_ended": pl.Boolean(),
        "startup_s": _NUMBER,
        "played_s": _NUMBER,
        "stalls": _WHOLE,
        "stalled_s": _NUMBER,
        "segments": _WHOLE,
        "bitrate_mean_bits_per_s": _NUMBER,
        "switches": _WHOLE,
        "qoe_per_segment": _NUMBER,
        "queueing_delay_p95_ms": _NUMBER,
    }
)
"""A number is null where there is nothing that it could be of."""


def write_films(file: Path, plans: Sequence[FilmPlan], results: Sequence[FilmResult]) -> None:
    """In the order of the plans. Raises OSError."""
    rows = [_row(plan, result) for plan, result in zip(plans, results, strict=True)]
    whole = BytesIO()  # polars has errors of its own for a full disk
    pl.DataFrame(rows, schema=FILMS).write_parquet(whole, compression="zstd")
    file.write_bytes(whole.getvalue())


def _row(plan: FilmPlan, result: FilmResult) -> dict[str, object]:
    film, delay_s = result.played, result.p95_queueing_delay_s
    rates = [segment.bits_per_second for segment in film.segments]
    return {
        "film": plan.folder.name,
        "link": plan.link,
        "scheme": plan.scheme,
        "preset": plan.preset,
        "rule": plan.rule,
        "estimator": plan.estimator,
        "seed": plan.seed,
        "trace_start_ms": plan.start_ms,
        "queue_packets": plan.queue_packets,
        "delay_ms": plan.delay_ms,
        "has_ended": film.has_ended,
        "startup_s": None if film.startup_ms is None else film.startup_ms / 1000,
        "played_s": film.position_seconds,
        "stalls": len(film.waits),
        "stalled_s": film.stalled_s,
        "segments": len(rates),
        "bitrate_mean_bits_per_s": sum(rates) / len(rates) if rates else None,
        "switches": len(film.switches),
        "qoe_per_segment": None if film.qoe is None else film.qoe.per_segment,
        "queueing_delay_p95_ms": None if delay_s is None else 1000 * delay_s,
    }
