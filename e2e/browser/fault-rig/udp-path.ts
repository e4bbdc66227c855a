import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { Chance } from "./chance.ts";
import { type Impairment, Impairments } from "./impairments.ts";

const HOST = "127.0.0.1";
/** Bursts of a sender on loopback must not be lost here. */
const BUFFER_BYTES = 1 << 20;

interface Flow {
  back: Socket;
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
  #front: Socket;
  /** By the browser's port. */
  readonly #flows = new Map<number, Flow>();
  #isCut = false;
  /** Whoever is above them is swallowed; null passes all. */
  #largestBytes: number | null = null;
  #impairments: Impairments | null = null;

  private constructor(front: Socket) {
    this.port = front.address().port;
    this.#front = this.#listenOn(front);
  }

  static async open(): Promise<UdpPath> {
    return new UdpPath(await boundSocket(0, HOST));
  }

  cut(): void {
    this.#isCut = true;
  }

  /** Swallows larger datagrams, as a path does whose MTU is too small. */
  limit(largestBytes: number): void {
    this.#largestBytes = largestBytes;
  }

  /** Loses, damages, doubles and delays what it passes, either way. */
  impair(impairment: Impairment, chance: Chance): void {
    this.#impairments = new Impairments(impairment, chance);
  }

  restore(): void {
    this.#isCut = false;
    this.#largestBytes = null;
    this.#impairments = null;
  }

  /** The server sees every flow come from another port, and another address if one is given, as behind a NAT. */
  async rebind(address: string = HOST): Promise<void> {
    for (const [clientPort, flow] of this.#flows) {
      const { back } = flow;
      flow.back = this.#backOf(await boundSocket(0, address), clientPort);
      back.close();
    }
  }

  /** The browser's sockets lose what they were bound to, as between two networks: the system tells them so. */
  async breakSockets(): Promise<void> {
    this.#closeFlows();
    this.#front.close();
    this.#front = this.#listenOn(await boundSocket(this.port, HOST));
  }

  [Symbol.dispose](): void {
    this.#closeFlows();
    this.#front.close();
  }

  #closeFlows(): void {
    for (const { back } of this.#flows.values()) back.close();
    this.#flows.clear();
  }

  #listenOn(front: Socket): Socket {
    return front.on("message", (datagram, { port }) => this.#pass(datagram, port));
  }

  #pass(datagram: Buffer, clientPort: number): void {
    const isPassed = !this.#isCut && !this.#isTooLarge(datagram);
    const flow = isPassed ? (this.#flows.get(clientPort) ?? this.#openFlow(clientPort)) : null;
    if (flow === null) {
      this.swallowed += 1;
      return;
    }
    this.#onTheWay("up", datagram, (passed) => flow.back.send(passed, flow.serverPort, HOST));
  }

  #openFlow(clientPort: number): Flow | null {
    if (this.upstreamPort === null) return null;
    // Not connected, so that it hears nothing of a closed port: neither does anybody behind a real network.
    const back = createSocket({ type: "udp4", recvBufferSize: BUFFER_BYTES, sendBufferSize: BUFFER_BYTES });
    const flow = { back: this.#backOf(back, clientPort), serverPort: this.upstreamPort };
    this.#flows.set(clientPort, flow);
    return flow;
  }

  #backOf(back: Socket, clientPort: number): Socket {
    return back.on("message", (datagram) => {
      if (this.#isCut || this.#isTooLarge(datagram)) return;
      this.#onTheWay("down", datagram, (passed) => this.#front.send(passed, clientPort, HOST));
    });
  }

  #isTooLarge({ length }: Buffer): boolean {
    return this.#largestBytes !== null && length > this.#largestBytes;
  }

  #onTheWay(way: "up" | "down", datagram: Buffer, send: (datagram: Buffer) => void): void {
    if (this.#impairments === null) send(datagram);
    else this.#impairments.pass(way, datagram, (passed) => sendIfOpen(() => send(passed)));
  }
}

/** What was delayed may come when its socket is closed: it is lost then, as anything on its way to a host that left. */
function sendIfOpen(send: () => void): void {
  try {
    send();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SOCKET_DGRAM_NOT_RUNNING") throw error;
  }
}

async function boundSocket(port: number, address: string): Promise<Socket> {
  const socket = createSocket({ type: "udp4", recvBufferSize: BUFFER_BYTES, sendBufferSize: BUFFER_BYTES });
  socket.bind(port, address);
  await once(socket, "listening");
  return socket;
}
