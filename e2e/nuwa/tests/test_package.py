"""The package as it is installed: built once, put into an environment without the clone, and used there."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[3]
LIMIT_S = 120
DATA = (
    "cc/links/limits.json",
    "cc/receiver/presets.json",
    "e2e/nuwa/commands.json",
    "models/policies/nuwa-rl.json",
    "models/policies/nuwa-rl.md",
    "models/policies/nuwa-rl.onnx",
    "models/scenarios/splits.json",
    "transport/media_server/limits.json",
    "transport/media_server/media_types.json",
    *(f"{package}/py.typed" for package in ("cc", "e2e", "models", "transport")),
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=LIMIT_S)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel, and sees the packages that the wheel depends on."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder)
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    [wheel] = built.glob("*.whl")
    install = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)]
    command = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), *install]
    subprocess.run(command, check=True, timeout=LIMIT_S)
    return folder / "bin"


def run(program: Path, *arguments: str, folder: Path, answer: str = "") -> str:
    """What it prints, run far from the clone."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=environment,
        input=answer,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_both_distributions_hold_the_code_and_its_data_and_no_tests(built: Path) -> None:
    [wheel], [source] = built.glob("*.whl"), built.glob("*.tar.gz")
    in_wheel = ZipFile(wheel).namelist()
    with tarfile.open(source) as archive:
        in_source = [name.partition("/")[2] for name in archive.getnames()]
    for names in (in_wheel, in_source):
        assert {*DATA, "cc/registry.py"} <= set(names)
        assert not [name for name in names if "/tests/" in name or name.endswith((".ts", ".mjs"))]
    assert "LICENSE" in in_source


def test_the_tool_works_outside_the_clone(installed: Path, tmp_path: Path) -> None:
    nuwa = installed / "nuwa"
    assert "simulate" in run(nuwa, "--help", folder=tmp_path)
    assert "nuwa-rl" in run(nuwa, "simulate", "nuwa-rl", "--seconds", "2", folder=tmp_path)
    assert run(nuwa, "trace", "show", "lte-like", folder=tmp_path).startswith("lte-like: LTE on the move")
    assert list(tmp_path.iterdir()) == []


def test_a_report_is_written_below_the_current_folder(installed: Path, tmp_path: Path) -> None:
    matrix = ("--schemes", "cubic", "--links", "24mbit", "--on", "simulation", "--seeds", "1", "--seconds", "2")
    run(installed / "nuwa", "bench", *matrix, folder=tmp_path)
    [report] = tmp_path.glob(".build/e2e/laboratory/*/report.html")
    assert "cubic" in report.read_text(encoding="utf-8")


def test_benchmarks_run_whose_sources_are_installed(installed: Path, tmp_path: Path) -> None:
    short = ("--schemes", "cubic", "--links", "12mbit", "--starts", "1", "--seconds", "1")
    assert "Over 1 link" in run(installed / "nuwa", "bench", "front", *short, folder=tmp_path)
    films = subprocess.run(
        [installed / "nuwa", "bench", "films"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (films.returncode, films.stderr.count("\n")) == (2, 1)
    assert "films takes a clone of nuwa-stream" in films.stderr


def test_any_folder_is_served_outside_the_clone(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "film").mkdir()
    (tmp_path / "film" / "manifest.mpd").write_text("<MPD/>")
    said = run(installed / "nuwa", "serve", "film", "--stop-with-stdin", folder=tmp_path)
    assert said.startswith('{"event": "ready"')


def test_gymnasium_knows_the_environments(installed: Path, tmp_path: Path) -> None:
    made = 'import gymnasium, models.environments;print(gymnasium.make("NuwaStream/nuwa-rl-v0").reset(seed=1)[0].shape)'
    assert run(installed / "python", "-c", made, folder=tmp_path).startswith("(")


def test_nothing_is_written_beside_the_code(installed: Path, tmp_path: Path) -> None:
    imports = "from cc.command_line.clone import build_folder; from models.training.command import OUTPUT"
    code = f"{imports}; print(build_folder(), OUTPUT)"
    kept = tmp_path.resolve() / ".build"
    assert run(installed / "python", "-c", code, folder=tmp_path.resolve()) == f"{kept} {kept / 'train'}\n"
