import { expect, test } from "vitest";
import { atOnce } from "./at-once.ts";

test("so many at a time, in order, each once", async () => {
  const begun: number[] = [];
  let open = 0;
  let most = 0;
  await atOnce(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    begun.push(item);
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
  });
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test("what has begun when it is stopped comes to its end, and nothing begins after it", async () => {
  const stop = new AbortController();
  const ended: number[] = [];
  const use = async (item: number) => {
    if (item === 2) stop.abort();
    await Promise.resolve();
    ended.push(item);
  };
  await atOnce(2, [1, 2, 3, 4], use, stop.signal);
  expect(ended).toEqual([1, 2]);
});
