import type { ErrorRequestHandler } from "express";
import { Refusal } from "../errors.ts";
import type { TelemetryMetrics } from "./metrics.ts";
import { type RefusalDetails, RequestRefusal } from "./refusal.ts";
import { StorageProblem } from "./storage-problem.ts";

/** What express.json says of a body that it does not take. */
const BODY_SENTENCES: Readonly<Record<string, string>> = {
  "entity.too.large": "the body is larger than 65536 bytes: send fewer events at once",
  "entity.parse.failed": "the body is not JSON",
  "encoding.unsupported": "the body is compressed: send it as it is",
  "charset.unsupported": "the body is not in UTF-8",
};

/** Answers what a client, or a full disk, can do something about; leaves the rest to the app's own handler. */
export function answerProblem(metrics: TelemetryMetrics): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return function handleProblem(error: unknown, _request, response, next) {
    const problem = problemOf(error);
    if (problem === null || response.headersSent) {
      next(error);
      return;
    }
    const { status, message } = problem;
    const { field, retryAfterSeconds } = detailsOf(problem);
    metrics.refusals.inc({ status });
    if (retryAfterSeconds !== null) response.set("Retry-After", String(retryAfterSeconds));
    response
      .status(status)
      .set("Cache-Control", "no-store")
      .json({ error: { status, reason: message, field } });
  };
}

function detailsOf(problem: Refusal | StorageProblem): Required<RefusalDetails> {
  if (problem instanceof StorageProblem) return { field: null, retryAfterSeconds: problem.retryAfterSeconds };
  return problem instanceof RequestRefusal ? problem : { field: null, retryAfterSeconds: null };
}

function problemOf(error: unknown): Refusal | StorageProblem | null {
  if (error instanceof Refusal || error instanceof StorageProblem) return error;
  if (!(error instanceof Error) || !("type" in error && "status" in error)) return null;
  const sentence = BODY_SENTENCES[String(error.type)];
  return sentence === undefined ? null : new RequestRefusal(Number(error.status), sentence);
}
