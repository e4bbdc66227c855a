import type { Presentation } from "../../../media/package-film.ts";
import type { CertificateFiles } from "../../../server/tls/certificate-pair.ts";
import type { Catalogues } from "./catalogues.ts";

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
  /** Asked for if absent. */
  catalogues?: Catalogues;
}

/**
 * Each further line. `keep-down` kills the transport, and every one that is started after it at once; `collect-garbage` is
 * answered with what is left.
 */
export interface Command {
  command: "keep-down" | "collect-garbage";
}

/** Of the web server's process, right after it has collected its garbage. */
export interface HeldBytes {
  /** What JavaScript still needs, and what lies beside its heap for it. */
  readonly heap: number;
  /** What V8 has of the system for its heap, and has not given back. */
  readonly reserved: number;
}

/** Each line on its stdout but the one with the page's address. */
export type Said =
  | { event: "transport"; pid: number; port: number }
  | { event: "collected"; held: HeldBytes };
