/** The part of WebTransport that the receiver uses, so that tests can play the server. */

export interface DatagramDuplex {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Queue of received datagrams before the oldest is dropped; browsers start at 1. */
  incomingHighWaterMark?: number;
  /** The same under its newer name. */
  incomingMaxBufferedDatagrams?: number;
}

export interface BidirectionalStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

export interface CloseInfo {
  readonly closeCode?: number;
  readonly reason?: string;
}

export interface TransportSession {
  readonly ready: Promise<unknown>;
  readonly closed: Promise<CloseInfo>;
  readonly datagrams: DatagramDuplex;
  createBidirectionalStream(): Promise<BidirectionalStream>;
  close(info?: { closeCode: number; reason: string }): void;
}

/** A full flight can hold a thousand stamps while the worker is descheduled; a dropped stamp is silent. */
const INCOMING_DATAGRAMS = 8192;

/**
 * Opens a session to a server known by the hashes of its certificate, base64 of SHA-256 of the DER; without any, to one that
 * the browser trusts by its issuer.
 */
export function openTransport(url: string, certificateHashes: readonly string[]): TransportSession {
  const serverCertificateHashes = certificateHashes.map((hash) => ({
    algorithm: "sha-256",
    value: Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)),
  }));
  const transport = new WebTransport(
    url,
    serverCertificateHashes.length === 0 ? {} : { serverCertificateHashes },
  );
  return transport as unknown as TransportSession;
}

/** Raises the queue of received datagrams, under whichever name the browser knows. */
export function raiseDatagramQueue(datagrams: DatagramDuplex): void {
  for (const name of ["incomingMaxBufferedDatagrams", "incomingHighWaterMark"] as const) {
    if (name in datagrams) {
      datagrams[name] = INCOMING_DATAGRAMS;
    }
  }
}
