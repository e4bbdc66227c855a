"""Makes a build: a folder with a package cc of extension modules that finds the rest of cc in the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path

from cc.command_line.clone import ROOT
from e2e.nuwa.compiled.sources import COMPILED, build_name, builds_folder, for_mypyc, is_compiled, python_version

SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup
setup(name="cc", packages=[], script_args=["--quiet", "build_ext", "--inplace"],
      ext_modules=mypycify(sys.argv[1:], opt_level="2", multi_file=True))
"""
PACKAGE = '''"""cc, compiled; what is not here is in the sources."""

COMPILED = {compiled!r}
__path__.append({sources!r})
'''
LOG = "log.txt"


class BuildError(Exception):
    """cc cannot be compiled here; the message is a sentence."""


def make_build() -> Path:
    """The folder of the build of these sources, which it makes if it is not there. Raises BuildError."""
    folder = builds_folder() / build_name()
    if folder.is_dir():
        return folder
    builds_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=builds_folder(), prefix="making-") as name:
        work = Path(name) / "work"
        _compile(work, _copy(work))
        made = Path(name) / "made"
        _collect(work, made)
        try:
            made.rename(folder)
        except OSError as error:
            if not folder.is_dir():  # else another process was faster
                raise BuildError(f"{folder} cannot be written: {error.strerror}") from error
    return folder


def _copy(work: Path) -> list[str]:
    """The sources as mypyc takes them; those that are to be compiled."""
    shutil.copytree(ROOT / "cc", work / "cc", ignore=shutil.ignore_patterns("tests", "testdata", "__pycache__", "*.ts"))
    chosen = []
    for part in COMPILED:
        path = work / "cc" / part
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            file.write_text(for_mypyc(text), encoding="utf-8")
            if is_compiled(text):
                chosen.append(file.relative_to(work).as_posix())
    return chosen


def _compile(work: Path, modules: list[str]) -> None:
    command = [sys.executable, "-c", SETUP, *modules]
    with (work / LOG).open("w", encoding="utf-8") as log:
        done = subprocess.run(command, cwd=work, stdout=log, stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0:
        return
    kept = builds_folder() / LOG
    shutil.copy(work / LOG, kept)
    lines = [line for line in kept.read_text(encoding="utf-8").splitlines() if "error" in line.lower()]
    said = lines[-1].strip() if lines else "it says nothing"
    raise BuildError(f"cc cannot be compiled here: {said} ({kept} has the rest)")


def _collect(work: Path, made: Path) -> None:
    """What was compiled, and below its folders what was not."""
    suffix = EXTENSION_SUFFIXES[0]
    shutil.rmtree(work / "build")
    extensions = sorted(work.rglob(f"*{suffix}"))
    compiled = {file.with_name(file.name.removesuffix(suffix) + ".py") for file in extensions}
    others = [file for part in COMPILED for file in (work / "cc" / part).rglob("*.*") if file not in compiled]
    for file in {*extensions, *others}:
        target = made / file.relative_to(work)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    package = PACKAGE.format(compiled=f"mypyc {version('mypy')}, {python_version()}", sources=os.fspath(ROOT / "cc"))
    (made / "cc" / "__init__.py").write_text(package, encoding="utf-8")
