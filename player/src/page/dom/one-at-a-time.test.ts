import { expect, it, vi } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

it("does nothing while the work is under way, and all of it again afterwards, also after a failure", async () => {
  let fail: (reason: Error) => void = () => undefined;
  const work = vi.fn(
    () =>
      new Promise<void>((_resolve, reject) => {
        fail = reject;
      }),
  );
  const act = oneAtATime(work);
  const first = act();
  await act();
  expect(work).toHaveBeenCalledTimes(1);
  fail(new Error("nobody answers"));
  await expect(first).rejects.toThrow("nobody answers");
  void act();
  expect(work).toHaveBeenCalledTimes(2);
});
