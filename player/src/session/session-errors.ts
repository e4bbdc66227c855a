/** The server accepted the session and closed it with a reason: the request itself must change. */
export class RefusedSession extends Error {
  override readonly name = "RefusedSession";
  /** Close code of transport/wire_format/PROTOCOL.md. */
  readonly closeCode: number;

  constructor(closeCode: number, reason: string) {
    super(reason === "" ? `the media server refused the session with code ${closeCode}` : reason);
    this.closeCode = closeCode;
  }
}

/** The session could not be opened, or ended without being asked to; opening a new one may help. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
  /** Whether the session had been open: if not, the server is away, out of reach, or refused the handshake. */
  readonly wasOpen: boolean;
  /** With which the server closed it, of transport/wire_format/PROTOCOL.md; null where it broke off. */
  readonly closeCode: number | null;

  constructor(reason: string, wasOpen: boolean, closeCode: number | null = null) {
    super(reason);
    this.wasOpen = wasOpen;
    this.closeCode = closeCode;
  }
}

/** The session had nothing to do for long, and its server needed the place: the next request may open another. */
export class SessionIdle extends SessionLost {
  constructor(reason: string) {
    super(reason, true);
  }
}

/** One request ended without a whole response. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
}
