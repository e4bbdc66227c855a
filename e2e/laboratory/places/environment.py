"""What this machine has for emulated runs, as `npm run prepare-machine` finds it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import msgspec

from cc.command_line.clone import ROOT, build_folder

ENVIRONMENT_FILE = build_folder() / "e2e" / "environment.json"
BOOTSTRAP = ROOT / "server" / "setup" / "bootstrap.mjs"
PREPARE = ("run", "e2e/browser/setup/prepare.ts")


class MissingProgramError(Exception):
    """Something that runs need is not to be had here; the message is one sentence."""


class Mahimahi(msgspec.Struct, frozen=True, rename="camel"):
    """Where mahimahi lies, and how it is started."""

    binaries: str
    """Directory of mm-link, mm-delay and mm-loss, setuid root."""
    traces: str
    """Directory of the recorded traces, NAME.up and NAME.down."""
    version: str
    user: str
    """The ordinary user as whom it is started."""
    iptables_wrapper: str
    """What is mounted over iptables while it starts."""


class FoundBrowser(msgspec.Struct, frozen=True):
    """Where a browser is, or why there is none."""

    path: str | None
    reason: str = ""


class Environment(msgspec.Struct, frozen=True, rename="camel"):
    """What was found."""

    mahimahi: Mahimahi | None
    mahimahi_reason: str | None = None
    """Why there is none."""
    browsers: dict[str, FoundBrowser] = {}


def known_mahimahi() -> Mahimahi | None:
    """None where it was not looked for, or is not there."""
    return _read().mahimahi if ENVIRONMENT_FILE.is_file() else None


def require_mahimahi() -> Mahimahi:
    """Looks for it, or fetches it, where that was not done. Raises MissingProgramError."""
    if not ENVIRONMENT_FILE.is_file():
        _prepare()
    environment = _read()
    if environment.mahimahi is None:
        raise MissingProgramError(environment.mahimahi_reason or "mahimahi is not there")
    return environment.mahimahi


def require_browser() -> None:
    """Looks for Chromium, where that was not done. Raises MissingProgramError."""
    require_node()
    if not ENVIRONMENT_FILE.is_file():
        _prepare()
    found = _read().browsers.get("chromium")
    if found is None:
        raise MissingProgramError("nobody has looked for a browser: run npm run prepare-machine")
    if found.path is None:
        raise MissingProgramError(found.reason)


def require_node() -> Path:
    """Node, which starts what a browser needs. Raises MissingProgramError."""
    node = shutil.which("node")
    if node is None or not BOOTSTRAP.is_file():
        raise MissingProgramError(
            "runs in the browser need Node.js and a clone of nuwa-stream: run npm start there once"
        )
    return Path(node)


def _prepare() -> None:
    said = subprocess.run([require_node(), BOOTSTRAP, *PREPARE], cwd=ROOT, capture_output=True, text=True, check=False)
    if said.returncode != 0 or not ENVIRONMENT_FILE.is_file():
        words = said.stderr.strip().splitlines() or ["it says no more"]
        raise MissingProgramError(f"npm run prepare-machine failed: {words[-1]}")


def _read() -> Environment:
    return msgspec.json.decode(ENVIRONMENT_FILE.read_bytes(), type=Environment)
