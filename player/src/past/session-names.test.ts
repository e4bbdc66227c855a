import { expect, it } from "vitest";
import { SessionNames } from "./session-names.ts";

const SCHEME = { control: "sender", family: "loss", summary: "", policy: null, reads: [] } as const;
const names = new SessionNames({
  schemes: [
    { ...SCHEME, name: "nuwa", title: "Nuwa" },
    { ...SCHEME, name: "cubic", title: "CUBIC" },
  ],
  schemesNotOffered: [{ name: "bbr3", title: "BBR v3" }],
  presets: [{ name: "low-latency", title: "Low latency" }],
});

it("names sessions as the menus do, and one of unknown choices by its own words", () => {
  expect(names.session({ scheme: "nuwa", rule: "dynamic" })).toBe("Nuwa, dash.js dynamic");
  expect(names.session({ scheme: "bbr3", rule: null })).toBe("BBR v3");
  expect(names.session({ scheme: "of-yesterday", rule: null })).toBe("of-yesterday");
  expect(names.session({ scheme: null, rule: null })).toBe("unnamed");
});

it("names what was chosen anew as the live charts do", () => {
  const same = { scheme: null, preset: null, rule: null, estimator: null };
  expect(names.change({ ...same, scheme: "cubic" })).toBe("CUBIC");
  expect(names.change({ ...same, rule: "dynamic" })).toBe("dash.js dynamic");
  expect(names.change({ ...same, preset: "low-latency", estimator: "dashjs" })).toBe(
    "Low latency, dash.js’s estimate",
  );
  expect(names.change(same)).toBe("other settings");
});

it("calls two by their schemes where these differ", () => {
  const nuwa = { scheme: "nuwa", rule: "dynamic" };
  expect(names.pair(nuwa, { ...nuwa, scheme: "cubic" })).toEqual({ left: "Nuwa", right: "CUBIC" });
  expect(names.pair(nuwa, { ...nuwa, rule: "bola" })).toEqual({
    left: "Nuwa, dash.js dynamic",
    right: "Nuwa, BOLA",
  });
  expect(names.pair(null, nuwa)).toEqual({ left: "none", right: "Nuwa, dash.js dynamic" });
});

it("tells two of the same choices apart by their sides", () => {
  const nuwa = { scheme: "nuwa", rule: "dynamic" };
  expect(names.pair(nuwa, { ...nuwa })).toEqual({
    left: "Nuwa, dash.js dynamic, left",
    right: "Nuwa, dash.js dynamic, right",
  });
});
