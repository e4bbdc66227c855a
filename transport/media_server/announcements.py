"""What a server says on standard output to the process that started it: one line of JSON for each event."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, TextIO

from cc.core.lateness import LatenessSummary
from transport.media_server.certificate import Certificate, hashes_of
from transport.media_server.load import Load
from transport.media_server.self_check import SelfCheckResult
from transport.media_server.speaker import Speaker
from transport.media_server.watch_list import WatchNews
from transport.policies import PolicyReport

BEAT_INTERVAL_S = 0.5


class Announcer:
    """The events of one server."""

    def __init__(self, stream: TextIO) -> None:
        self._speaker = Speaker(stream)

    def ready(self, *, host: str, port: int, certificates: Sequence[Certificate], metrics_port: int | None) -> None:
        """The server can be reached; `metrics_port` where metrics can be read."""
        of_metrics = {} if metrics_port is None else {"metrics_port": metrics_port}
        self._speaker.say("ready", host=host, port=port, **_as_json(certificates), **of_metrics)

    def certificates(self, certificates: Sequence[Certificate]) -> bool:
        """Those in force have changed; new connections get the first. Whether it was heard."""
        return self._speaker.say_if_heard("certificate", **_as_json(certificates))

    def policy(self, report: PolicyReport) -> None:
        """A session with a learned scheme is over. The log has it, too: a reader that stands still misses it."""
        self._speaker.say_if_heard("policy", **report.as_json())

    def newcomers(self, result: SelfCheckResult) -> None:
        """Whether a newcomer gets in. A reader that stands still misses it, and hears the next."""
        self._speaker.say_if_heard("newcomers", **dataclasses.asdict(result))

    def watch(self, news: WatchNews) -> None:
        """Whom other processes of the same server should watch, too."""
        self._speaker.say_if_heard("watch", **dataclasses.asdict(news))

    def metrics(self, text: str) -> None:
        """The answer to whoever asked for them."""
        self._speaker.say_if_heard("metrics", text=text)

    def stopping(self, lateness: LatenessSummary | None) -> None:
        """Sessions end now: whoever tells of this server's address had better tell of another.

        `lateness`: of its event loop, all the time.
        """
        late = (
            {}
            if lateness is None
            else {f"lateness_{name}": value for name, value in dataclasses.asdict(lateness).items()}
        )
        self._speaker.say_if_heard("stopping", **late)

    def beat(self, load: Load) -> bool:
        """Say that the event loop turns, and what it has to do; False where nobody listens any more."""
        try:
            self._speaker.say_if_there_is_room("beat", **dataclasses.asdict(load))
        except BrokenPipeError:
            return False  # whoever asked for beats has gone; the end of standard input tells the server
        except OSError:
            pass  # a full disk, which may have room for the next
        return True


def _as_json(certificates: Sequence[Certificate]) -> dict[str, Any]:
    return {
        "certificate_sha256": hashes_of(certificates),
        "certificate_not_after": certificates[0].not_after_text,
    }
