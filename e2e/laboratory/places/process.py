"""What the system says of a process that was started here (Linux)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.places.child import ChildError


@dataclass(frozen=True, slots=True)
class Process:
    """What /proc says of one (proc(5))."""

    pid: int

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return Path(f"/proc/{self.pid}").is_dir()

    @property
    def rss_bytes(self) -> int:
        """Resident memory."""
        return self._status_bytes("VmRSS")

    @property
    def peak_rss_bytes(self) -> int:
        """The most that was resident since the peak was forgotten; no library tells this one on Linux."""
        return self._status_bytes("VmHWM")

    def forget_peak(self) -> int:
        """What is resident; the peak counts from there (proc(5), clear_refs)."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5", encoding="ascii")
        return self.rss_bytes

    @property
    def children(self) -> list[Process]:
        """Those that its first thread started and that have not ended."""
        return [Process(int(pid)) for pid in self._read(f"task/{self.pid}/children").split()]

    @property
    def descriptors(self) -> int:
        """Open files and sockets."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    @property
    def cpu_s(self) -> float:
        """CPU seconds used so far, user and system."""
        return parse_cpu_s(self._read("stat"), ticks_per_s=os.sysconf("SC_CLK_TCK"))

    def _status_bytes(self, field: str) -> int:
        found = re.search(rf"^{field}:\s*([0-9]+) kB$", self._read("status"), re.MULTILINE)
        if found is None:
            raise ChildError(f"process {self.pid} has no {field}: it has ended")
        return int(found[1]) * 1024

    def _read(self, what: str) -> str:
        try:
            return Path(f"/proc/{self.pid}/{what}").read_text(encoding="ascii", errors="replace")
        except FileNotFoundError as error:
            raise ChildError(f"process {self.pid} has ended: nothing is known of its {what}") from error


def parse_cpu_s(stat: str, *, ticks_per_s: int) -> float:
    """Fields 14 and 15 of proc_pid_stat(5); the second, the name, may hold spaces and brackets."""
    fields = stat[stat.rindex(")") + 2 :].split()
    return (int(fields[11]) + int(fields[12])) / ticks_per_s
