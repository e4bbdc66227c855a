"""The qlog of a headless receiver."""

from __future__ import annotations

import time
from pathlib import Path

from cc.core import qlog
from cc.core.receiver_base import Feedback, ReceiverScheme, Stamp
from transport.qlog_file import QlogFile


class ReceiveLog:
    """Writes down what each stamp told, and what was asked for."""

    def __init__(self, directory: Path, *, scheme: str, preset: str, loop_s: float) -> None:
        """`loop_s`: the time that the loop's clock shows. Raises OSError."""
        now_s = time.time()
        self._epoch_s = now_s - loop_s
        name = f"receive-{scheme}-{round(1000 * now_s)}{qlog.SUFFIX}"
        self._file = QlogFile(directory / name, qlog.head(f"nuwa receive: {scheme}, {preset}", "client"))

    def on_stamp(self, stamp: Stamp, receiver: ReceiverScheme, *, now_s: float, late_s: float) -> None:
        """The receiver has taken a stamp. Times are those of reading: events of a qlog are in order."""
        time_s = self._epoch_s + now_s
        state = receiver.state(now_s=now_s)
        self._file.write(qlog.receiver_updated(stamp, state, late_s=late_s, time_s=time_s))
        self._file.write(qlog.sender_as_stamped(stamp, time_s=time_s))

    def on_request(self, feedback: Feedback, *, now_s: float) -> None:
        """A feedback left at `now_s` of the loop's clock."""
        self._file.write(qlog.window_requested(feedback, time_s=self._epoch_s + now_s))

    def close(self) -> None:
        """Write what is left."""
        self._file.close()
