import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { makeCertificate } from "../testdata/make-certificate.ts";
import { readPair } from "../tls/certificate-pair.ts";
import { MAX_WAITING_REQUESTS, oneAtATime } from "./one-at-a-time.ts";
import { hearNoMore, parseNoFurther } from "./parse-no-further.ts";

/** Fit into one reading. */
const SENT_AT_ONCE = 1000;

/** How many requests of those that are sent at once a server hears of. */
async function heardBy(server: Server, open: (port: number) => Socket): Promise<number> {
  let heard = 0;
  server.prependListener("request", () => {
    heard += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const socket = open((server.address() as AddressInfo).port);
  socket.on("error", () => undefined); // it is reset
  socket.resume();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(SENT_AT_ONCE));
  await new Promise((resolve) => socket.once("close", resolve));
  return heard;
}

const open = (port: number) => connect(port, "127.0.0.1");

test("of a connection with too many requests no more are heard", async () => {
  const server = createServer(oneAtATime(() => undefined));
  parseNoFurther(server, "connection");
  expect(await heardBy(server, open)).toBe(MAX_WAITING_REQUESTS + 2); // the first, and the one too many
});

test("over TLS neither", async () => {
  const pair = readPair(makeCertificate(temporaryFolder()));
  const server = createTlsServer(
    { cert: pair.cert, key: pair.key },
    oneAtATime(() => undefined),
  );
  parseNoFurther(server, "secureConnection");
  const openTls = (port: number) => connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  expect(await heardBy(server, openTls)).toBe(MAX_WAITING_REQUESTS + 2);
});

test("nor of one whose last answer is under way", async () => {
  const server = createServer(({ socket }, response) => {
    hearNoMore(socket);
    response.setHeader("Connection", "close").end();
  });
  parseNoFurther(server, "connection");
  expect(await heardBy(server, open)).toBe(1);
});
