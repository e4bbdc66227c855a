import { expect, it } from "vitest";
import type { LinkState } from "../../options/server-config.ts";
import type { Choices } from "./choices.ts";
import { type Settings, shareLink } from "./share-link.ts";
import { NO_WISHES } from "./wishes.ts";

const settings = {
  choices: {
    scheme: "nuwa",
    preset: "live",
    rule: "bola",
    estimator: "receiver",
    k: null,
    targetDelayMs: 50,
    bufferSeconds: null,
  } as unknown as Choices,
  wishes: { ...NO_WISHES, loops: true },
  link: { name: "steps", delayMs: 30, queuePackets: null, lossRatio: 0 } as LinkState,
  config: { film: { name: "sea" }, films: [{ name: "sea" }, { name: "land" }], links: [{}] },
} as unknown as Settings;

it("has every setting, and what else the address says", () => {
  const url = new URL(shareLink("http://localhost:8080/?scheme=cubic&charts=0#top", settings));
  expect(Object.fromEntries(url.searchParams)).toEqual({
    scheme: "nuwa",
    preset: "live",
    rule: "bola",
    estimator: "receiver",
    target_delay_ms: "50",
    loop: "1",
    film: "sea",
    link: "steps",
    link_delay_ms: "30",
    link_loss_percent: "0",
    charts: "0",
  });
  expect(url.hash).toBe("");
});

it("says nothing of links where none can be emulated", () => {
  const bare = { ...settings, link: null, config: { ...settings.config, links: [] } };
  expect(new URL(shareLink("http://localhost/", bare)).searchParams.has("link")).toBe(false);
});
