import { createServer, Socket } from "node:net";
import { expect, test } from "vitest";
import { HTTP_LIMITS } from "../http-server.ts";
import { admitFirst } from "./admit-first.ts";
import { ConnectionPlaces } from "./places.ts";

/** One that comes to a server of two listeners and two places at once; who has heard of it. */
function visits(addresses: readonly (string | undefined)[]) {
  const heard: (string | undefined)[] = [];
  const server = createServer();
  for (let listener = 0; listener < 2; listener += 1)
    server.on("connection", ({ remoteAddress }) => heard.push(remoteAddress));
  admitFirst(
    server,
    new ConnectionPlaces({ ...HTTP_LIMITS, newConnectionsPerAddress: { perSecond: 1, burst: 2 } }, () => 0),
  );
  const sockets = addresses.map((value) => Object.defineProperty(new Socket(), "remoteAddress", { value }));
  for (const socket of sockets) server.emit("connection", socket);
  return { heard, destroyed: sockets.map((socket) => socket.destroyed) };
}

test("a connection without a place is ended, and no listener hears of it", () => {
  const { heard, destroyed } = visits(["192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8"]);
  expect(destroyed).toEqual([false, false, true, false]);
  expect(heard).toEqual(["192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8", "192.0.2.8"]);
});

test("nor of one that has left already", () => {
  expect(visits([undefined])).toEqual({ heard: [], destroyed: [true] });
});
