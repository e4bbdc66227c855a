import type { IncomingMessage, RequestListener } from "node:http";
import { hearNoMore } from "./parse-no-further.ts";
import { refuseEarly } from "./refuse-early.ts";

/** Films are long, and come from programs that may not know how long. */
const FILMS = /^\/api\/films(?=[/?]|$)/i;

/**
 * Refuses with 411 a body in chunks, but for that of a film. Each chunk may be of a byte, and takes as much time as a thousand
 * bytes in one piece, whoever reads it. At once: what comes before the answer is heard as well.
 */
export function toldLength(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (!isInChunks(request) || FILMS.test(request.url ?? "")) {
      handle(request, response);
      return;
    }
    const reason = "the body comes in chunks: send it with a Content-Length";
    hearNoMore(request.socket);
    refuseEarly(response, 411, reason);
  };
}

export function isInChunks({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}
