import { expect, it } from "vitest";
import { readLink, toldMistakes } from "./query-mistakes.ts";
import { STEPS } from "./sample-link.ts";

const read = (query: string) => readLink(new URLSearchParams(query), STEPS);

it("asks for a link without the numbers that none can have, and says which", async () => {
  const found = await read("link=lte-like&link_delay_ms=99999&link_queue_packets=100");
  expect(found.result).toEqual({ name: "lte-like", queuePackets: 100 });
  expect(toldMistakes(found)).toBe("link_delay_ms must be a number from 0 to 10000, not 99999.");
});

it("asks for nothing where the link is there without them", async () => {
  expect((await read("link=steps&link_loss_percent=x")).result).toBeNull();
});

it("has nothing to say of a query without mistakes", async () => {
  const found = await read("link=lte-like&link_delay_ms=5");
  expect(found.result).toEqual({ name: "lte-like", delayMs: 5 });
  expect(toldMistakes(found)).toBeNull();
});
