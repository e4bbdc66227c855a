import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { HTTP_LIMITS, listen } from "./http-server.ts";

test("a port in use is told in one sentence", async () => {
  const first = await listen(() => undefined, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => first.close());
  await expect(listen(() => undefined, { host: "127.0.0.1", port: first.port })).rejects.toThrow(
    `port ${first.port} on 127.0.0.1 is in use: stop the program that uses it or choose another with --port`,
  );
});

test("an address of another machine is told in one sentence", async () => {
  await expect(listen(() => undefined, { host: "192.0.2.7", port: 0 })).rejects.toThrow(
    "192.0.2.7 is not an address of this machine (EADDRNOTAVAIL): choose another with --host",
  );
});

test("a request whose headers do not come in time is ended with 408", async () => {
  const limits = { ...HTTP_LIMITS, headersTimeoutMs: 50, requestTimeoutMs: 50, checkIntervalMs: 10 };
  const server = await listen(() => undefined, { host: "127.0.0.1", port: 0 }, limits);
  onTestFinished(() => server.close());
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n"));
    let received = "";
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      received += part;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test("closing ends answers that are still under way", async () => {
  const server = await listen((_request, response) => response.writeHead(200).write("begun"), {
    host: "127.0.0.1",
    port: 0,
  });
  const response = await fetch(`http://127.0.0.1:${server.port}`);
  await server.close();
  await expect(response.text()).rejects.toThrow();
});
