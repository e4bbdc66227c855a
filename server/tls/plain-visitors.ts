import { createServer, type RequestListener, type ServerOptions } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";

/** Of a record of TLS that carries a handshake (RFC 8446, section 5.1), with which each connection begins. */
const HANDSHAKE_RECORD = 22;

export interface PlainVisitorOptions {
  readonly http: ServerOptions;
  /** For a connection's first byte, and then for all that plain HTTP takes of it. */
  readonly timeMs: number;
}

/**
 * Answers who speaks plain HTTP at a port of HTTPS, and has typed no `https://`: with the address that begins so. Whoever
 * listens to the server's connections afterwards hears of all.
 */
export function answerPlainVisitors(server: Server, { http, timeMs }: PlainVisitorOptions): void {
  const plain = createServer(http, sendToHttps);
  const speakTls = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const tooSlow = setTimeout(() => socket.destroy(), timeMs);
    socket.once("close", () => clearTimeout(tooSlow));
    socket.on("error", () => socket.destroy());
    socket.once("readable", () => {
      const first: Buffer | null = socket.read(1);
      if (first === null) return; // it has ended
      socket.unshift(first);
      if (first[0] === HANDSHAKE_RECORD) {
        clearTimeout(tooSlow);
        for (const listener of speakTls) listener.call(server, socket);
      } else {
        plain.emit("connection", socket);
      }
    });
  });
}

/** For now alone: the next server at this port may speak plain HTTP. */
const sendToHttps: RequestListener = ({ headers: { host }, url = "/" }, response) => {
  response.setHeader("Connection", "close");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  const address = `https://${host}${url}`;
  if (host === undefined || !url.startsWith("/") || !URL.canParse(address)) {
    response.writeHead(400).end("400 this port speaks HTTPS: begin the address with https://\n");
    return;
  }
  response
    .writeHead(307, { Location: new URL(address).href })
    .end(`this port speaks HTTPS: open ${address}\n`);
};
