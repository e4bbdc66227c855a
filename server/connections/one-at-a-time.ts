import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one socket that may wait for the one before them. Browsers send none ahead of an answer. */
export const MAX_WAITING_REQUESTS = 64;

/**
 * Handles the requests of a socket one after the other. Node hands over pipelined requests at once, and never tells an
 * answer that waits behind another one that the socket has ended: whatever its handler has opened would stay open.
 * A socket with more than `MAX_WAITING_REQUESTS` waiting is ended.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return function handleInTurn(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request;
    if (socket.destroyed) return;
    if (response.socket !== null) {
      handle(request, response);
      return;
    }
    const ahead = waiting.get(socket) ?? 0;
    if (ahead >= MAX_WAITING_REQUESTS) {
      socket.destroy();
      return;
    }
    waiting.set(socket, ahead + 1);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      handle(request, response);
    });
  };
}
