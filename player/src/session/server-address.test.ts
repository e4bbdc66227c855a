import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askAddress, isSameServer, nameOf, type ServerAddress, ServerAway } from "./server-address.ts";

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

it("tells a server that is away from a question that failed", async () => {
  const answerTo = (asked: () => Promise<null>) => askAddress(asked, setTimer);
  expect(await answerTo(async () => null)).toEqual({ kind: "away", reason: "the media server is away" });
  const reason = "/nuwa.json has no address (404)";
  expect(await answerTo(() => Promise.reject(new ServerAway(reason)))).toEqual({ kind: "missing", reason });
  const error = new TypeError("Failed to fetch");
  expect(await answerTo(() => Promise.reject(error))).toEqual({ kind: "failed", error });
});

describe("of a server that runs in several processes", () => {
  const other = { serverUrl: "https://127.0.0.1:4434", certificateHashes: ["b3RoZXI="] };
  const workers = [ADDRESS, other];

  it("a session is where it was while its worker is there, wherever the next one goes", () => {
    const next: ServerAddress = { ...other, workers };
    expect(isSameServer(next, ADDRESS)).toBe(true);
    expect(isSameServer({ ...other, workers: [other] }, ADDRESS)).toBe(false);
    const restarted = { ...ADDRESS, certificateHashes: ["bmV3"] };
    expect(isSameServer({ ...other, workers: [restarted, other] }, ADDRESS)).toBe(false);
  });

  it("the name is the same whichever comes next, and another when one is gone", () => {
    const name = nameOf({ ...ADDRESS, workers });
    expect(nameOf({ ...other, workers: [other, ADDRESS] })).toBe(name);
    expect(nameOf({ ...other, workers: [other] })).not.toBe(name);
  });
});

it.each([
  [[], [], true],
  [[], ["a"], false],
  [["a"], [], false],
  [["b", "a"], ["a"], true],
])("of the hashes %j and %j: the same server is %s", (now, then, isSame) => {
  const address = (certificateHashes: string[]) => ({ serverUrl: "https://127.0.0.1:1", certificateHashes });
  expect(isSameServer(address(now), address(then))).toBe(isSame);
});
