import type { SetTimer } from "./set-timer.ts";

export interface ServerAddress {
  readonly serverUrl: string;
  readonly certificateHashes: readonly string[];
  /** The server is behind an emulated link, which HTTP would go around. */
  readonly isEmulated?: boolean;
}

/** Asks where the media server is now; null: there is none. The signal is aborted when nobody waits for it any more. */
export type AskAddress = (signal: AbortSignal) => Promise<ServerAddress | null>;

export type AddressAnswer =
  | { readonly kind: "address"; readonly address: ServerAddress }
  | { readonly kind: "away" }
  | { readonly kind: "failed"; readonly error: Error };

/** An answer that takes longer comes through a network that stands still. */
const ANSWER_MS = 3000;

/** The answer, or that there was none in time. Never rejects. */
export async function askAddress(ask: AskAddress, setTimer: SetTimer): Promise<AddressAnswer> {
  const giveUp = new AbortController();
  let stopWaiting = (): void => undefined;
  const late = new Promise<AddressAnswer>((resolve) => {
    const error = new Error("whoever knows where the media server is does not answer");
    stopWaiting = setTimer(() => {
      resolve({ kind: "failed", error });
      // Else each question of an outage keeps a connection, and browsers have six.
      giveUp.abort(error);
    }, ANSWER_MS);
  });
  const asked = ask(giveUp.signal).then(
    (address): AddressAnswer => (address === null ? { kind: "away" } : { kind: "address", address }),
    (error: unknown): AddressAnswer => ({
      kind: "failed",
      error: error instanceof Error ? error : new Error(String(error)),
    }),
  );
  const answer = await Promise.race([asked, late]);
  stopWaiting();
  return answer;
}

/** What an attempt is made at: another name may be tried where this one failed. */
export function nameOf({ serverUrl, certificateHashes }: ServerAddress): string {
  return [serverUrl, ...certificateHashes].join(" ");
}

/** Certificates rotate, and while both are valid the server announces both. */
export function isSameServer(now: ServerAddress, then: ServerAddress): boolean {
  return (
    now.serverUrl === then.serverUrl &&
    then.certificateHashes.some((hash) => now.certificateHashes.includes(hash))
  );
}
