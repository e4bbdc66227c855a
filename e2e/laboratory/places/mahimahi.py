"""A mahimahi shell as a run's link: a network namespace behind mm-delay and mm-link.

mahimahi runs as its ordinary user and holds only `cat`; the commands of a run enter the shell's network namespace from
outside, so they need neither that user's rights nor files that it may read.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from cc.links.limits import LIMITS
from e2e.laboratory.mahimahi_disciplines import MAHIMAHI_DISCIPLINES
from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.emulated_link import EmulatedLink
from e2e.laboratory.places.environment import Mahimahi
from e2e.laboratory.places.link_log import read_start_s
from e2e.laboratory.plan import LinkPlan, RunPlan

OPEN_LIMIT_S = 20.0
POLL_S = 0.01
IPTABLES = "/usr/sbin/iptables"
"""Where mahimahi calls iptables."""


class Shell(EmulatedLink):
    """One that is open."""

    listen_host = "0.0.0.0"

    def __init__(self, child: Child, *, host: str, pid: int, started_at_s: float, log: Path) -> None:
        self._child, self._pid, self._log = child, pid, log
        self.host, self.started_at_s = host, started_at_s

    def inside(self, command: Sequence[str]) -> list[str]:
        """To be run as root, it runs there with this process's own user and files."""
        return ["nsenter", f"--net=/proc/{self._pid}/ns/net", "--", *command]

    async def connect(self, server_port: int) -> int:
        """Nothing lies between."""
        return server_port

    async def close(self) -> str:
        """Ends it; its log."""
        await self._child.stop()
        return self._log.read_text(encoding="ascii")


@asynccontextmanager
async def open_shell(mahimahi: Mahimahi, plan: RunPlan, folder: Path) -> AsyncIterator[Shell]:
    """The link's time begins now. Raises ChildError."""
    log = _make_log_folder(folder, mahimahi.user) / "down.log"
    command = as_ordinary_user(mahimahi, _program(mahimahi, plan.link, folder, log))
    async with await Child.start("mahimahi", command) as child:
        line = await child.next_line(OPEN_LIMIT_S)
        match = re.fullmatch(r"([0-9.]+) ([0-9]+)", line)
        if match is None:
            raise ChildError(f'mahimahi\'s shell said "{line}" instead of its address')
        started_at_s = await _read_start_s(log)
        yield Shell(child, host=match[1], pid=int(match[2]), started_at_s=started_at_s, log=log)


def as_ordinary_user(mahimahi: Mahimahi, program: Sequence[str]) -> list[str]:
    """The command, to be run as root, that runs mahimahi as its user, with another iptables for these processes alone.

    mahimahi refuses to be started by root, and calls iptables while it is setuid, which iptables 1.8.8 and newer
    refuse. A mount namespace of its own lets a wrapper stand over iptables without touching the system.
    """
    script = f'mount --bind "$1" {IPTABLES} && shift && exec "$@"'
    as_user = ["setpriv", f"--reuid={mahimahi.user}", f"--regid={mahimahi.user}", "--init-groups", "--"]
    return ["unshare", "-m", "sh", "-c", script, "sh", mahimahi.iptables_wrapper, *as_user, *program]


def _make_log_folder(folder: Path, user: str) -> Path:
    """A folder for the log, and the traces beside it, where mahimahi's user can reach them."""
    folder.chmod(0o755)
    logs = folder / "log"
    logs.mkdir()
    shutil.chown(logs, user)
    return logs


def _program(mahimahi: Mahimahi, link: LinkPlan, folder: Path, log: Path) -> list[str]:
    def program(name: str) -> str:
        return str(Path(mahimahi.binaries) / name)

    loss = [program("mm-loss"), "downlink", str(link.loss_ratio)] if link.loss_ratio > 0 else []
    return [
        *(program("mm-delay"), str(link.delay_ms)),
        *(program("mm-link"), str(folder / "link.up"), str(folder / "link.down"), f"--downlink-log={log}"),
        *_queue_options(link),
        "--",
        *loss,
        *("sh", "-c", 'echo "$MAHIMAHI_BASE" $$; exec cat'),
    ]


def _queue_options(link: LinkPlan) -> list[str]:
    if link.queue_packets is None and link.discipline == "droptail":
        return ["--downlink-queue=infinite"]
    # those that drop by themselves must have a limit, too
    packets = int(LIMITS.queue_packets.max) if link.queue_packets is None else link.queue_packets
    arguments = ",".join((f"packets={packets}", *MAHIMAHI_DISCIPLINES[link.discipline]))
    return [f"--downlink-queue={link.discipline}", f"--downlink-queue-args={arguments}"]


async def _read_start_s(log: Path) -> float:
    """mahimahi writes its log's header while what it runs inside begins."""
    until_s = time.monotonic() + OPEN_LIMIT_S
    while time.monotonic() < until_s:
        header = log.read_text(encoding="ascii") if log.exists() else ""
        if "\n# base timestamp:" in header:
            return read_start_s(header)
        await asyncio.sleep(POLL_S)
    raise ChildError(f"mahimahi began no log within {OPEN_LIMIT_S:g} s")
