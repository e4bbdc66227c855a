import type { Front } from "./front.ts";
import type { Log } from "./log.ts";

/** What a server that is ready tells whoever started it. */
export interface Announcement {
  readonly front: Pick<Front, "address" | "isOpenToOthers" | "warning">;
  /** On which it listens. */
  readonly server: { readonly address: string; readonly port: number };
  /** The emulated link to begin with; null: none is. */
  readonly link: string | null;
  /** Asked of whoever changes something; null: nothing is asked. */
  readonly token: string | null;
  /** Whether it was given, and so is known; one that was given is kept out of logs. */
  readonly isTokenGiven: boolean;
  readonly log: Pick<Log, "warn">;
  readonly write: (text: string) => unknown;
}

/** Writes the line that says that it is ready, what whoever opens it to others should know, and where the token is used. */
export function announce({
  front,
  server: { address, port },
  link,
  token,
  isTokenGiven,
  log,
  write,
}: Announcement): void {
  const page = front.address(port);
  write(`nuwa-stream is ready: ${page}\n`);
  if (front.isOpenToOthers(address)) log.warn(front.warning({ address, port, link }));
  if (token === null) return;
  const ending = isTokenGiven ? "<the token that was given>" : token;
  write(`to change the link, add films and read telemetry: ${page}/unlock?token=${ending}\n`);
}
