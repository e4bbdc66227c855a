import { afterEach, expect, it, vi } from "vitest";
import { SERVER_AWAY } from "../fetch-config.ts";
import { fetchLink, LinkNotNow, putLink } from "./link-api.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("puts the link as JSON and gives what the server made of it", async () => {
  const fetched = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({ link: { name: "steps" } })));
  vi.stubGlobal("fetch", fetched);
  expect(await putLink({ name: "steps", delayMs: 5 })).toEqual({ name: "steps" });
  expect(fetched).toHaveBeenCalledWith("/api/link", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: '{"name":"steps","delayMs":5}',
  });
});

it("asks what the link is now, past the browser's cache", async () => {
  const nowMs = performance.timeOrigin + performance.now() + 5000;
  const fetched = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({ link: null, nowMs })));
  vi.stubGlobal("fetch", fetched);
  const { signal } = new AbortController();
  expect(await fetchLink(signal)).toEqual({
    link: null,
    clock: {
      aheadMs: expect.closeTo(5000, -3) as number,
      withinMs: expect.any(Number) as number,
    },
  });
  expect(fetched).toHaveBeenCalledWith("/api/link", { cache: "no-store", signal });
});

it("throws the server's sentence when it refuses", async () => {
  const error = { status: 400, reason: "there is no link called 5g" };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ error }, { status: 400 })));
  const asked = putLink({ name: "5g" });
  await expect(asked).rejects.toThrow("there is no link called 5g");
  await expect(asked).rejects.not.toBeInstanceOf(LinkNotNow);
});

it.each([
  [
    "its relay is away",
    Response.json({ error: { reason: "it starts again" } }, { status: 503 }),
    "it starts again",
  ],
  [
    "another program answers in its place",
    new Response("<html>", { status: 502 }),
    "answered 502 to /api/link",
  ],
])("tells that the same may be asked for again where %s", async (_what, response, sentence) => {
  vi.stubGlobal("fetch", () => Promise.resolve(response));
  const asked = putLink({ name: "lte-like" });
  await expect(asked).rejects.toBeInstanceOf(LinkNotNow);
  await expect(asked).rejects.toThrow(sentence);
});

it("says that the server is away", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(putLink({ name: "none" })).rejects.toThrow(SERVER_AWAY);
});
