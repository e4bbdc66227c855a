import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { isInChunks } from "./told-length.ts";

/** What is left of a shorter body comes with its head, or soon after: it is thrown away, and the connection goes on. */
const SHORT_BODY_BYTES = 64 * 1024;
/** In which who still sends can read the answer. */
const LINGER_MS = 1000;

/**
 * Ends a connection whose request is answered while a long body, or one that does not tell its length, still comes. Node would
 * read all of it to throw it away: chunks of a byte cost it a hundred times what the same bytes cost in one piece.
 */
export function endUnreadBodies(handle: RequestListener): RequestListener {
  return (request, response) => {
    response.once("finish", () => {
      if (!request.complete && !isShort(request)) leave(request.socket);
    });
    handle(request, response);
  };
}

function isShort(request: IncomingMessage): boolean {
  return !isInChunks(request) && Number(request.headers["content-length"] ?? 0) <= SHORT_BODY_BYTES;
}

function leave(socket: Socket): void {
  setImmediate(() => socket.pause()); // after Node has begun to throw the body away
  socket.end();
  const over = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(over));
}
