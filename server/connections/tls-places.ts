import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { ConnectionPlaces } from "./places.ts";

/**
 * Tells the places which socket of TLS a connection is spoken through. Node does not say which belongs to which; both name the
 * same peer.
 */
export function matchTls(server: Server, places: ConnectionPlaces): void {
  const connections = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    connections.set(peer, socket);
    socket.once("close", () => {
      if (connections.get(peer) === socket) connections.delete(peer);
    });
  });
  server.on("secureConnection", (secure) => {
    const below = connections.get(peerOf(secure));
    if (below !== undefined) places.speakThrough(secure, below);
  });
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
