import type { RequestHandler } from "express";
import { Refusal } from "../errors.ts";

/** Names no address: whoever reads it may be the page of a stranger. */
const REFUSED =
  "this is not a name of this server: open the address that it printed, or give the name with --origin";

/**
 * Answers only requests for a host that this server's pages have. A page of anybody's can let its own name stand for this
 * machine's address (DNS rebinding): to the browser, what it reads here is then its own. The port may be another one, since
 * ports are mapped.
 */
export function ownHostsOnly(origins: () => readonly string[]): RequestHandler {
  return function refuseOtherHosts(request, _response, next) {
    const host = hostnameOf(request.headers.host);
    if (host !== null && origins().some((origin) => new URL(origin).hostname === host)) next();
    else next(new Refusal(421, REFUSED));
  };
}

/** As URLs write it; null where the header is missing or is no host. */
function hostnameOf(header: string | undefined): string | null {
  if (header === undefined || !/^[^\s/?#@\\]+$/.test(header)) return null;
  const url = `http://${header}`;
  return URL.canParse(url) ? new URL(url).hostname : null;
}
