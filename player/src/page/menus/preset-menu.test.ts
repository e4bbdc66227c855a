import { expect, it } from "vitest";
import registry from "../../../../cc/receiver/presets.json";
import type { SchemeName } from "../../options/names.ts";
import type { PresetEntry, SchemeEntry } from "../../options/server-config.ts";
import { offeredPresets } from "./preset-menu.ts";

const SCHEMES = [
  {
    ...{ name: "nuwa", title: "Nuwa", control: "receiver" },
    reads: ["target_delay_ms", "rho_ms", "k", "catches_up", "follows_need", "as_in_paper"],
  },
  { name: "kuafu", title: "Kuafu", control: "receiver", reads: ["target_delay_ms", "follows_need"] },
  { name: "drwa", title: "DRWA", control: "receiver", reads: [] },
  { name: "cubic", title: "CUBIC", control: "sender", reads: [] },
] as unknown as readonly SchemeEntry[];
const config = { schemes: SCHEMES, presets: registry as unknown as readonly PresetEntry[] };

const offered = (scheme: SchemeName, more: Partial<Parameters<typeof offeredPresets>[0]> = {}) =>
  offeredPresets({ scheme, preset: "on-demand", k: null, targetDelayMs: null, ...more }, config);
const names = (scheme: SchemeName) => offered(scheme).entries.map(({ name }) => name);

it("offers what the scheme tells apart", () => {
  expect(names("nuwa")).toEqual(registry.map(({ name }) => name));
  expect(names("kuafu")).toEqual(["on-demand", "film", "live", "interactive", "bulk", "compete"]);
});

it("shows a preset as the one that is the same to the scheme", () => {
  expect(offered("kuafu", { preset: "paper" }).chosen).toBe("bulk");
  expect(offered("nuwa", { preset: "paper" }).chosen).toBe("paper");
});

it("says why there is nothing to choose", () => {
  expect(offered("drwa").impediment).toBe("DRWA has no target delay to choose.");
  expect(offered("cubic").impediment).toBe("Used by receiver-driven schemes only.");
  expect(offered("cubic").entries.map(({ title }) => title)).toEqual(["On demand"]);
});

it("shows the numbers of the address, where the scheme reads them", () => {
  const { entries, chosen } = offered("kuafu", { targetDelayMs: 25, k: 3 });
  expect(entries.find(({ name }) => name === chosen)).toMatchObject({
    title: "Own, 25 ms",
    summary: "As On demand, with the numbers that the address asks for.",
  });
  expect(offered("nuwa", { k: 3 }).entries[0]?.title).toBe("Own, 60 ms, k 3");
  expect(offered("kuafu", { k: 3 }).chosen).toBe("on-demand");
  expect(offered("kuafu", { targetDelayMs: 30 }).chosen).toBe("live");
});
