import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { refuseEarly } from "./refuse-early.ts";

/** A body that may be long comes at this rate at least, over each request's time. */
export const LEAST_BYTES_PER_SECOND = 32 * 1024;

const long = new WeakSet<IncomingMessage>();

/** Lets a request take as long as its body goes on coming. */
export function letBodyBeLong(request: IncomingMessage): void {
  long.add(request);
}

/** Ends with 408 what has not come whole within a time; what is answered already, without. Node's own limit knows no exceptions. */
export function withinTime(handle: RequestListener, timeMs: number): RequestListener {
  return (request, response) => {
    let seenBytes = request.socket.bytesRead;
    const timer = setInterval(() => {
      const cameBytes = request.socket.bytesRead - seenBytes;
      seenBytes += cameBytes;
      if (hasEnded(request)) clearInterval(timer);
      else if (!long.has(request) || cameBytes < (LEAST_BYTES_PER_SECOND * timeMs) / 1000)
        refuse(request, response, timeMs);
    }, timeMs);
    response.once("close", () => {
      if (hasEnded(request)) clearInterval(timer); // what is answered early may still send its body
    });
    handle(request, response);
  };
}

function hasEnded({ complete, socket }: IncomingMessage): boolean {
  return complete || socket.destroyed;
}

function refuse({ socket }: IncomingMessage, response: ServerResponse, timeMs: number): void {
  if (response.headersSent) {
    socket.destroy();
    return;
  }
  const reason = `the request came too slowly: send it within ${timeMs / 1000} s, or a film faster`;
  response.once("finish", () => socket.destroySoon());
  refuseEarly(response, 408, reason);
}
