"""`nuwa simulate -`: runs in, results out, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from cc.simulation.answer import error_json, run_and_answer
from cc.simulation.checked_scheme import SchemeError
from cc.simulation.downloads import Downloads
from cc.simulation.request import FindPolicy, Json, MakeRng, RequestError, no_policy, prepare_run

RunId = str | int | None


def answers(lines: Iterable[str], make_rng: MakeRng, find_policy: FindPolicy = no_policy) -> Iterator[str]:
    """A line for each line that is not empty. A run that fails is answered by its error; the others go on."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answer(line, make_rng, find_policy), allow_nan=False, separators=(",", ":"))


def _answer(line: str, make_rng: MakeRng, find_policy: FindPolicy) -> dict[str, object]:
    run_id: RunId = None
    try:
        request = _parse(line)
        run_id = _id_of(request)
        run = prepare_run(request, make_rng, find_policy)
        if any(isinstance(flow.plan.source, Downloads) for flow in run.network.flows):
            raise RequestError("source 'downloads' sends what a program in Python asks for: take bulk or on-off")
        return {"id": run_id, **run_and_answer(run)}
    except SchemeError as error:
        return {"id": run_id, "error": error_json(error)}
    except ValueError as error:
        return {"id": run_id, "error": {"scheme": None, "message": str(error), "state": {}}}


def _parse(line: str) -> Json:
    try:
        request = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise RequestError(f"the line is no JSON: {error}") from error
    if not isinstance(request, Mapping):
        raise RequestError("the line is no JSON object")
    return request


def _id_of(request: Json) -> RunId:
    run_id = request.get("id")
    if run_id is not None and not isinstance(run_id, str | int):
        raise RequestError(f"id {run_id!r} is neither a text nor a whole number")
    return run_id
