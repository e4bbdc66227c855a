"""Tables as files that describe themselves."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import polars as pl

from e2e.laboratory.store.columns import Column, described

COLUMNS = "columns"
"""In a Parquet file's metadata: what each column is, as JSON."""


def write_table(file: Path, table: pl.DataFrame, columns: Mapping[str, Column], about: Mapping[str, str]) -> None:
    """As CSV or Parquet, by its ending; `about` and what columns are go into a Parquet file. Raises OSError."""
    whole = BytesIO()  # polars has errors of its own for a full disk
    if file.suffix == ".csv":
        table.write_csv(whole)
    else:
        table.write_parquet(whole, compression="zstd", metadata={**about, COLUMNS: described(columns)})
    file.write_bytes(whole.getvalue())
