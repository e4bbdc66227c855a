import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

const HOST = "127.0.0.1";

const BAD_GATEWAY = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/**
 * The network between browser and web server, for TCP: passes bytes on both ways. `cut` holds every byte, as a network that
 * is gone; `refuse` ends every connection, as a server that is gone. With `speakForServer` it is a proxy, which answers 502
 * while there is no server.
 */
export class TcpPath {
  readonly port: number;
  /** null ends every connection. */
  upstreamPort: number | null = null;
  readonly #server: Server;
  readonly #pairs = new Map<Socket, Socket>();
  #isCut = false;
  #isRefusing = false;
  #speaksForServer = false;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (front) => this.#accept(front));
  }

  static async open(): Promise<TcpPath> {
    const server = createServer({ pauseOnConnect: true });
    server.listen(0, HOST);
    await once(server, "listening");
    return new TcpPath(server);
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets()) socket.pause();
  }

  refuse(): void {
    this.#isRefusing = true;
    for (const socket of this.#sockets()) socket.destroy();
  }

  /** From now on. */
  speakForServer(): void {
    this.#speaksForServer = true;
  }

  restore(): void {
    this.#isCut = false;
    this.#isRefusing = false;
    for (const [front, back] of this.#pairs) {
      this.#goOn(front, back);
      this.#goOn(back, front);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.refuse();
    this.#server.close();
    await once(this.#server, "close");
  }

  #sockets(): Socket[] {
    return [...this.#pairs].flat();
  }

  #accept(front: Socket): void {
    if (this.#isRefusing || this.upstreamPort === null) {
      front.destroy();
      return;
    }
    const back = connect(this.upstreamPort, HOST);
    if (this.#speaksForServer) this.#answerIfRefused(front, back);
    this.#pairs.set(front, back);
    this.#join(front, back);
    this.#join(back, front);
    front.once("close", () => this.#pairs.delete(front));
    if (this.#isCut) back.pause();
    else front.resume();
  }

  /** Connections that are open already are not proxied request by request: they end with the server. */
  #answerIfRefused(front: Socket, back: Socket): void {
    const answer = () => front.end(BAD_GATEWAY);
    back.once("error", answer);
    back.once("connect", () => back.off("error", answer));
  }

  /** Bytes of one go to the other, as fast as that takes them; where one ends the other does. */
  #join(from: Socket, to: Socket): void {
    from.on("data", (bytes) => {
      to.write(bytes);
      if (to.writableNeedDrain) from.pause();
    });
    to.on("drain", () => this.#goOn(from, to));
    to.once("close", () => this.#goOn(from, to)); // nobody takes the rest: read it, to come to the end
    from.once("end", () => to.end());
    from.once("close", () => to.end());
    from.on("error", () => to.destroy()); // reset by its peer: so is the other
  }

  /** Not where the path is cut, or the other side has bytes still to take. */
  #goOn(from: Socket, to: Socket): void {
    if (!this.#isCut && !to.writableNeedDrain) from.resume();
  }
}
