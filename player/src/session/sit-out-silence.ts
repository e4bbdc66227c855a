import { type AddressAnswer, isSameServer, type ServerAddress } from "./server-address.ts";

/** A silent session to a server that should be there is left after this time: its connection may be gone for good. */
const PATIENCE_MS = 5000;
const ASK_EVERY_MS = 1000;

export interface SilentSession {
  /** What it was opened with. */
  readonly address: ServerAddress;
  readonly ask: () => Promise<AddressAnswer>;
  readonly sleep: (durationMs: number) => Promise<void>;
  /** Monotonic clock. */
  readonly nowMs: () => number;
  /** Whether it is silent still, and still wanted. */
  readonly isSilent: () => boolean;
  readonly onReachable: (isReachable: boolean) => void;
}

/**
 * Asks whether the server is still there and the same, until it is heard or left.
 *
 * @returns why it is to be left; null where it is silent no longer
 */
export async function sitOutSilence(session: SilentSession): Promise<string | null> {
  const { address, ask, sleep, nowMs, isSilent, onReachable } = session;
  const sinceMs = nowMs();
  onReachable(false);
  while (isSilent()) {
    const answer = await ask();
    if (!isSilent()) {
      break;
    }
    const reason = reasonToLeave(answer, address, nowMs() - sinceMs);
    if (reason !== null) {
      return reason;
    }
    onReachable(answer.kind === "address");
    await sleep(ASK_EVERY_MS);
  }
  return null;
}

function reasonToLeave(answer: AddressAnswer, address: ServerAddress, silentMs: number): string | null {
  switch (answer.kind) {
    case "away":
      return "the media server is gone";
    case "missing": // a web server that is renewed, or a network's sign-in page, says nothing of the media server
    case "failed": // the page's own server does not answer either: the network is away, not the media server
      return null;
    case "address": {
      const { isEmulated = false } = answer.address;
      if (!isSameServer(answer.address, address)) {
        return "the media server was restarted";
      }
      return silentMs >= PATIENCE_MS && !isEmulated ? "the media server gives no sign of life" : null;
    }
  }
}
