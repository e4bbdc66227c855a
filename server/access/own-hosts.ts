import type { RequestHandler } from "express";
import { Refusal } from "../errors.ts";

/**
 * Answers only requests for a host that this server's pages have. A page of anybody's can let its own name stand for this
 * machine's address (DNS rebinding): to the browser, what it reads here is then its own. The port may be another one, since
 * ports are mapped.
 */
export function ownHostsOnly(origins: () => readonly string[]): RequestHandler {
  return function refuseOtherHosts(request, _response, next) {
    const host = hostnameOf(request.headers.host);
    const own = origins();
    if (host !== null && own.some((origin) => new URL(origin).hostname === host)) next();
    else next(new Refusal(421, `this server is not known by that name: it is at ${own.join(", ")}`));
  };
}

/** As URLs write it; null where the header is missing or is no host. */
function hostnameOf(header: string | undefined): string | null {
  if (header === undefined || !/^[^\s/?#@\\]+$/.test(header)) return null;
  const url = `http://${header}`;
  return URL.canParse(url) ? new URL(url).hostname : null;
}
