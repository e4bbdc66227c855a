import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hasManyFields } from "./few-fields.ts";

/** Requests of one socket that may wait for the one before them. Browsers send none ahead of an answer. */
export const MAX_WAITING_REQUESTS = 16;
/** What their heads may have together, in characters: each may have 16 KiB, and takes several times that. */
export const MAX_WAITING_HEADS = 32 * 1024;

interface Waiting {
  requests: number;
  /** Characters of their heads. */
  heads: number;
}

/**
 * Handles the requests of a socket one after the other. Node hands over pipelined requests at once, and never tells an
 * answer that waits behind another one that the socket has ended: whatever its handler has opened would stay open.
 * A socket with more waiting than `MAX_WAITING_REQUESTS`, or larger ones, is ended.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, Waiting>();
  return function handleInTurn(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request;
    if (socket.destroyed) return;
    if (response.socket !== null) {
      handle(request, response);
      return;
    }
    const ahead = waiting.get(socket) ?? { requests: 0, heads: 0 };
    const head = lengthOfHead(request);
    const isTooLarge = hasManyFields(request) || ahead.heads + head > MAX_WAITING_HEADS;
    if (isTooLarge || ahead.requests >= MAX_WAITING_REQUESTS) {
      socket.destroy();
      return;
    }
    ahead.requests += 1;
    ahead.heads += head;
    waiting.set(socket, ahead);
    response.once("socket", () => {
      ahead.requests -= 1;
      ahead.heads -= head;
      handle(request, response);
    });
  };
}

function lengthOfHead({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((length, text) => length + text.length, url.length);
}
