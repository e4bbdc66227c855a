import type { SetTimer } from "./set-timer.ts";

export interface WorkerAddress {
  readonly serverUrl: string;
  readonly certificateHashes: readonly string[];
}

/** Where the next session is to be opened. */
export interface ServerAddress extends WorkerAddress {
  /** All processes of a media server that runs in several, this one among them: a session may be at any. */
  readonly workers?: readonly WorkerAddress[];
  /** The server is behind an emulated link, which HTTP would go around. */
  readonly isEmulated?: boolean;
  /** Opens a session there, for a while. */
  readonly sessionToken?: string;
}

/** In the address's place is none, which the message says to people. */
export class ServerAway extends Error {}

/**
 * Asks where the media server is now; null: there is none. Rejects with ServerAway where that may be so, but may also be a
 * mistake. The signal is aborted when nobody waits for it any more.
 */
export type AskAddress = (signal: AbortSignal) => Promise<ServerAddress | null>;

export type AddressAnswer =
  | { readonly kind: "address"; readonly address: ServerAddress }
  | { readonly kind: "away" | "missing"; readonly reason: string }
  | { readonly kind: "failed"; readonly error: Error };

/** An answer that takes longer comes through a network that stands still. */
const ANSWER_MS = 3000;

/** The answer, or that there was none in time. Never rejects. */
export async function askAddress(ask: AskAddress, setTimer: SetTimer): Promise<AddressAnswer> {
  const giveUp = new AbortController();
  let stopWaiting = (): void => undefined;
  const late = new Promise<AddressAnswer>((resolve) => {
    const error = new Error("the web server does not answer");
    stopWaiting = setTimer(() => {
      resolve({ kind: "failed", error });
      // Else each question of an outage keeps a connection, and browsers have six.
      giveUp.abort(error);
    }, ANSWER_MS);
  });
  const asked = ask(giveUp.signal).then(
    (address): AddressAnswer =>
      address === null ? { kind: "away", reason: "the media server is away" } : { kind: "address", address },
    (error: unknown): AddressAnswer =>
      error instanceof ServerAway
        ? { kind: "missing", reason: error.message }
        : { kind: "failed", error: error instanceof Error ? error : new Error(String(error)) },
  );
  const answer = await Promise.race([asked, late]);
  stopWaiting();
  return answer;
}

/**
 * What an attempt is made at: another name may be tried where this one failed. It is the same whichever of a server's workers
 * comes next, or whoever reaches none of them would try without a pause.
 */
export function nameOf(address: ServerAddress): string {
  const names = workersOf(address).map(({ serverUrl, certificateHashes }) =>
    [serverUrl, ...certificateHashes].join(" "),
  );
  return names.sort().join(", ");
}

/** Whether a session that was opened there is still where it was. */
export function isSameServer(now: ServerAddress, then: ServerAddress): boolean {
  return workersOf(now).some(
    ({ serverUrl, certificateHashes }) =>
      serverUrl === then.serverUrl && isSameCertificate(certificateHashes, then.certificateHashes),
  );
}

/** Certificates rotate; while both are valid both are announced. One that is known by its issuer has no hash. */
function isSameCertificate(now: readonly string[], then: readonly string[]): boolean {
  return then.length === 0 ? now.length === 0 : then.some((hash) => now.includes(hash));
}

/** All processes of the server. */
export const workersOf = (address: ServerAddress): readonly WorkerAddress[] => address.workers ?? [address];
