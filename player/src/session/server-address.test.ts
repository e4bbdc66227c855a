import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { askAddress, type ServerAddress } from "./server-address.ts";

const ADDRESS: ServerAddress = { serverUrl: "https://127.0.0.1:4433", certificateHashes: ["aGFzaA=="] };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function setTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

it("gives up a question that is not answered in time, and what it holds", async () => {
  const asked = vi.fn((_signal: AbortSignal) => new Promise<never>(() => undefined));
  const answer = askAddress(asked, setTimer);
  await vi.advanceTimersByTimeAsync(2999);
  expect(asked.mock.calls[0]?.[0].aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.mock.calls[0]?.[0].aborted).toBe(true);
  expect(await answer).toMatchObject({ kind: "failed", error: { message: /does not answer/ } });
});

it("leaves one alone that was answered", async () => {
  const asked = vi.fn((_signal: AbortSignal) => Promise.resolve(ADDRESS));
  expect(await askAddress(asked, setTimer)).toEqual({ kind: "address", address: ADDRESS });
  await vi.advanceTimersByTimeAsync(3000);
  expect(asked.mock.calls[0]?.[0].aborted).toBe(false);
});
