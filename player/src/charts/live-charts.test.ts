import { Window } from "happy-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChartHistory } from "./chart-history.ts";
import { LiveCharts } from "./live-charts.ts";
import type { ChartSpec } from "./spec.ts";

const SPEC: ChartSpec<"buffer"> = {
  ...{ name: "buffer", title: "Buffer", unit: "s", leastTop: 40 },
  series: [{ column: "buffer", label: "ahead", colour: "--series-a", shape: "line", digits: 0 }],
};

let isHidden: boolean;
let history: ChartHistory<"buffer">;
let charts: LiveCharts<"buffer">;
let see: () => void;
let hold: () => void;

class SightObserver {
  readonly #tell: (entries: object[]) => void;

  constructor(tell: (entries: object[]) => void) {
    this.#tell = tell;
  }

  observe(target: Element): void {
    see = () => this.#tell([{ target, isIntersecting: true }]);
  }
}

/** The value that the legend tells. */
const told = (): string | undefined => document.querySelector("output")?.textContent;

beforeEach(() => {
  const { document } = new Window();
  isHidden = false;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  vi.stubGlobal("document", document);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
    },
  );
  vi.stubGlobal("IntersectionObserver", SightObserver);
  document.write('<div id="charts"></div><button></button><input type="range" min="-60" max="0" value="0">');
  const pause = document.querySelector("button") as unknown as HTMLButtonElement;
  hold = () => pause.click();
  history = new ChartHistory(["buffer"]);
  charts = new LiveCharts({
    root: document.querySelector("#charts") as unknown as HTMLElement,
    specs: [SPEC],
    history,
    bands: () => [],
    marks: () => [],
    controls: { span: null, pause, reading: document.querySelector("input") as unknown as HTMLInputElement },
    summaryId: "summary",
  });
  see();
});

afterEach(() => vi.unstubAllGlobals());

/** As a page does, hidden or not. */
function sample(atSeconds: number, buffer: number, isStanding = false): void {
  history.add(atSeconds, { buffer });
  charts.stand(isStanding, atSeconds);
  if (!isHidden) {
    charts.draw(atSeconds);
  }
}

it("shows what a film came to that came to stand while nobody looked", () => {
  sample(1, 10);
  isHidden = true;
  sample(2, 20);
  sample(3, 30, true);
  sample(4, 31, true);
  isHidden = false;
  sample(5, 32, true);
  expect(told()).toBe("30");
  sample(6, 33, true);
  expect(told()).toBe("30");
  sample(7, 34);
  expect(told()).toBe("34");
});

it("shows where a film stands once the viewer no longer holds the charts", () => {
  sample(1, 10);
  hold();
  sample(2, 20);
  sample(3, 30, true);
  expect(told()).toBe("10");
  hold();
  sample(4, 31, true);
  expect(told()).toBe("30");
});
