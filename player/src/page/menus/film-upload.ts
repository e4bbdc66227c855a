import { setTimer } from "../../session/set-timer.ts";
import { Sleepers } from "../../session/sleepers.ts";
import { isolated } from "../words/isolated.ts";
import { asSentence } from "../words/units.ts";
import { fetchWaitSeconds } from "./film-api.ts";

/** The film's name, or why there is none. */
export type Added = { readonly film: string } | { readonly sentence: string };

/** @param ratio null while nothing goes on here */
type OnProgress = (step: string, ratio: number | null) => void;

/** After which the server, too, waits for no more of a film. */
const SILENCE_MS = 30_000;

/** Of one that was answered that it has to wait; the server may be started anew meanwhile. */
const ASK_AGAIN_SECONDS = 3;
/** In a row; after them the server is away. */
const MOST_UNANSWERED = 10;

/** The server takes one film at a time. */
const CONFLICT = 409;

/** What a line of the server's answer says. */
export interface AnswerLine {
  readonly step?: string;
  readonly ratio?: number;
  readonly film?: { readonly name: string } | null;
  readonly error?: { readonly reason: string };
}

/** After it a film is sent again from its beginning. */
interface Wait {
  readonly seconds: number;
}

/**
 * Sends a film to the server, which packages it, once none before it is packaged any more. The signal, and the page's end,
 * cancel it; it never rejects.
 */
export async function addFilm(file: File, onProgress: OnProgress, signal: AbortSignal): Promise<Added> {
  const sleepers = new Sleepers(setTimer);
  signal.addEventListener("abort", () => sleepers.wake());
  const ask = askForTurn(signal);
  try {
    for (;;) {
      // Asked first, since a film that is refused while it is sent may find its connection broken instead.
      const waitSeconds = await ask();
      const sent = waitSeconds === null ? await sendFilm(file, onProgress, signal) : { seconds: waitSeconds };
      if (!("seconds" in sent)) {
        return sent;
      }
      onProgress(`another film is being packaged; ${isolated(file.name)} follows by itself`, null);
      await sleepers.sleep(1000 * sent.seconds);
      signal.throwIfAborted();
    }
  } catch (error) {
    return { sentence: error instanceof Error ? error.message : String(error) };
  }
}

/** As fetchWaitSeconds, and once the server has answered, some questions may fail. */
function askForTurn(signal: AbortSignal): () => Promise<number | null> {
  let mayFail = 0;
  return async () => {
    try {
      const waitSeconds = await fetchWaitSeconds(signal);
      mayFail = MOST_UNANSWERED;
      return waitSeconds;
    } catch (error) {
      signal.throwIfAborted();
      if (mayFail === 0) {
        throw error;
      }
      mayFail -= 1;
      return ASK_AGAIN_SECONDS;
    }
  };
}

/** XMLHttpRequest, since `fetch` tells nothing of how far a body has been sent. */
function sendFilm(file: File, onProgress: OnProgress, signal: AbortSignal): Promise<Added | Wait> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const broken = (): void => {
      clearTimeout(silence);
      resolve({ sentence: `${isolated(file.name)} was not sent to its end; the server may be away.` });
    };
    const silent = (): void => {
      resolve({
        sentence: `Nothing of ${isolated(file.name)} has left for ${SILENCE_MS / 1000} s; see to the network, and try again.`,
      });
      request.abort();
    };
    let silence = setTimeout(silent, SILENCE_MS);
    request.open("POST", `/api/films?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(silence);
      silence = setTimeout(silent, SILENCE_MS);
      onProgress(`sending ${isolated(file.name)}`, loaded / total);
    };
    request.upload.onloadend = () => clearTimeout(silence);
    request.onprogress = () => {
      const { step, ratio } = answerLines(request.responseText).at(-1) ?? {};
      if (step !== undefined && ratio !== undefined) {
        onProgress(step, ratio);
      }
    };
    request.onload = () => resolve(waitOf(request) ?? outcome(answerLines(request.responseText).at(-1)));
    request.onerror = broken;
    request.onabort = broken;
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** null where the server took the film. */
function waitOf(request: XMLHttpRequest): Wait | null {
  const seconds = request.status === CONFLICT ? Number(request.getResponseHeader("Retry-After")) : 0;
  return seconds > 0 ? { seconds } : null;
}

/** The whole lines of what has come so far. */
export function answerLines(text: string): AnswerLine[] {
  const end = text.lastIndexOf("\n") + 1;
  const lines = (end === 0 ? text : text.slice(0, end)).split("\n");
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as AnswerLine];
    } catch (error) {
      if (error instanceof SyntaxError) {
        return [];
      }
      throw error;
    }
  });
}

/** What the last line comes to. */
export function outcome(last: AnswerLine | undefined): Added {
  if (last?.film?.name !== undefined) {
    return { film: last.film.name };
  }
  return { sentence: asSentence(last?.error?.reason ?? "the server ended before the film was packaged") };
}
