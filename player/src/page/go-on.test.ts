import { expect, it, vi } from "vitest";
import { goOn } from "./go-on.ts";

it("plays on what was paused, and leaves what has ended", async () => {
  const play = vi.fn(() => Promise.resolve());
  await goOn({ ended: true, play });
  expect(play).not.toHaveBeenCalled();
  await goOn({ ended: false, play });
  expect(play).toHaveBeenCalledOnce();
});
