import type { Presentation } from "../../../media/package-film.ts";
import type { CertificateFiles } from "../../../server/tls/certificate-pair.ts";

/** First line on the product's stdin. */
export interface Order {
  /** As after `npm start --`. */
  args: readonly string[];
  presentation: Presentation;
  playerDirectory: string;
  /** With which pages are served over HTTPS; they are not if absent. */
  certificate?: CertificateFiles;
  /** Learned policies; those that are shipped if absent. */
  policyDirectory?: string;
}

/** Each further line. `keep-down` kills the transport, and every one that is started after it at once. */
export interface Command {
  command: "keep-down";
}

/** Each line on its stdout but the one with the page's address. */
export type Said = { event: "transport"; pid: number; port: number };
