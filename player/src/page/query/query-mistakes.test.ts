import { expect, it } from "vitest";
import { LINK_LIMITS } from "../../../../server/link/link-limits.ts";
import { SAMPLE_CONFIG } from "../testing/sample-config.ts";
import { STEPS } from "../testing/sample-link.ts";
import { readLink, readQuery, readShared, toldMistakes } from "./query-mistakes.ts";

const read = (query: string) =>
  readLink(new URLSearchParams(query), { link: STEPS, linkLimits: LINK_LIMITS });

it("asks for a link without the numbers that none can have, and says which", async () => {
  const found = await read("link=lte-like&link_delay_ms=5000&link_queue_packets=100");
  expect(found.result).toEqual({ name: "lte-like", queuePackets: 100 });
  expect(toldMistakes(found)).toBe("link_delay_ms must be a number from 0 to 1000, not 5000.");
});

it("asks for nothing where the link is there without them", async () => {
  expect((await read("link=steps&link_loss_percent=x")).result).toBeNull();
});

it.each([
  ["link_queue_packets=20001", "link_queue_packets must be a whole number from 1 to 20000, not 20001."],
  ["link_queue_packets=1.5", "link_queue_packets must be a whole number from 1 to 20000, not 1.5."],
  ["link_loss_percent=51", "link_loss_percent must be a number from 0 to 50, not 51."],
])("refuses of %s what the server would", async (number, sentence) => {
  expect(toldMistakes(await read(`link=lte-like&${number}`))).toBe(sentence);
});

it("has nothing to say of a query without mistakes", async () => {
  const found = await read("link=lte-like&link_delay_ms=5");
  expect(found.result).toEqual({ name: "lte-like", delayMs: 5 });
  expect(toldMistakes(found)).toBeNull();
});

it.each(["charts", "telemetry", "autoplay", "muted"])(
  "tells of a %s that is neither 0 nor 1, on both pages",
  async (name) => {
    const query = new URLSearchParams({ [name]: "off" });
    const sentence = `${name} must be 0 or 1, not off.`;
    expect(toldMistakes(await readQuery(query, SAMPLE_CONFIG))).toBe(sentence);
    expect(toldMistakes(await readShared(query))).toBe(sentence);
  },
);
