from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import polars as pl
import pytest

from e2e.laboratory.__main__ import main
from e2e.laboratory.bundle import Bundle
from e2e.laboratory.matrix.options import parse_options
from e2e.laboratory.runs.laboratory import directory_name

MATRIX = "--schemes nuwa,cubic --links 2mbit --seconds 2 --jobs 1"


def test_a_matrix_leaves_rows_and_a_bundle_and_goes_on_with_more_seeds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*MATRIX.split(), "--seeds", "1", "--output", str(tmp_path)]) == 0
    assert "3 of 3 runs" in capsys.readouterr().err  # with the omniscient sender
    assert main([*MATRIX.split(), "--seeds", "2", "--output", str(tmp_path)]) == 0
    assert "6 of 6 runs" in capsys.readouterr().err
    runs = pl.read_parquet(tmp_path / "runs.parquet").sort("arm", "seed")
    assert runs.select("arm", "seed", "status").rows() == [
        (arm, seed, "finished") for arm in ("cubic", "nuwa", "omniscient") for seed in (1, 2)
    ]
    bundle = msgspec.json.decode((tmp_path / "bundle.json").read_bytes(), type=Bundle)
    assert (bundle.finished, bundle.failed, bundle.seeds) == (6, 0, (1, 2))
    assert bundle.links[0].period_ms == 10_000


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--schemes bbrx", 'scheme "bbrx" is unknown'),
        ("--schemes nuwa --links nowhere", "link 'nowhere' is neither a rate"),
        ("--schemes nuwa --baseline bbr", "--baseline bbr: choose one of nuwa"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert main([*line.split(), "--output", str(tmp_path / "none")]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert (said.err.count("\n"), said.out) == (1, "")
    assert not (tmp_path / "none").exists()


def test_a_full_disk_is_said_and_the_runs_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "runs.parquet").symlink_to("/dev/full")
    matrix = [*MATRIX.split(), "--seeds", "1", "--output", str(tmp_path)]
    assert main(matrix) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "python -m e2e.laboratory: No space left on device; what is there stays, the same command goes on"
    )
    (tmp_path / "runs.parquet").unlink()
    assert main(matrix) == 0
    assert len(list((tmp_path / "runs").iterdir())) == 3


def test_help_needs_python_alone() -> None:
    root = Path(__file__).parents[4]
    program = f"import sys; sys.path.insert(0, {str(root)!r}); from e2e.laboratory.__main__ import main"
    program += "; main(['--schemes', 'nuwa', '--help'])"
    said = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert "--schemes LIST" in said.stdout


def test_the_same_arguments_find_their_directory_again_with_more_seeds_and_another_baseline_too() -> None:
    def name(line: str) -> str:
        return directory_name(parse_options(line.split()))

    first = name("--schemes nuwa,cubic")
    assert first.startswith("simulation-nuwa+cubic-24mbit-")
    assert name("--schemes nuwa,cubic --seeds 9 --baseline cubic --jobs 7") == first
    assert name("--schemes nuwa,cubic --seconds 31") != first
