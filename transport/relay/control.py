"""Commands to a running relay: a JSON object a line on standard input, each answered by one on standard output."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TextIO, TypeVar

from cc.links.catalogue import LinkCatalogue, UnknownLinkError
from transport.relay.lane import resolve
from transport.relay.relay import Relay
from transport.relay.settings import LinkSettingsError, prepare_link, settings_from_json

LONGEST_LINE_BYTES = 64 * 1024

T = TypeVar("T")


class CommandError(ValueError):
    """A command that cannot be understood; the message is one sentence."""


class Control:
    """Reads commands in a thread of its own, prepares what they take there, and has the relay's thread do the rest."""

    def __init__(self, relay: Relay, catalogue: LinkCatalogue, output: TextIO) -> None:
        self._relay = relay
        self._catalogue = catalogue
        self._output = output

    def start(self, file_descriptor: int) -> None:
        """Obey until the input ends, then stop the relay."""
        threading.Thread(target=self._run, args=(file_descriptor,), name="control", daemon=True).start()

    def _run(self, file_descriptor: int) -> None:
        try:
            for line in _lines(file_descriptor):
                write_line(self._output, self.answer(line))
        except BrokenPipeError:
            pass  # whoever started the relay has gone
        finally:
            self._relay.stop()

    def answer(self, line: bytes) -> dict[str, object]:
        """Do what the line says; what the relay answers."""
        try:
            return self._obey(_parse(line))
        except (CommandError, LinkSettingsError, UnknownLinkError, OSError) as error:
            return {"event": "refused", "reason": str(error)}

    def _obey(self, command: dict[str, object]) -> dict[str, object]:
        match command.get("command"):
            case "link":
                link = prepare_link(settings_from_json(command.get("link")), self._catalogue)
                emulated = self._in_relay(lambda: self._relay.change_link(link))
                return {"event": "link", "link": emulated.as_json()}
            case "upstream":
                host, port = _address(command)
                upstream = resolve(host, port)
                self._in_relay(lambda: self._relay.change_upstream(upstream))
                return {"event": "upstream", "host": host, "port": port}
            case "state":
                # asked of the relay's thread, so that an answer shows that it forwards
                return {"event": "link", "link": self._in_relay(lambda: self._relay.link).as_json()}
            case other:
                raise CommandError(f"command {other!r} is unknown; known commands: link, upstream, state")

    def _in_relay(self, task: Callable[[], T]) -> T:
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(task())
            except OSError as error:
                done.set_exception(error)

        self._relay.call(run)
        return done.result()


def write_line(output: TextIO, message: dict[str, object]) -> None:
    """One JSON line, at once."""
    output.write(json.dumps(message) + "\n")
    output.flush()


def _parse(line: bytes) -> dict[str, object]:
    try:
        command = json.loads(line)
    except ValueError as error:
        raise CommandError(f"command {line[:100]!r} is not JSON: {error}") from error
    if not isinstance(command, dict):
        raise CommandError(f"command {line[:100]!r} is not a JSON object")
    return command


def _address(command: dict[str, object]) -> tuple[str, int]:
    host, port = command.get("host"), command.get("port")
    if not isinstance(host, str) or host == "":
        raise CommandError(f"upstream's host {host!r} is not a name or an address")
    if not isinstance(port, int) or isinstance(port, bool) or not 1 <= port <= 65_535:
        raise CommandError(f"upstream's port {port!r} is not a whole number from 1 to 65535")
    return host, port


def _lines(file_descriptor: int) -> Iterator[bytes]:
    # os.read, not sys.stdin: a thread that holds the buffer's lock makes the interpreter's end fail
    rest = b""
    while chunk := os.read(file_descriptor, 65_536):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line for line in lines if line.strip())
        if len(rest) > LONGEST_LINE_BYTES:
            return  # no command is so long: what writes here is not what should
