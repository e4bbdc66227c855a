import { Window } from "happy-dom";
import { expect, it } from "vitest";
import { ChartControls } from "./chart-controls.ts";
import { AGES, ELAPSED } from "./scale.ts";

function openControls(timeAxis: typeof AGES) {
  const window = new Window();
  const { document } = window;
  document.write(
    '<select><option value="60"></option><option value="300"></option></select><input type="range" min="-60" max="0" value="0">',
  );
  const span = document.querySelector("select") as unknown as HTMLSelectElement;
  const reading = document.querySelector("input") as unknown as HTMLInputElement;
  const done: string[] = [];
  const controls: ChartControls = new ChartControls({ span, pause: null, reading }, timeAxis, {
    redraw: () => done.push("redraw"),
    pause: () => undefined,
    read: () => done.push(`read ${controls.ageSeconds}`),
  });
  const happen = (element: Element, type: string): void => {
    element.dispatchEvent(new window.Event(type) as unknown as Event);
  };
  const said = () => reading.getAttribute("aria-valuetext");
  return { controls, span, reading, done, happen, said };
}

it("says the end of what is over, as soon as it is known", () => {
  const { controls, said } = openControls(ELAPSED);
  controls.read(null);
  controls.reach(67, 67);
  expect(said()).toBe("1:07");
});

it("says the moment that is read, also where there is another end", () => {
  const { controls, reading, happen, said } = openControls(ELAPSED);
  controls.reach(67, 67);
  reading.value = "-5";
  happen(reading, "input");
  expect(said()).toBe("1:02");
  controls.reach(80, 80);
  expect(said()).toBe("1:15");
});

it("reads the newest once another span is shown, before it is drawn", () => {
  const { controls, span, done, happen, said } = openControls(AGES);
  controls.reach(100, 60);
  controls.read(5);
  span.value = "300";
  happen(span, "change");
  expect(done).toEqual(["read null", "redraw"]);
  expect(said()).toBe("now");
});
