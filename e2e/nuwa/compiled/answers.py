"""`python -m e2e.nuwa.compiled.answers`: hashes of all that runs came to, as JSON. The check starts it both ways."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import cc
from cc.links.link import constant_rate_opportunities_ms
from cc.links.queueing.registry import DISCIPLINES
from cc.links.traces.registry import TRACES
from cc.registry import SCHEMES
from cc.simulation.answer import run_and_answer
from cc.simulation.omniscient import OMNISCIENT
from cc.simulation.request import prepare_run
from models.policies.find import find_policy

Request = dict[str, Any]
DURATION_S = 6.0
FLOWS = 8


def main() -> int:
    """Prints what compiled cc, the time that its process took, and a hash of each run."""
    began_s = time.process_time()
    hashes = {name: answer_hash(request) for name, request in requests()}
    json.dump({"compiled": cc.COMPILED, "cpu_s": time.process_time() - began_s, "hashes": hashes}, sys.stdout)
    return 0


def requests() -> Iterator[tuple[str, Request]]:
    """Every scheme alone, with another, in pieces, beside its like, and before every discipline, by name."""
    rate, slow, generated = constant_rate_opportunities_ms(12), constant_rate_opportunities_ms(0.2), TRACES[0]
    trace = generated.opportunities_ms("downlink", random.Random(generated.seed))
    for name in (*(entry.name for entry in SCHEMES), OMNISCIENT):
        flow = {"scheme": name}
        pieces = {"scheme": name, "source": {"kind": "on-off", "on_bytes": 400_001, "off_s": 0.7}}
        other = {"scheme": "cubic", "start_s": 1.0, "stop_s": 4.0, "extra_delay_ms": 9}
        yield f"{name} alone", _request(rate, [flow])
        yield f"{name} over a trace", _request(trace, [pieces], loss_ratio=0.005, clock="mahimahi")
        yield f"{name} over a slow link", _request(slow, [flow, flow, flow])
        yield f"{name} with another", _request(rate, [flow, other])
        yield f"{name} beside its like", _request(rate, [flow, pieces, flow])
        for discipline in DISCIPLINES:
            yield f"{name} before {discipline}", _request(rate, [flow], discipline=discipline)
    for name in ("cubic", "nuwa", "bbr", "copa"):
        yield f"{name}, {FLOWS} flows", _request(rate, [{"scheme": name}] * FLOWS)


def answer_hash(request: Request) -> str:
    """Of the answer, and of every packet's queueing delay and every window."""
    run = prepare_run(request, random.Random, find_policy)
    digest = sha256(json.dumps(run_and_answer(run)).encode())
    for flow in run.network.flows:
        delays_s = list(flow.record.delays_s(0.0, run.duration_s))
        digest.update(json.dumps([delays_s, [list(each) for each in flow.window]]).encode())
    return digest.hexdigest()


def _request(
    opportunities_ms: list[int], flows: list[Mapping[str, object]], *, discipline: str = "droptail", **link: object
) -> Request:
    return {
        "duration_s": DURATION_S,
        "link": {
            "opportunities_ms": opportunities_ms,
            "queue": {"discipline": discipline, "packets": 100},
            "delay_ms": 20,
            "return_delay_ms": 20,
            **link,
        },
        "flows": flows,
    }


if __name__ == "__main__":
    sys.exit(main())
