import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { addressOf, senderOf } from "./sender.ts";

/** @returns whose limits a request from this machine falls under, and the address that it is said to come from */
async function said(forwardedFor: string | null): Promise<unknown> {
  const app = express().set("trust proxy", ["loopback", "10.0.0.0/8"]);
  app.get("/", (request, response) => void response.json([senderOf(request), addressOf(request)]));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const headers: HeadersInit = forwardedFor === null ? {} : { "X-Forwarded-For": forwardedFor };
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).json();
}

test.each([
  ["by itself", null, [null, "127.0.0.1"]],
  ["by a proxy of this machine", "127.0.0.1", [null, "127.0.0.1"]],
  ["by a proxy", "192.0.2.7", ["192.0.2.7", "192.0.2.7"]],
  ["by two", "2001:db8::7, 10.1.2.3", ["2001:db8:0:0::/64", "2001:db8::7"]],
  ["by a client that says more", "127.0.0.1, 192.0.2.7", ["192.0.2.7", "192.0.2.7"]],
  [
    "by one within a proxy's subnet that says it is this machine",
    "127.0.0.1, 10.1.2.3",
    ["10.1.2.3", "10.1.2.3"],
  ],
])("a request that comes %s is its sender's", async (_how, forwardedFor, sender) => {
  expect(await said(forwardedFor)).toEqual(sender);
});
