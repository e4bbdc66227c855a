import { expect, it, vi } from "vitest";
import { goOn, play } from "./go-on.ts";

const refusing = (name: string) => ({
  ended: false,
  play: () => Promise.reject(new DOMException("no", name)),
});

it("plays on what was paused, and leaves what has ended", async () => {
  const begin = vi.fn(() => Promise.resolve());
  await goOn({ ended: true, play: begin });
  expect(begin).not.toHaveBeenCalled();
  await goOn({ ended: false, play: begin });
  expect(begin).toHaveBeenCalledOnce();
});

it("takes a pause before it has begun for no failure", async () => {
  await expect(goOn(refusing("AbortError"))).resolves.toBeUndefined();
  await expect(play(refusing("AbortError"))).resolves.toBeUndefined();
});

it("tells what the browser refuses", async () => {
  await expect(goOn(refusing("NotAllowedError"))).rejects.toThrow("no");
  await expect(play(refusing("NotSupportedError"))).rejects.toThrow("no");
});
