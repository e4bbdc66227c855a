"""Loading a scheme's entry from its file; what is wrong there is told in one sentence, with the line."""

from __future__ import annotations

import traceback
from collections.abc import Collection
from pathlib import Path
from pkgutil import resolve_name

from cc.command_line.scheme_file_error import SchemeFileError
from cc.core.scheme import Scheme

FOLDER = Path(__file__).parent
FOUNDATIONS = FOLDER / "core"
ENTRY_CALL = "Scheme("
"""In the file of every scheme, and of none that only helps schemes."""
FAULTS_OF_A_FILE = (
    *(SyntaxError, NameError, AttributeError, TypeError, ValueError, ImportError),
    *(LookupError, ArithmeticError, AssertionError, OSError),
)
"""What the statements of a module raise, of tables and files that they read, too."""


def load_entry(entry: str) -> Scheme:
    """The scheme at `module:NAME` of this package. Raises SchemeFileError."""
    module, _, name = entry.partition(":")
    file = f"{FOLDER.name}/{module.replace('.', '/')}.py"
    try:
        scheme: object = resolve_name(f"{__package__}.{entry}")
    except ModuleNotFoundError as error:
        if error.name == f"{__package__}.{module}":
            raise SchemeFileError(f"cc/registry.py names {entry}, and there is no {file}") from error
        if (error.name or "").partition(".")[0] != __package__:
            raise  # a package that is not installed
        raise SchemeFileError(_told(error, file)) from error
    except FAULTS_OF_A_FILE as error:
        raise SchemeFileError(_told(error, file)) from error
    if not isinstance(scheme, Scheme):
        raise SchemeFileError(f"{file}: {name} is no Scheme: write {name} = Scheme(...) at its end")
    return scheme


def unregistered_file(name: str, entries: Collection[str]) -> str | None:
    """The file with the entry of a scheme of this name, where there is one that is not among the `entries`."""
    stem = name.replace("-", "_")
    registered = {entry.partition(":")[0] for entry in entries}
    for half in ("sender", "receiver"):
        file = FOLDER / half / f"{stem}.py"
        if f"{half}.{stem}" in registered or not stem.isidentifier() or not file.is_file():
            continue
        if ENTRY_CALL in file.read_text(encoding="utf-8"):
            return file.relative_to(FOLDER.parent).as_posix()
    return None


def _told(error: Exception, file: str) -> str:
    """Where it was raised outside of what all schemes stand on, and what."""
    kind = type(error).__name__
    if isinstance(error, SyntaxError):
        return f"{_from_here(error.filename or file)}:{error.lineno}: {kind}: {error.msg}"
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_of_schemes(Path(frame.filename))]
    place = f"{_from_here(places[-1].filename)}:{places[-1].lineno}" if places else file
    return f"{place}: {kind}: {error}"


def _is_of_schemes(path: Path) -> bool:
    is_ours = path.is_relative_to(FOLDER) and not path.is_relative_to(FOUNDATIONS)
    return is_ours and path.parent != FOLDER


def _from_here(path: str) -> str:
    root = FOLDER.parent
    return Path(path).relative_to(root).as_posix() if Path(path).is_relative_to(root) else path
