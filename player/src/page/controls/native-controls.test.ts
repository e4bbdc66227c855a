import { expect, it } from "vitest";
import { NativeControls } from "./native-controls.ts";

it("takes Tab to the film itself for the film, and further on for its controls", () => {
  const controls = new NativeControls();
  controls.onTab(false, false);
  expect(controls.haveFocus).toBe(false);
  controls.onTab(false, true);
  expect(controls.haveFocus).toBe(true);
});

it("takes Tab from what follows back to the film for its last control", () => {
  const controls = new NativeControls();
  controls.onTab(true, false);
  expect(controls.haveFocus).toBe(true);
});

it("takes whoever points at the film to the film itself", () => {
  const controls = new NativeControls();
  controls.onTab(false, true);
  controls.onPointer();
  expect(controls.haveFocus).toBe(false);
});
