import { STATUS_CODES } from "node:http";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import type { Log } from "./log.ts";

/** An answer that refuses; the sentence is for the client. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** Answers what no route has taken. */
export function notFound(): RequestHandler {
  return function answerNotFound(request, response) {
    answer(request, response, 404);
  };
}

/** The one place where an error becomes an answer: the client learns the status, the log the reason. */
export function errorHandler(log: Log): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return function handleError(error: unknown, request, response, _next) {
    const status = statusOf(error);
    const what = `${request.method} ${request.originalUrl}`;
    if (status >= 500) log.error(`${what} failed: ${error instanceof Error ? error.stack : String(error)}`);
    else log.debug(`${what} refused with ${status}: ${String(error)}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    answer(request, response, status, error instanceof Refusal ? error.message : undefined);
  };
}

function answer(
  request: Request,
  response: Response,
  status: number,
  reason = STATUS_CODES[status] ?? "Error",
): void {
  response.status(status).set("Cache-Control", "no-store");
  if (request.path.startsWith("/api/")) response.json({ error: { status, reason } });
  else response.type("text/plain").send(`${status} ${reason}\n`);
}

/** Express and its parsers put a status on the errors that are the client's. */
function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("status" in error)) return 500;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}
