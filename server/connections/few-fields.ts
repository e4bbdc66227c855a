import type { IncomingMessage, RequestListener } from "node:http";
import { hearNoMore } from "./parse-no-further.ts";
import { refuseEarly } from "./refuse-early.ts";

/** A browser sends some twenty, and proxies add a few. The media server takes as many. */
export const MOST_FIELDS = 128;

/** Refuses with 431 what has more fields than anybody needs: thousands fit into a head, and each costs time and memory. */
export function fewFields(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (!hasManyFields(request)) {
      handle(request, response);
      return;
    }
    const reason = `a request has ${MOST_FIELDS} header fields at most`;
    hearNoMore(request.socket);
    refuseEarly(response, 431, reason);
  };
}

export function hasManyFields({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MOST_FIELDS;
}
