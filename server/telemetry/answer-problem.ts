import type { ErrorRequestHandler } from "express";
import { Refusal, refusalOf } from "../errors.ts";
import type { TelemetryMetrics } from "./metrics.ts";
import { StorageProblem } from "./storage-problem.ts";

/** Counts what is refused, and says what of it comes of a full disk; the app's own handler answers. */
export function answerProblem(metrics: TelemetryMetrics): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return function handleProblem(error: unknown, _request, _response, next) {
    const problem = error instanceof StorageProblem ? refusalForStorage(error) : error;
    const { status } = refusalOf(problem);
    if (status !== 500) metrics.refusals.inc({ status });
    next(problem);
  };
}

function refusalForStorage({ status, message, retryAfterSeconds }: StorageProblem): Refusal {
  return new Refusal(status, message, { retryAfterSeconds });
}
