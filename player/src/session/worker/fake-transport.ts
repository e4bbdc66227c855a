/** The server's end of a session, for tests: streams and datagrams in memory. */

import type { BidirectionalStream, CloseInfo, TransportSession } from "./transport-session.ts";

/** One request as the server sees it. */
export class ServerStream {
  readonly line: Promise<string>;
  /** Resolves with the reason when the client stops reading. */
  readonly stopped: Promise<unknown>;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;

  constructor(
    line: Promise<string>,
    stopped: Promise<unknown>,
    controller: ReadableStreamDefaultController<Uint8Array>,
  ) {
    this.line = line;
    this.stopped = stopped;
    this.#controller = controller;
  }

  send(data: string | Uint8Array): void {
    this.#controller.enqueue(typeof data === "string" ? new TextEncoder().encode(data) : data);
  }

  end(): void {
    this.#controller.close();
  }

  reset(): void {
    this.#controller.error(new Error("stream was reset"));
  }
}

export class FakeTransport implements TransportSession {
  readonly ready = Promise.resolve();
  readonly closed: Promise<CloseInfo>;
  readonly datagrams;
  /** Feedback as the server receives it. */
  readonly received: Uint8Array[] = [];
  readonly streams: ServerStream[] = [];
  /** Set to hold every datagram that the client writes until it is called. */
  releaseWrite: (() => void) | null = null;
  #holdWrites = false;
  #datagrams: ReadableStreamDefaultController<Uint8Array> | null = null;
  #close: (info: CloseInfo) => void = () => undefined;
  #breakOff: (error: Error) => void = () => undefined;

  constructor() {
    this.closed = new Promise((resolve, reject) => {
      this.#close = resolve;
      this.#breakOff = reject;
    });
    this.closed.catch(() => undefined); // as in browsers, nobody has to listen
    this.datagrams = {
      incomingHighWaterMark: 1,
      readable: new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.#datagrams = controller;
        },
      }),
      writable: new WritableStream<Uint8Array>({ write: (datagram) => this.#onDatagram(datagram) }),
    };
  }

  createBidirectionalStream(): Promise<BidirectionalStream> {
    const sent = new TransformStream<Uint8Array, Uint8Array>();
    let stop: (reason: unknown) => void = () => undefined;
    const stopped = new Promise<unknown>((resolve) => {
      stop = resolve;
    });
    const readable = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const line = new Response(sent.readable).text();
        this.streams.push(new ServerStream(line, stopped, controller));
      },
      cancel: (reason) => stop(reason),
    });
    return Promise.resolve({ readable, writable: sent.writable });
  }

  close(info: CloseInfo = {}): void {
    this.#datagrams?.close();
    this.#close(info);
  }

  /** The connection is lost: everything that was open fails. */
  breakOff(error: Error): void {
    this.#datagrams?.error(error);
    this.#breakOff(error);
  }

  sendDatagram(datagram: Uint8Array): void {
    this.#datagrams?.enqueue(datagram);
  }

  /** From now on the network takes no datagram until `releaseWrite`. */
  holdWrites(): void {
    this.#holdWrites = true;
  }

  #onDatagram(datagram: Uint8Array): Promise<void> {
    this.received.push(datagram);
    if (!this.#holdWrites) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.releaseWrite = resolve;
    });
  }
}
