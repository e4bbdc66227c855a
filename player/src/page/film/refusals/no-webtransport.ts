/** What the page can tell about where it runs. */
export interface PageContext {
  /** `isSecureContext`: HTTPS, or the machine itself. */
  readonly isSecure: boolean;
  /** `location.origin`. */
  readonly origin: string;
  /** `navigator.userAgent`. */
  readonly userAgent: string;
}

/** Why there is no WebTransport here and what to do about it, in one sentence; `consequence` says what follows. */
export function noWebTransportNotice(
  { isSecure, origin, userAgent }: PageContext,
  consequence: string,
): string {
  if (isSecure) {
    return `This browser has no WebTransport, so ${consequence}; ${remedy(userAgent)}.`;
  }
  const { port } = new URL(origin);
  const local = `http://localhost${port === "" ? "" : `:${port}`}`;
  return (
    `Browsers give WebTransport only to a page of their own machine or over HTTPS, which ${origin} is not, ` +
    `so ${consequence}; open ${local} on the machine that serves it, or serve it over HTTPS.`
  );
}

/** Where there is a WebTransport to be had, by what the browser says of itself. */
function remedy(userAgent: string): string {
  if (userAgent.includes("Firefox/")) {
    return "Firefox has it from 114 on, unless network.webtransport.enabled is false in about:config";
  }
  if (userAgent.includes("Chrome/")) {
    return "Chrome has it from 97 on, so update this one, or ask whose policy turned it off";
  }
  if (userAgent.includes("Safari/")) {
    return "Safari has it from 26.4 on; until then use Chrome, Edge or Firefox";
  }
  return "use a current Chrome, Edge or Firefox";
}
