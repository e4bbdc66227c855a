"""What an agent tells of the network's switches."""

from __future__ import annotations

import json

from e2e.fuzzing.target import Parser, Target
from transport.wire_format.network_report_json import MalformedReportError, report_as_json, report_from_json


def read(data: bytes) -> None:
    """As the media server does."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise MalformedReportError("the network report is no JSON") from error
    report = report_from_json(value)
    if report_from_json(report_as_json(report)) != report:
        raise ArithmeticError("a report is read back as another")


TARGET = Target(
    "network-reports",
    "reports of the network's agent",
    lambda: Parser(read, MalformedReportError),
    lambda: [
        b'{"interval_s":0.1,"switches_on_path":2,"known":[{"received_packets":5,"sent_packets":3}]}',
        b'{"switches_on_path":0,"known":[]}',
        b'{"switches_on_path":1.5,"known":[{"received_packets":-1}]}',
    ],
    tokens=(b'"known"', b"[", b"{", b"null", b"true", b"1e99", b"-1", b"9" * 40, b"NaN"),
    test_inputs=5000,
)
