import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

const HOST = "127.0.0.1";
/** Bursts of a sender on loopback must not be lost here. */
const BUFFER_BYTES = 1 << 20;

interface Flow {
  readonly back: Socket;
  readonly serverPort: number;
}

/**
 * The network between browser and transport, for UDP: passes datagrams on both ways until it is cut, and then swallows them
 * without a word, as a network does. A flow keeps the server that it began with.
 */
export class UdpPath {
  readonly port: number;
  /** Where new flows lead; null swallows them. */
  upstreamPort: number | null = null;
  /** Datagrams from the browser that it did not pass on. */
  swallowed = 0;
  readonly #front: Socket;
  /** By the browser's port. */
  readonly #flows = new Map<number, Flow>();
  #isCut = false;

  private constructor(front: Socket) {
    this.#front = front;
    this.port = front.address().port;
    front.on("message", (datagram, { port }) => this.#pass(datagram, port));
  }

  static async open(): Promise<UdpPath> {
    const front = createSocket({ type: "udp4", recvBufferSize: BUFFER_BYTES, sendBufferSize: BUFFER_BYTES });
    front.bind(0, HOST);
    await once(front, "listening");
    return new UdpPath(front);
  }

  cut(): void {
    this.#isCut = true;
  }

  restore(): void {
    this.#isCut = false;
  }

  [Symbol.dispose](): void {
    for (const { back } of this.#flows.values()) back.close();
    this.#flows.clear();
    this.#front.close();
  }

  #pass(datagram: Buffer, clientPort: number): void {
    const flow = this.#isCut ? null : (this.#flows.get(clientPort) ?? this.#openFlow(clientPort));
    if (flow === null) this.swallowed += 1;
    else flow.back.send(datagram, flow.serverPort, HOST);
  }

  #openFlow(clientPort: number): Flow | null {
    if (this.upstreamPort === null) return null;
    // Not connected, so that it hears nothing of a closed port: neither does anybody behind a real network.
    const back = createSocket({ type: "udp4", recvBufferSize: BUFFER_BYTES, sendBufferSize: BUFFER_BYTES });
    back.on("message", (datagram) => {
      if (!this.#isCut) this.#front.send(datagram, clientPort, HOST);
    });
    const flow = { back, serverPort: this.upstreamPort };
    this.#flows.set(clientPort, flow);
    return flow;
  }
}
