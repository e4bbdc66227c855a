"""Asks an agent of the network what it knows, once a second; where nobody answers, nothing is known."""

from __future__ import annotations

import asyncio
import json
import logging
import urllib.request
from collections.abc import Callable
from http.client import HTTPException

from cc.core.network_report import REPORT_INTERVAL_S, NetworkReport
from transport.wire_format.network_report_json import report_from_json

PATIENCE_S = 0.8  # an answer that takes longer is of no use to the interval
LARGEST_REPORT_BYTES = 64 * 1024

logger = logging.getLogger(__name__)

_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the agent is near: no proxy knows it better


class NetworkReports:
    """Asks in another thread, so that no packet waits, and hands over in the event loop's."""

    def __init__(self, url: str, hand_over: Callable[[NetworkReport], None]) -> None:
        self._url = url
        self._hand_over = hand_over
        self._is_answered: bool | None = None
        """None before the first answer."""

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await self.ask()
            await asyncio.sleep(REPORT_INTERVAL_S)

    async def ask(self) -> None:
        """Once; what goes wrong is logged when it begins and when it ends."""
        try:
            report = await asyncio.to_thread(fetch_report, self._url)
        except (OSError, HTTPException, ValueError, RecursionError) as error:
            if self._is_answered is not False:
                logger.warning("no network reports from %s: %s; schemes do without them", self._url, error)
            self._is_answered = False
            return
        if not self._is_answered:
            known = len(report.known)
            logger.info("network reports from %s: %d of %d switches", self._url, known, report.switches_on_path)
        self._is_answered = True
        self._hand_over(report)


def fetch_report(url: str) -> NetworkReport:
    """The agent's last report. Raises OSError and HTTPException, or ValueError and RecursionError for what is none."""
    with _opener.open(url, timeout=PATIENCE_S) as answer:
        return report_from_json(json.loads(answer.read(LARGEST_REPORT_BYTES)))
