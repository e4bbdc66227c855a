import type { ClosedReason } from "../messages.ts";
import type { ReceiverSession } from "./receiver-session.ts";
import type { CloseInfo, TransportSession } from "./transport-session.ts";

/** Close codes of transport/wire_format/PROTOCOL.md with which a server refuses what was asked for. */
const REFUSALS: readonly number[] = [1, 2, 3];

/** The one with which it ends a session that had nothing to do, since another needs the place. */
const IDLE = 8;

interface SessionLife {
  readonly transport: Pick<TransportSession, "ready" | "closed">;
  readonly session: Pick<ReceiverSession, "readDatagrams" | "close">;
  readonly serverUrl: string;
  readonly onReady: () => void;
}

/** Runs a session from its opening to its end, and says why it ended. Never rejects. */
export async function runSession({
  transport,
  session,
  serverUrl,
  onReady,
}: SessionLife): Promise<ClosedReason> {
  let wasOpen = false;
  const closing = async (): Promise<ClosedReason> => {
    try {
      await transport.ready;
      wasOpen = true;
      onReady();
      return explain(await transport.closed);
    } catch (error) {
      return wasOpen ? brokenOff(serverUrl, error) : unreachable(serverUrl, error);
    }
  };
  // Without its control the film would go on at whatever window was asked for last.
  const failing = new Promise<ClosedReason>((resolve) => {
    session.readDatagrams().catch((error: unknown) => {
      resolve(receiverFailed(error, true));
      session.close();
    });
  });
  return await Promise.race([closing(), failing]);
}

/** The session could not be opened; browsers do not tell a server that refuses the handshake from one that is not there. */
export function unreachable(serverUrl: string, error: unknown): ClosedReason {
  return lost(
    `the media server cannot be reached over UDP, is full, has another certificate, or lacks --origin ${origin} (${serverUrl}: ${causeOf(error)})`,
    false,
  );
}

/** It failed by itself, whatever the server. */
export function receiverFailed(error: unknown, wasOpen: boolean): ClosedReason {
  return lost(`the receiver failed (${causeOf(error)})`, wasOpen);
}

function brokenOff(serverUrl: string, error: unknown): ClosedReason {
  return lost(`the session with the media server broke off (${serverUrl}: ${causeOf(error)})`);
}

export const causeOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function explain({ closeCode = 0, reason = "" }: CloseInfo): ClosedReason {
  if (REFUSALS.includes(closeCode)) {
    return { kind: "refused", closeCode, reason };
  }
  if (closeCode === IDLE) {
    return { kind: "idle", reason: `the media server gave the idle place away: ${reason}` };
  }
  if (closeCode === 0) {
    return { kind: "over" };
  }
  const why = reason === "" ? ` with code ${closeCode}` : `: ${reason}`;
  return lost(`the media server closed the session${why}`, true, closeCode);
}

function lost(reason: string, wasOpen = true, closeCode: number | null = null): ClosedReason {
  return { kind: "lost", wasOpen, closeCode, reason };
}
