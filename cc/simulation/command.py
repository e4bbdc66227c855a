"""`python -m cc simulate`: runs in, results out, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from cc.simulation.answer import error_json, run_and_answer
from cc.simulation.checked_scheme import SchemeError
from cc.simulation.request import FindPolicy, MakeRng, no_policy, prepare_run


def answers(lines: Iterable[str], make_rng: MakeRng, find_policy: FindPolicy = no_policy) -> Iterator[str]:
    """A line for each line that is not empty. A run that fails is answered by its error; the others go on."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answer(line, make_rng, find_policy), allow_nan=False, separators=(",", ":"))


def _answer(line: str, make_rng: MakeRng, find_policy: FindPolicy) -> dict[str, object]:
    try:
        request = json.loads(line)
    except json.JSONDecodeError as error:
        return _refusal(None, f"the line is no JSON: {error}")
    if not isinstance(request, Mapping):
        return _refusal(None, "the line is no JSON object")
    run_id = request.get("id")
    try:
        run = prepare_run(request, make_rng, find_policy)
    except SchemeError as error:
        return {"id": run_id, "error": error_json(error)}
    except ValueError as error:
        return _refusal(run_id, str(error))
    try:
        return {"id": run_id, **run_and_answer(run)}
    except SchemeError as error:
        return {"id": run_id, "error": error_json(error)}


def _refusal(run_id: object, message: str) -> dict[str, object]:
    return {"id": run_id, "error": {"scheme": None, "message": message, "state": {}}}
