import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { UdpPath } from "./udp-path.ts";

const HOST = "127.0.0.1";
const open: { close(): void }[] = [];

afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

test("a path passes datagrams on both ways", async () => {
  using path = await UdpPath.open();
  const client = await socket();
  path.upstreamPort = (await echo("one")).address().port;
  expect(await ask(client, path, "hello")).toBe("one: hello");
});

test("a path that is cut swallows datagrams until it is restored", async () => {
  using path = await UdpPath.open();
  const client = await socket();
  path.upstreamPort = (await echo("one")).address().port;
  await ask(client, path, "first");
  path.cut();
  client.send("lost", path.port, HOST);
  await vi.waitFor(() => expect(path.swallowed).toBe(1));
  path.restore();
  expect(await ask(client, path, "second")).toBe("one: second");
});

test("a flow keeps the server that it began with, and a new one goes to the new server", async () => {
  using path = await UdpPath.open();
  const [old, young] = [await socket(), await socket()];
  path.upstreamPort = (await echo("one")).address().port;
  await ask(old, path, "hello");
  path.upstreamPort = (await echo("two")).address().port;
  expect(await ask(young, path, "hello")).toBe("two: hello");
  expect(await ask(old, path, "again")).toBe("one: again");
});

test("a flow that is rebound comes from another port, and answers still find it", async () => {
  using path = await UdpPath.open();
  const client = await socket();
  const server = await socket();
  path.upstreamPort = server.address().port;
  const ports: number[] = [];
  server.on("message", (datagram, { port }) => {
    ports.push(port);
    server.send(datagram, port, HOST);
  });
  await ask(client, path, "before");
  await path.rebind();
  expect(await ask(client, path, "after")).toBe("after");
  expect(new Set(ports).size).toBe(2);
});

test("a path with a limit swallows what is larger", async () => {
  using path = await UdpPath.open();
  const client = await socket();
  path.upstreamPort = (await echo("one")).address().port;
  path.limit(5);
  client.send("longer", path.port, HOST);
  await vi.waitFor(() => expect(path.swallowed).toBe(1));
  path.limit(50);
  expect(await ask(client, path, "longer")).toMatch(/^one: /);
});

test("a path whose sockets break listens at the same port again", async () => {
  using path = await UdpPath.open();
  const client = await socket();
  path.upstreamPort = (await echo("one")).address().port;
  await ask(client, path, "before");
  await path.breakSockets();
  expect(await ask(client, path, "after")).toBe("one: after");
});

async function socket(): Promise<Socket> {
  const made = createSocket("udp4").bind(0, HOST);
  open.push(made);
  await once(made, "listening");
  return made;
}

async function echo(name: string): Promise<Socket> {
  const server = await socket();
  server.on("message", (datagram, { port }) => server.send(`${name}: ${datagram}`, port, HOST));
  return server;
}

async function ask(client: Socket, path: UdpPath, words: string): Promise<string> {
  client.send(words, path.port, HOST);
  const [datagram] = (await once(client, "message")) as [Buffer];
  return datagram.toString();
}
