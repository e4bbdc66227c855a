from __future__ import annotations

import asyncio
import os
import time

import pytest

from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.process import parse_cpu_s

LIMIT_S = 10.0


async def shell(script: str) -> Child:
    return await Child.start("shell", ["sh", "-c", script])


def test_lines_are_read_one_by_one_and_those_left_when_it_is_stopped() -> None:
    async def talk() -> list[str]:
        async with await shell("echo one; cat; echo last") as child:
            assert await child.next_line(LIMIT_S) == "one"
            await child.send("two")
            assert await child.next_line(LIMIT_S) == "two"
            return await child.stop()

    assert asyncio.run(talk()) == ["last"]


@pytest.mark.parametrize(
    ("script", "limit_s", "message"),
    [
        ("echo no such film >&2; exit 3", LIMIT_S, r"shell ended early \(exit status 3\). no such film"),
        ("exec cat", 0.05, "shell said nothing for 0.1 s"),
    ],
)
def test_a_child_that_does_not_serve_is_reported(script: str, limit_s: float, message: str) -> None:
    async def wait() -> None:
        async with await shell(script) as child:
            await child.next_line(limit_s)

    with pytest.raises(ChildError, match=message):
        asyncio.run(wait())


def test_a_command_that_does_not_exist_is_reported() -> None:
    with pytest.raises(ChildError, match="nothing: /no/such/command does not start: No such file"):
        asyncio.run(Child.start("nothing", ["/no/such/command"]))


def test_what_it_leaves_in_its_process_group_is_killed() -> None:
    async def leave() -> int:
        async with await shell("sleep 1000 <&- >&- 2>&- & echo $!; exec cat") as child:
            return int(await child.next_line(LIMIT_S))

    grandchild = asyncio.run(leave())
    until_s = time.monotonic() + LIMIT_S
    while is_running(grandchild) and time.monotonic() < until_s:
        pass
    assert not is_running(grandchild)


def is_running(pid: int) -> bool:
    """False for a zombie too: in a container nobody may reap what was orphaned."""
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_cpu_time_is_found_behind_a_name_with_brackets_and_spaces() -> None:
    stat = "77 (odd) name (x)) S 1 77 77 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 1 0 5 6 7"
    assert parse_cpu_s(stat, ticks_per_s=100) == 3.0
