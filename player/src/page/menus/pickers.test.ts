import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ServerConfig } from "../../options/server-config.ts";
import type { Choices } from "../query/choices.ts";
import { SAMPLE_CONFIG } from "../testing/sample-config.ts";
import { openSamplePage } from "../testing/sample-page.ts";
import { offerChoices } from "./pickers.ts";

const entry = { family: "Receiver-driven", summary: "", policy: null };
const config: ServerConfig = {
  ...SAMPLE_CONFIG,
  schemes: [
    { ...entry, name: "kuafu", title: "Kuafu", control: "receiver", reads: ["target_delay_ms"] },
    { ...entry, name: "drwa", title: "DRWA", control: "receiver", reads: [] },
    { ...entry, name: "cubic", title: "CUBIC", control: "sender", reads: [] },
  ],
};
const CHOSEN = {
  ...{ scheme: "kuafu", preset: "on-demand", rule: "nuwa", estimator: "receiver" },
  ...{ k: null, targetDelayMs: null, transport: "webtransport" },
} as Choices;

let onChange: ReturnType<typeof vi.fn<(changes: Partial<Choices>) => void>>;

const select = (id: string) => document.getElementById(id) as HTMLSelectElement;
const said = (id: string) => document.getElementById(`${id}-summary`)?.textContent;

function pick(id: string, value: string): void {
  select(id).value = value;
  select(id).dispatchEvent(new window.Event("change") as unknown as Event);
}

let window: ReturnType<typeof openSamplePage>;

beforeEach(() => {
  vi.useFakeTimers();
  window = openSamplePage("index.html");
  onChange = vi.fn();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("takes what the viewer comes to rest at, however many choices lie on the way", () => {
  offerChoices({ config, chosen: CHOSEN, onChange });
  pick("scheme", "drwa");
  vi.advanceTimersByTime(250);
  pick("scheme", "cubic");
  vi.advanceTimersByTime(250);
  expect(onChange).not.toHaveBeenCalled();
  vi.advanceTimersByTime(50);
  expect(onChange.mock.calls).toEqual([[{ scheme: "cubic" }]]);
});

it("marks the sentence why a menu cannot be opened, which small screens show, too", () => {
  offerChoices({ config, chosen: { ...CHOSEN, transport: "http" }, onChange });
  const note = document.getElementById("scheme-summary");
  expect([note?.textContent, note?.className]).toEqual([
    "Over HTTP none of these controls congestion.",
    "impediment",
  ]);
});

it("has the schemes that are worth a first comparison at the top", () => {
  offerChoices({ config: { ...config, schemes: config.schemes.toReversed() }, chosen: CHOSEN, onChange });
  const groups = [...select("scheme").querySelectorAll("optgroup")].map(({ label, children }) => [
    label,
    [...children].map(({ textContent }) => textContent),
  ]);
  expect(groups).toEqual([
    ["Try these first", ["Kuafu", "CUBIC"]],
    ["Receiver-driven", ["DRWA"]],
  ]);
});

it("offers the presets of the scheme that is shown", () => {
  offerChoices({ config, chosen: { ...CHOSEN, targetDelayMs: 25 }, onChange });
  expect(select("preset").selectedOptions[0]?.text).toBe("Own, 25 ms");
  pick("preset", "live");
  expect([...select("preset").options].map(({ text }) => text)).not.toContain("Own, 25 ms");
  pick("scheme", "drwa");
  expect([select("preset").disabled, said("preset")]).toEqual([true, "DRWA has no target delay to choose."]);
  pick("scheme", "kuafu");
  expect([select("preset").disabled, select("preset").value]).toEqual([false, "live"]);
  vi.runAllTimers();
  expect(onChange.mock.calls).toEqual([[{ preset: "live", k: null, targetDelayMs: null, scheme: "kuafu" }]]);
});

it("offers over HTTP what HTTP leaves to choose, and says why not more", () => {
  offerChoices({ config, chosen: { ...CHOSEN, transport: "http", estimator: "dashjs" }, onChange });
  const isDisabled = ["scheme", "preset", "rule", "estimator"].map((id) => select(id).disabled);
  expect(isDisabled).toEqual([true, true, false, true]);
  expect(said("scheme")).toBe("Over HTTP none of these controls congestion.");
  expect([select("estimator").value, said("estimator")]).toEqual([
    "dashjs",
    "Over HTTP no receiver measures the network.",
  ]);
  expect(document.getElementById("scheme-search")?.hidden).toBe(true);
});
