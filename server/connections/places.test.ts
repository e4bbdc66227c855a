import { once } from "node:events";
import { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { ConnectionPlaces, type PlaceLimits } from "./places.ts";
import { RawClient } from "./raw-client.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

interface Started {
  readonly port: number;
  readonly evicted: string[];
}

/** A server that answers `/` at once and never ends any other answer. */
async function startServer(maxConnections: number): Promise<Started> {
  const evicted: string[] = [];
  const server = await listen(
    (request, response) => {
      if (request.url === "/") response.end("served");
      else response.write("begun");
      request.resume();
    },
    { host: "127.0.0.1", port: 0 },
    { ...HTTP_LIMITS, maxConnections, onEviction: (address) => evicted.push(address) },
  );
  onTestFinished(() => server.close());
  return { port: server.port, evicted };
}

async function openMany(count: number, port: number, said: string, from = "127.0.0.1"): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  for (let index = 0; index < count; index += 1) {
    const client = await RawClient.open(port, { localAddress: from });
    client.socket.write(said);
    clients.push(client);
  }
  return clients;
}

async function isServed(port: number, from = "127.0.0.1"): Promise<boolean> {
  const client = await RawClient.open(port, { localAddress: from });
  client.socket.write(REQUEST);
  await client.hears(/served/g);
  return true;
}

test("a newcomer takes the place of the oldest connection without a finished request", async () => {
  const { port, evicted } = await startServer(4);
  const [busy] = await openMany(1, port, "GET /busy HTTP/1.1\r\nHost: x\r\n\r\n");
  await busy?.hears(/begun/g);
  const slow = await openMany(3, port, "GET / HTTP/1.1\r\nHost: x\r\n");
  expect(await isServed(port)).toBe(true);
  await slow[0]?.closed();
  expect(slow.map(({ socket }) => socket.destroyed)).toEqual([true, false, false]);
  expect(busy?.socket.destroyed).toBe(false);
  expect(evicted).toEqual(["127.0.0.1"]);
});

test("a body that does not end counts as unfinished", async () => {
  const { port } = await startServer(2);
  const [slow] = await openMany(1, port, "POST /busy HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n1234");
  await slow?.hears(/begun/g);
  const [busy] = await openMany(1, port, "POST /busy HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345");
  await busy?.hears(/begun/g);
  expect(await isServed(port)).toBe(true);
  await slow?.closed();
  expect(busy?.socket.destroyed).toBe(false);
});

test("the address that holds most gives up a place, not the one that holds little", async () => {
  const { port, evicted } = await startServer(5);
  const few = await openMany(1, port, "", "127.0.0.1");
  const many = await openMany(4, port, "", "127.0.0.2");
  expect(await isServed(port, "127.0.0.3")).toBe(true);
  await many[0]?.closed();
  expect(few[0]?.socket.destroyed).toBe(false);
  expect(evicted).toEqual(["127.0.0.2"]);
});

test("where all are being answered, the one answered for longest leaves", async () => {
  const { port } = await startServer(2);
  const busy = await openMany(2, port, "GET /busy HTTP/1.1\r\nHost: x\r\n\r\n");
  for (const client of busy) await client.hears(/begun/g);
  expect(await isServed(port)).toBe(true);
  await busy[0]?.closed();
  expect(busy[1]?.socket.destroyed).toBe(false);
});

test("a place is free again once its connection has closed", async () => {
  const { port, evicted } = await startServer(2);
  for (let round = 0; round < 5; round += 1) {
    const client = await RawClient.open(port);
    client.socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await once(client.socket, "close");
  }
  expect(evicted).toEqual([]);
});

/** Places without a server, and who had to leave. */
function placesWith(limits: Partial<PlaceLimits>) {
  const evicted: string[] = [];
  const clock = { nowMs: 0 };
  const places = new ConnectionPlaces(
    { ...HTTP_LIMITS, ...limits, onEviction: (name) => evicted.push(name) },
    () => clock.nowMs,
  );
  const from = (address: string) => {
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: address });
    places.admit(socket);
    return socket;
  };
  return { places, evicted, clock, from };
}

test("a proxy's connections are those of many clients, so its address has no limit", () => {
  const { evicted, from } = placesWith({
    maxConnectionsPerAddress: 2,
    newConnectionsPerAddress: { perSecond: 1, burst: 2 },
    unlimited: ["10.0.0.0/8"],
  });
  for (let connection = 0; connection < 5; connection += 1) from("10.0.0.7");
  expect(evicted).toEqual([]);
  for (let connection = 0; connection < 3; connection += 1) from("192.0.2.7");
  expect(evicted).toEqual(["192.0.2.7"]);
});

test("strangers of a proxy's network, or of its household, push out none of its connections", () => {
  const { places, evicted, from } = placesWith({
    maxConnectionsPerAddress: 2,
    unlimited: ["2001:db8:0:1::5"],
  });
  const proxied = [1, 2, 3, 4, 5].map(() => from("2001:db8:0:1::5"));
  for (const network of [1, 2, 1, 2]) from(`2001:db8:0:${network}::7`);
  expect(evicted).toEqual([]);
  from("2001:db8:0:1::7");
  from("2001:db8:0:3::7");
  expect(evicted).toEqual(["2001:db8:0:1::/64", "2001:db8:0:1::/64"]);
  expect(proxied.filter((socket) => socket.destroyed)).toEqual([]);
  expect(places.held).toBe(9);
});

test("an address that is not this machine's has a limit of its own; a /64 of IPv6 counts as one", () => {
  const { places, evicted, from } = placesWith({ maxConnections: 8, maxConnectionsPerAddress: 2 });
  const first = from("192.0.2.7");
  for (const address of ["192.0.2.7", "192.0.2.8", "127.0.0.1", "127.0.0.1", "127.0.0.1"]) from(address);
  expect(evicted).toEqual([]);
  from("192.0.2.7");
  expect(evicted).toEqual(["192.0.2.7"]);
  expect(first.destroyed).toBe(true);
  for (const host of [1, 2, 3]) from(`2001:db8::${host}`);
  expect(evicted).toEqual(["192.0.2.7", "2001:db8:0:0::/64"]);
  expect(places.held).toBe(8);
});

test("an IPv6 household has what two addresses have, however many of its networks it uses", () => {
  const { places, evicted, from } = placesWith({ maxConnections: 8, maxConnectionsPerAddress: 2 });
  const sockets = [1, 2, 3, 4, 5, 6].map((network) => from(`2001:db8:0:${network}::1`));
  expect(sockets.map((socket) => socket.destroyed)).toEqual([true, true, false, false, false, false]);
  expect(evicted).toEqual(["2001:db8:0:1::/64", "2001:db8:0:2::/64"]);
  for (const network of [1, 2, 3, 4]) from(`2001:db8:0:10${network}::1`);
  expect(places.held).toBe(8);
  expect(from("192.0.2.7").destroyed).toBe(false);
  expect(evicted).toHaveLength(3);
  expect(places.held).toBe(8);
});

test("an IPv6 household that holds most gives up a place, not an address that holds more than any of its networks", () => {
  const { evicted, from } = placesWith({ maxConnections: 8, maxConnectionsPerAddress: 4 });
  for (let network = 1; network <= 5; network += 1) from(`2001:db8:0:${network}::1`);
  for (let connection = 0; connection < 3; connection += 1) from("192.0.2.7");
  from("192.0.2.8");
  expect(evicted).toEqual(["2001:db8:0:1::/64"]);
});

test("an IPv6 household that opens connections too fast has its newest ended", () => {
  const { evicted, from } = placesWith({ newConnectionsPerAddress: { perSecond: 2, burst: 3 } });
  const ended = Array.from({ length: 10 }, (_, network) => from(`2001:db8:0:${network + 1}::1`).destroyed);
  expect(ended).toEqual([...Array(6).fill(false), ...Array(4).fill(true)]);
  expect(evicted).toHaveLength(4);
});

test("of an address that opens connections too fast the newest are ended, and none of anybody else", () => {
  const { evicted, clock, from } = placesWith({ newConnectionsPerAddress: { perSecond: 2, burst: 3 } });
  const destroyed = (address: string, count: number) =>
    Array.from({ length: count }, () => from(address).destroyed);
  expect(destroyed("192.0.2.7", 5)).toEqual([false, false, false, true, true]);
  expect(destroyed("192.0.2.8", 1)).toEqual([false]);
  expect(destroyed("127.0.0.1", 5)).toEqual([false, false, false, false, false]);
  clock.nowMs += 500;
  expect(destroyed("192.0.2.7", 2)).toEqual([false, true]);
  expect(evicted).toEqual(["192.0.2.7", "192.0.2.7", "192.0.2.7"]);
});
