/** What the page can tell about where it runs. */
export interface PageContext {
  /** `isSecureContext`: HTTPS, or the machine itself. */
  readonly isSecure: boolean;
  /** `location.origin`. */
  readonly origin: string;
}

/** Why there is no WebTransport here and what to do about it, in one sentence; `consequence` says what follows. */
export function noWebTransportNotice({ isSecure, origin }: PageContext, consequence: string): string {
  if (isSecure) {
    return `This browser has no WebTransport, so ${consequence}; use Chromium or one of its relatives (Chrome, Edge).`;
  }
  const { port } = new URL(origin);
  const local = `http://localhost${port === "" ? "" : `:${port}`}`;
  return (
    `Browsers give WebTransport only to a page of their own machine or over HTTPS, which ${origin} is not, ` +
    `so ${consequence}; open ${local} on the machine that serves it, or serve it over HTTPS.`
  );
}
