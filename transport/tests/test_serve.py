"""`python -m transport serve` as a process: what it says, to whom, and how it ends."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cc.receiver.observer import Observer
from transport.__main__ import main
from transport.headless.client import open_session

ROOT = Path(__file__).parents[2]
ORIGIN = "http://localhost:5173"
TIME_LIMIT_S = 30.0


class Served:
    """A server's process and its lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def next_event(self, name: str) -> dict[str, Any]:
        """The next event of a name; others are passed over."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            event: dict[str, Any] = json.loads(line)
            if event["event"] == name:
                return event
        raise AssertionError(f"the server ended without saying {name}")


@asynccontextmanager
async def served(directory: Path, *options: str) -> AsyncIterator[Served]:
    """A running server that ends with its standard input."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "transport", "serve", str(directory), "--origin", ORIGIN, "--workers", "1", *options),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Served(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    """Run to the end, or fail after a time no scenario needs."""

    async def limited() -> None:
        async with asyncio.timeout(TIME_LIMIT_S):
            await scenario()

    asyncio.run(limited())


def test_it_says_that_it_is_ready_then_that_it_lives_and_ends_with_its_standard_input(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path, "--beat", "--stop-with-stdin") as server:
            ready = await server.next_event("ready")
            assert set(ready) == {"event", "host", "port", "certificate_sha256", "certificate_not_after"}
            await server.next_event("beat")
            await server.next_event("beat")
            assert server.process.stdin is not None
            server.process.stdin.close()
            assert await server.process.wait() == 0

    run(scenario)


def test_it_says_that_newcomers_get_in_and_that_it_stops(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path, "--self-check", "--stop-with-stdin") as server:
            await server.next_event("ready")
            result = await server.next_event("newcomers")
            assert result["can_enter"] is True
            assert 0 < result["opening_s"] < 3
            server.process.send_signal(signal.SIGTERM)
            await server.next_event("stopping")
            assert await server.process.wait() == 0

    run(scenario)


def test_a_key_for_resets_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUWA_RESET_KEY", "1234")

    async def scenario() -> None:
        async with served(tmp_path) as server:
            _, words = await server.process.communicate()
            assert server.process.returncode == 2
            assert words.decode().endswith(": NUWA_RESET_KEY has to be 64 hexadecimal digits\n")

    run(scenario)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--certificate", "c.pem"], ": --certificate and --key go together; see "),
        (["--certificate", "/nowhere/c.pem", "--key", "k.pem"], ": the certificate /nowhere/c.pem cannot be read (No "),
    ],
)
def test_a_certificate_that_is_none_is_refused(tmp_path: Path, options: list[str], words: str) -> None:
    async def scenario() -> None:
        async with served(tmp_path, *options) as server:
            _, said = await server.process.communicate()
            assert server.process.returncode == 2
            assert words in said.decode()
            assert said.decode().count("\n") == 1

    run(scenario)


def test_a_new_certificate_on_demand_is_announced_beside_the_old_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path, "--stop-with-stdin") as server:
            ready = await server.next_event("ready")
            server.process.send_signal(signal.SIGUSR1)
            announced = await server.next_event("certificate")
            new, old = announced["certificate_sha256"]
            assert [old] == ready["certificate_sha256"]
            assert new != old
            assert announced["certificate_not_after"].endswith("Z")

    run(scenario)


def test_a_short_lived_certificate_is_replaced_while_a_session_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path, "--stop-with-stdin", "--certificate-lifetime-s", "3") as server:
            ready = await server.next_event("ready")
            url = f"https://127.0.0.1:{ready['port']}/v1/cubic"
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as client:
                for _ in range(2):
                    await server.next_event("certificate")
                assert (await client.download("generated/1000", on_data=lambda data: None))["status"] == 200

    run(scenario)


def test_it_says_what_became_of_a_learned_schemes_decisions(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path, "--stop-with-stdin") as server:
            ready = await server.next_event("ready")
            url = f"https://127.0.0.1:{ready['port']}/v1"
            async with open_session(f"{url}/cubic", origin=ORIGIN, receiver=Observer()) as client:
                await client.download("generated/1000", on_data=lambda data: None)
            async with open_session(f"{url}/bbr-fit", origin=ORIGIN, receiver=Observer()) as client:
                await client.download("generated/1000", on_data=lambda data: None)
                assert server.process.stdin is not None
                server.process.stdin.close()  # what is open at the end is told of, too
                told = await server.next_event("policy")
        assert set(told) == {"event", "scheme", "policy", "is_loaded", "decisions", "answered", "late", "failed"}
        assert (told["scheme"], told["policy"]) == ("bbr-fit", "bbr-fit")

    run(scenario)


def test_the_address_file_is_there_while_the_server_is_and_follows_its_certificates(tmp_path: Path) -> None:
    async def scenario() -> None:
        film = tmp_path / "film"
        film.mkdir()
        file = tmp_path / "nuwa.json"
        async with served(film, "--address-file", str(file)) as server:
            ready = await server.next_event("ready")
            address = {
                "url": f"https://127.0.0.1:{ready['port']}",
                "certificateHashes": ready["certificate_sha256"],
                "certificateNotAfter": ready["certificate_not_after"],
            }
            assert json.loads(file.read_text()) == {**address, "workers": [{**address, "sessions": 0, "latenessMs": 0}]}
            server.process.send_signal(signal.SIGUSR1)
            announced = await server.next_event("certificate")
            written = json.loads(file.read_text())
            assert written["certificateHashes"] == announced["certificate_sha256"]
            assert written["workers"][0]["certificateHashes"] == announced["certificate_sha256"]
            assert written["certificateNotAfter"] == announced["certificate_not_after"]
            server.process.terminate()
            assert await server.process.wait() == 0
            assert [path.name for path in tmp_path.iterdir()] == ["film"]
            assert server.process.stderr is not None
            advice = (await server.process.stderr.read()).decode()
            assert f"media server at {address['url']} for pages of {ORIGIN}" in advice
            assert "attachNuwa" in advice

    run(scenario)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--address-file", "/nonexistent/nuwa.json"), "serve: --address-file: /nonexistent/nuwa.json cannot be "),
        (("--port", "65535", "--workers", "2"), "serve: --port 65535 with 2 workers ends at 65536: 65535 is the last"),
        (("--metrics-host", "192.0.2.1", "--metrics-port", "0"), "serve: --metrics-port: 192.0.2.1:0 cannot be liste"),
    ],
)
def test_what_cannot_be_done_is_told_at_once(tmp_path: Path, options: tuple[str, ...], sentence: str) -> None:
    async def scenario() -> None:
        async with served(tmp_path, *options) as server:
            assert await server.process.wait() == 2
            assert server.process.stderr is not None
            told = (await server.process.stderr.read()).decode()
            assert sentence in told.splitlines()[-1]
            assert "[Errno" not in told

    run(scenario)


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--origin", "nonsense", "argument --origin: 'nonsense' is not an origin as browsers write it: give scheme"),
        ("--origin", "http://localhost:8080/", "argument --origin: 'http://localhost:8080/' is not an origin"),
        ("--origin", "http://localhost:99999", "argument --origin: 'http://localhost:99999' is not an origin"),
        ("--network-reports", "localhost:8090", "'localhost:8090' is not an address such as http://127.0.0.1:8090/"),
        ("--network-reports", "http://127.0.0.1:x/", "'http://127.0.0.1:x/' is not an address such as http://127"),
        ("--session-rate-mbit", "0", "argument --session-rate-mbit: '0' is not a number from 0.1 to 100000 (Mbit/s)"),
        ("--workers", "0", "serve: argument --workers: '0' is not a whole number from 1 to 256 (processes); see "),
        ("--sessions-per-address", "257", "argument --sessions-per-address: '257' is not a whole number from 1 to 25"),
        ("--max-datagram-bytes", "1199", "argument --max-datagram-bytes: '1199' is not a whole number from 1200 to 14"),
        ("--certificate-lifetime-s", "9999999", "is not a number of seconds from above 0 to 1123200"),
    ],
)
def test_what_an_option_cannot_be_is_told_before_anything_starts(
    tmp_path: Path, option: str, value: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["serve", str(tmp_path), "--origin", ORIGIN, "--workers", "1", option, value])
    assert ending.value.code == 2
    told = capsys.readouterr().err
    assert sentence in told.splitlines()[-1]
    assert "[Errno" not in told


def test_a_worker_tells_what_cannot_be_done_by_the_name_that_people_type(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path / "nowhere", "--workers", "2") as server:
            assert await server.process.wait() == 2
            assert server.process.stderr is not None
            told = (await server.process.stderr.read()).decode()
            assert told.startswith(f"nuwa serve: {tmp_path / 'nowhere'} is not a directory; ")

    run(scenario)
