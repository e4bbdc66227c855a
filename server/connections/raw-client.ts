import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** For tests: a socket that says what it is told to, and keeps what it hears. */
export class RawClient {
  readonly socket: Socket;
  heard = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("latin1");
    socket.on("error", () => undefined); // a server that ends a socket may reset it; `closed` tells
  }

  /** @param isReading whether it takes what it is sent */
  static async open(port: number, { localAddress = "127.0.0.1", isReading = true } = {}): Promise<RawClient> {
    const client = new RawClient(connect({ port, host: "127.0.0.1", localAddress }));
    await once(client.socket, "connect");
    onTestFinished(() => void client.socket.destroy());
    if (isReading)
      client.socket.on("data", (part: string) => {
        client.heard += part;
      });
    return client;
  }

  /** Resolves once the server has ended the socket. */
  async closed(): Promise<void> {
    if (this.socket.closed) return;
    await new Promise((resolve) => this.socket.once("close", resolve)); // `once` would reject where it was reset
  }

  /** Resolves once `pattern` was heard so many times. */
  async hears(pattern: RegExp, times = 1): Promise<void> {
    while ([...this.heard.matchAll(pattern)].length < times) await once(this.socket, "data");
  }
}
