import { asSentence } from "../words/units.ts";

/** The film's name, or why there is none. */
export type Added = { readonly film: string } | { readonly sentence: string };

type OnProgress = (step: string, ratio: number) => void;

/** After which the server, too, waits for no more of a film. */
const SILENCE_MS = 30_000;

/** What a line of the server's answer says. */
export interface AnswerLine {
  readonly step?: string;
  readonly ratio?: number;
  readonly film?: { readonly name: string } | null;
  readonly error?: { readonly reason: string };
}

/**
 * Sends a film to the server, which packages it. XMLHttpRequest, since `fetch` tells nothing of how far a body has been
 * sent. The signal, and the page's end, cancel it; it never rejects.
 */
export function addFilm(file: File, onProgress: OnProgress, signal: AbortSignal): Promise<Added> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const broken = (): void => {
      clearTimeout(silence);
      resolve({ sentence: `${file.name} was not sent to its end; the server may be away.` });
    };
    const silent = (): void => {
      resolve({
        sentence: `Nothing of ${file.name} has left for ${SILENCE_MS / 1000} s; see to the network, and try again.`,
      });
      request.abort();
    };
    let silence = setTimeout(silent, SILENCE_MS);
    request.open("POST", `/api/films?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(silence);
      silence = setTimeout(silent, SILENCE_MS);
      onProgress(`sending ${file.name}`, loaded / total);
    };
    request.upload.onloadend = () => clearTimeout(silence);
    request.onprogress = () => {
      const { step, ratio } = answerLines(request.responseText).at(-1) ?? {};
      if (step !== undefined && ratio !== undefined) {
        onProgress(step, ratio);
      }
    };
    request.onload = () => resolve(outcome(answerLines(request.responseText).at(-1)));
    request.onerror = broken;
    request.onabort = broken;
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
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
