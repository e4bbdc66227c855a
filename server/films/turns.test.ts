import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const LIMITS = { atOnce: 4, waiting: 6, atOncePerAddress: 2, waitingPerAddress: 3 };

/** Notes who begins, in order, and who is refused. */
function turns(limits = LIMITS) {
  const all = new Turns(limits);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = async (address: string, ...names: readonly string[]) => {
    for (const name of names)
      all.take(address).then(
        (end) => {
          begun.push(name);
          ends.set(name, end);
        },
        () => refused.push(name),
      );
    await settled();
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { ask, end, begun, refused };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("an address has some at a time, and some that wait", async () => {
  const { ask, end, begun, refused } = turns();
  await ask("192.0.2.1", "a1", "a2", "a3", "a4", "a5", "a6");
  expect([begun, refused]).toEqual([["a1", "a2"], ["a6"]]);
  await end("a2");
  expect(begun).toEqual(["a1", "a2", "a3"]);
  await ask("192.0.2.1", "a7");
  expect(refused).toEqual(["a6"]);
});

test("addresses of one /64 count as one, this machine's own have all", async () => {
  const { ask, begun } = turns();
  await ask("2001:db8::1", "v1", "v2");
  await ask("2001:db8::2", "v3");
  expect(begun).toEqual(["v1", "v2"]);
  const own = turns();
  await own.ask("::ffff:127.0.0.1", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "o10", "o11");
  expect([own.begun, own.refused]).toEqual([["o1", "o2", "o3", "o4"], ["o11"]]);
});

test("a free turn goes to the address that has fewest, in their order", async () => {
  const { ask, end, begun } = turns();
  await ask("192.0.2.1", "a1", "a2", "a3", "a4");
  await ask("192.0.2.2", "b1", "b2", "b3");
  await ask("192.0.2.3", "c1");
  await ask("192.0.2.4", "d1");
  expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
  for (const name of ["a1", "a2", "b1", "b2"]) await end(name);
  expect(begun.slice(4)).toEqual(["c1", "a3", "d1", "b3"]);
});

test("where no place is left to wait, the newest of the address leaves that has most", async () => {
  const { ask, end, begun, refused } = turns();
  await ask("192.0.2.1", "a1", "a2", "a3", "a4", "a5");
  await ask("192.0.2.2", "b1", "b2", "b3", "b4", "b5");
  await ask("192.0.2.3", "c1", "c2", "c3");
  expect([begun, refused]).toEqual([
    ["a1", "a2", "b1", "b2"],
    ["a5", "b5", "c3"],
  ]);
  for (const name of ["a1", "b1", "c1"]) await end(name);
  expect(begun.slice(4)).toEqual(["c1", "a3", "c2"]);
});
