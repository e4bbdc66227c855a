import type { RequestHandler } from "express";
import { Refusal } from "../errors.ts";

/** Names no address: whoever reads it may be the page of a stranger. */
const REFUSED =
  "this is not a name of this server: open the address that it printed, or give the name with --origin";

/**
 * Answers only requests for a host that this server's pages have. A page of anybody's can let its own name stand for this
 * machine's address (DNS rebinding): to the browser, what it reads here is then its own. The port may be another one, since
 * ports are mapped. A proxy may go by another Host than this server where there are several (RFC 9112, section 3.2).
 */
export function ownHostsOnly(origins: () => readonly string[]): RequestHandler {
  return function refuseOtherHosts(request, _response, next) {
    const { host: told = [] } = request.headersDistinct;
    if (told.length > 1) {
      next(new Refusal(400, `a request names one Host, not ${told.length}`));
      return;
    }
    const host = hostnameOf(told[0]);
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
