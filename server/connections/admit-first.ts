import type { Server, Socket } from "node:net";
import type { ConnectionPlaces } from "./places.ts";

/**
 * Gives each connection its place before anything else of the server hears of it, which takes longer than the whole of a
 * refusal. Whoever listens to the server's connections afterwards hears of all.
 */
export function admitFirst(server: Server, places: ConnectionPlaces): void {
  const hearing = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    if (!places.admit(socket)) return;
    for (const listener of hearing) listener.call(server, socket);
  });
}
