import { finished } from "node:stream";
import { type Request, type Response, Router } from "express";
import { ownPagesOnly } from "../access/own-pages.ts";
import { tokenOnly } from "../access/token.ts";
import type { AppConfig } from "../config.ts";
import { letBodyBeLong } from "../connections/request-time.ts";
import { Refusal, refusalOf } from "../errors.ts";

const PROGRESS_STEP = 0.01;
/** Connections that are silent are ended, here and by proxies; of a long film a percent takes minutes. */
const TOLD_EVERY_MS = 20_000;

/**
 * `GET /api/films`: the menu, and whether a film would have to wait. `POST /api/films?name=FILE` with a film as its body: packaged while the answer tells of it, one
 * JSON object a line, `{"step", "ratio"}` and at last `{"film"}` or `{"error"}`. Whoever goes away before that cancels it.
 * `DELETE /api/films/NAME`: removes one that a viewer added.
 */
export function filmsRoute({
  films,
  dropped,
  origins,
  token = () => null,
  log,
}: Pick<AppConfig, "films" | "dropped" | "origins" | "token" | "log">): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    response.set("Cache-Control", "no-store").json({
      films: films.entries,
      retryAfterSeconds: dropped?.retryAfterSeconds ?? null,
    });
  });
  router.post("/", ownPagesOnly(origins), tokenOnly(token), async (request, response) => {
    if (dropped === undefined) throw takesNone();
    const { name } = request.query;
    if (typeof name !== "string" || name === "")
      throw new Refusal(400, "name the film's file", { field: "name" });
    letBodyBeLong(request);
    const leaving = new AbortController();
    finished(response, () => leaving.abort());
    const tell = teller(response);
    try {
      const { name: film } = await dropped.take({
        name,
        sizeBytes: sizeOf(request),
        body: request,
        onProgress: tell.progress,
        signal: leaving.signal,
      });
      log.info(`a viewer added the film ${film}`);
      tell.last({ film: films.entries.find((entry) => entry.name === film) ?? null });
    } catch (error) {
      if (leaving.signal.aborted) return;
      if (!response.headersSent) {
        response.set("Connection", "close"); // the rest of the film need not come
        throw error;
      }
      const { status, message: reason } = refusalOf(error);
      if (status >= 500 && !(error instanceof Refusal))
        log.error(`a film was not packaged: ${String(error)}`);
      tell.last({ error: { status, reason } });
    }
  });
  router.delete("/:name", ownPagesOnly(origins), tokenOnly(token), async (request, response) => {
    if (dropped === undefined) throw takesNone();
    const name = String(request.params.name);
    await dropped.remove(name);
    log.info(`the film ${name} was removed`);
    response.status(204).end();
  });
  return router;
}

function takesNone(): Refusal {
  return new Refusal(404, "this server takes no films");
}

function sizeOf(request: Request): number | null {
  const length = request.get("Content-Length");
  return length === undefined ? null : Number(length);
}

interface Progress {
  readonly step: string;
  readonly ratio: number;
}

/** Tells at each percent, and now and then; the head goes with the first line, so that what fails before has its own status. */
function teller(response: Response) {
  let told = -1;
  let newest: Progress | null = null;
  const write = (line: object) => {
    if (!response.headersSent)
      response.status(200).set({ "Cache-Control": "no-store", "Content-Type": "application/x-ndjson" });
    response.write(`${JSON.stringify(line)}\n`);
  };
  const timer = setInterval(() => newest !== null && write(newest), TOLD_EVERY_MS);
  response.once("close", () => clearInterval(timer));
  return {
    progress: (progress: Progress) => {
      newest = progress;
      if (progress.ratio < told + PROGRESS_STEP) return;
      told = progress.ratio;
      write(progress);
    },
    last: (line: object) => {
      clearInterval(timer);
      write(line);
      response.end();
    },
  };
}
