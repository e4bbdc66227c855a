import { STATUS_CODES } from "node:http";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import type { Log } from "./log.ts";
import type { RefusalPage } from "./refusal-page.ts";

export interface RefusalDetails {
  /** Where in the request: a JSON pointer into its body, or a parameter's name; null where it is the request as a whole. */
  readonly field?: string | null;
  /** When it may be tried again; null where that would not help. */
  readonly retryAfterSeconds?: number | null;
}

/** An answer that refuses; the sentence is for the client. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly field: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, sentence: string, { field, retryAfterSeconds }: RefusalDetails = {}) {
    super(sentence);
    this.status = status;
    this.field = field ?? null;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/** Answers what no route has taken. */
export function notFound(page: RefusalPage | null = null): RequestHandler {
  return function answerNotFound(request, response) {
    answer(request, response, new Refusal(404, "Not Found"), page);
  };
}

/** The one place where an error becomes an answer: the client learns the status, the log the reason. */
export function errorHandler(log: Log, page: RefusalPage | null = null): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return function handleError(error: unknown, request, response, _next) {
    const refusal = refusalOf(error);
    const { status } = refusal;
    const what = `${request.method} ${withoutToken(request.originalUrl)}`;
    if (isOutOfFiles(error)) log.warn(`${what} failed: ${String(error)}`);
    else if (error !== refusal && status >= 500)
      log.error(`${what} failed: ${error instanceof Error ? error.stack : String(error)}`);
    else log.debug(`${what} refused with ${status}: ${String(error)}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    answer(request, response, refusal, page);
  };
}

/** For the log, which may be passed on. */
function withoutToken(url: string): string {
  return url.replace(/(?<=[?&]token=)[^&]+/g, "(hidden)");
}

/** The error as it is told to the client: a refusal in its own words, of any other the status alone. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (codeOf(error) === "ELOOP") return new Refusal(404, "Not Found"); // a link where a file was (routes/static-files.ts)
  if (isOutOfFiles(error)) {
    return new Refusal(503, "the server has too many files open: try again in a moment", {
      retryAfterSeconds: 1,
    });
  }
  const status = statusOf(error);
  return new Refusal(status, bodySentence(error) ?? STATUS_CODES[status] ?? "Error");
}

/** Headers of a file that could not be sent after all. */
const OF_A_FILE = ["Accept-Ranges", "Content-Range", "ETag", "Last-Modified"];

function answer(request: Request, response: Response, refusal: Refusal, page: RefusalPage | null): void {
  const { status, message: reason, field, retryAfterSeconds } = refusal;
  response.removeHeader("Content-Encoding"); // of a file that was compressed when the page was built
  if (status !== 416) for (const name of OF_A_FILE) response.removeHeader(name);
  response.status(status).set("Cache-Control", "no-store");
  if (retryAfterSeconds !== null) response.set("Retry-After", String(retryAfterSeconds));
  if (request.originalUrl.startsWith("/api/")) response.json({ error: { status, reason, field } });
  else if (page !== null && isForEyes(request, status)) response.type("html").send(page(status, reason));
  else response.type("text/plain").send(`${status} ${reason}\n`);
}

/** Whoever asked for another host than this server's finds nothing here that the page could lead to. */
const MISDIRECTED = 421;

/** Whether a browser is to show the answer: programs take anything, and then have a line of text. */
function isForEyes(request: Request, status: number): boolean {
  return status !== MISDIRECTED && request.accepts(["text/plain", "text/html"]) === "text/html";
}

/** What express.json says of a body that it does not take. */
function bodySentence(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("type" in error)) return null;
  switch (error.type) {
    case "entity.too.large":
      return `the body is larger than ${"limit" in error ? error.limit : "allowed"} bytes: send less at once`;
    case "entity.parse.failed":
      return "the body is not JSON";
    case "encoding.unsupported":
      return "the body is compressed: send it as it is";
    case "charset.unsupported":
      return "the body is not in UTF-8";
    default:
      return null;
  }
}

/** No file can be opened at the moment, by this process or by the machine. */
function isOutOfFiles(error: unknown): boolean {
  const code = codeOf(error);
  return code === "EMFILE" || code === "ENFILE";
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** Express and its parsers put a status on the errors that are the client's. */
function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("status" in error)) return 500;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}
