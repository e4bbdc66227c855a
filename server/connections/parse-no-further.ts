import type { Server } from "node:http";
import type { Socket } from "node:net";

/** What Node hangs on a socket that speaks HTTP: no documented way stops it within what it has read. */
interface Parser {
  /** Told of each head. @returns what comes after it: 0 the body, 2 nothing that is HTTP */
  onIncoming?: (request: unknown, keepsAlive: boolean) => number;
}

const NOTHING_MORE = 2;
const over = new WeakSet<Socket>();

/** Of a connection that ends with the answer under way: nothing more of it is heard. */
export function hearNoMore(socket: Socket): void {
  over.add(socket);
}

/**
 * Has Node drop what it has read of a connection that is over. It reads 64 KiB at a time, and would hand over all of it: some
 * 1,500 requests, or 10,000 chunks of a body, in the time of a hundred pages.
 *
 * @param server whose sockets have been given their parser when its listeners before this one were told
 */
export function parseNoFurther(server: Server, event: "connection" | "secureConnection"): void {
  server.on(event, (socket: Socket & { readonly parser?: Parser | null }) => {
    const { parser } = socket;
    const onIncoming = parser?.onIncoming;
    if (parser == null || onIncoming === undefined) return;
    parser.onIncoming = (request, keepsAlive) => {
      const next = onIncoming(request, keepsAlive);
      return socket.destroyed || over.has(socket) ? NOTHING_MORE : next;
    };
  });
}
