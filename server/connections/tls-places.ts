import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { ConnectionPlaces } from "./places.ts";

/**
 * Gives connections of HTTPS their places before TLS is spoken, which costs more than all that comes then. Node does not say
 * which socket of TLS belongs to which connection; both name the same peer.
 */
export function admitTls(server: Server, places: ConnectionPlaces): void {
  const connections = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    connections.set(peer, socket);
    socket.once("close", () => {
      if (connections.get(peer) === socket) connections.delete(peer);
    });
    places.admit(socket);
  });
  server.on("secureConnection", (secure) => {
    const below = connections.get(peerOf(secure));
    if (below !== undefined) places.speakThrough(secure, below);
  });
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
