import { expect, it } from "vitest";
import { joined } from "./joined-addresses.ts";

const machine = (url: string, hash: string, sessions: number) => ({
  url,
  certificateHashes: [hash],
  workers: [{ url, certificateHashes: [hash], sessions }],
});

it("has the workers of all machines", () => {
  const [a, b] = [machine("https://a:1", "x", 3), machine("https://b:1", "y", 0)];
  expect(joined([a, b])).toEqual({ ...a, workers: [...a.workers, ...b.workers] });
});

it("knows whichever certificate answers behind a balancer", () => {
  const url = "https://balancer:4433";
  expect(joined([machine(url, "x", 3), machine(url, "y", 2)])).toEqual({
    url,
    certificateHashes: ["x", "y"],
    workers: [{ url, certificateHashes: ["x", "y"], sessions: 5 }],
  });
});

it("takes a server that says nothing of workers for one", () => {
  const [a, b] = ["https://a:1", "https://b:1"].map((url) => ({ url, certificateHashes: [url] }));
  if (a === undefined || b === undefined) throw new Error("there are two");
  expect(joined([a, b])).toEqual({ ...a, workers: [a, b] });
  expect(joined([a])).toBe(a);
  expect(joined([])).toBeNull();
});
