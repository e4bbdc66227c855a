import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { unlessAborted } from "./unless-aborted.ts";

it.each([
  ["success", () => Promise.resolve(1)],
  ["failure", () => Promise.reject(new Error("broken off"))],
])("leaves no listener after %s", async (_name, settling) => {
  const { signal } = new AbortController();
  const settled = unlessAborted(settling(), signal).catch(() => undefined);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  await settled;
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("rejects with the reason when the signal is aborted, before or meanwhile", async () => {
  const leaving = new AbortController();
  const forever = new Promise<never>(() => undefined);
  const meanwhile = unlessAborted(forever, leaving.signal);
  leaving.abort("left");
  await expect(meanwhile).rejects.toBe("left");
  await expect(unlessAborted(forever, leaving.signal)).rejects.toBe("left");
});
