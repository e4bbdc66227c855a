import type { IncomingMessage, RequestListener } from "node:http";

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * Gives a request whose target names a host, as one for a proxy does, the form of all others. That host counts instead of
 * `Host` (RFC 9112, section 3.2.2): who is asked for another's page must not answer with its own.
 */
export function originForm(handle: RequestListener): RequestListener {
  return (request, response) => {
    const [whole, authority] = ABSOLUTE.exec(request.url ?? "") ?? [];
    if (whole !== undefined && authority !== undefined) turn(request, whole, authority);
    handle(request, response);
  };
}

function turn(request: IncomingMessage, whole: string, authority: string): void {
  const path = request.url?.slice(whole.length) ?? "";
  request.url = path.startsWith("/") ? path : `/${path}`;
  request.headers.host = authority;
  if (request.headersDistinct.host?.length !== 1) return; // refused, whatever they are
  request.headersDistinct.host = [authority];
}
