"""Network reports as JSON: what the relay's agent serves and the media server reads."""

from __future__ import annotations

from cc.core.network_report import REPORT_INTERVAL_S, NetworkReport, SwitchCounts

Json = dict[str, object]


class MalformedReportError(ValueError):
    """A report that cannot be understood; the message is one sentence."""


def report_as_json(report: NetworkReport) -> Json:
    """An object for `json.dumps`."""
    return {
        "interval_s": REPORT_INTERVAL_S,
        "switches_on_path": report.switches_on_path,
        "known": [
            {"received_packets": counts.received_packets, "sent_packets": counts.sent_packets}
            for counts in report.known
        ],
    }


def report_from_json(value: object) -> NetworkReport:
    """What `json.loads` gave. Raises MalformedReportError."""
    if not isinstance(value, dict):
        raise MalformedReportError("the network report is no JSON object")
    known = value.get("known")
    if not isinstance(known, list):
        raise MalformedReportError(f"the network report's known {known!r} is not a list")
    counts = [SwitchCounts(_whole(switch, "received_packets"), _whole(switch, "sent_packets")) for switch in known]
    try:
        return NetworkReport(_whole(value, "switches_on_path"), tuple(counts))
    except ValueError as error:
        raise MalformedReportError(f"the network report makes no sense: {error}") from error


def _whole(value: object, field: str) -> int:
    number = value.get(field) if isinstance(value, dict) else None
    if not isinstance(number, int) or isinstance(number, bool):
        raise MalformedReportError(f"the network report's {field} {number!r} is not a whole number")
    return number
