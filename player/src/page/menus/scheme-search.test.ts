import { afterEach, describe, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { byFamily, firstFound, matching, searchSchemes } from "./scheme-search.ts";

const SCHEMES = [
  { name: "cubic", title: "CUBIC", family: "Loss-based", summary: "Follows a cubic curve." },
  { name: "vegas", title: "Vegas", family: "Delay-based", summary: "Two to four packets in the queue." },
  { name: "hybla", title: "Hybla", family: "Loss-based", summary: "For long round trips." },
] as const;

const names = (text: string) => matching(SCHEMES, text).map(({ name }) => name);

describe("matching", () => {
  it("finds by name, title, family and summary, whatever the case", () => {
    expect(names("VEGAS")).toEqual(["vegas"]);
    expect(names("loss-based")).toEqual(["cubic", "hybla"]);
    expect(names("round trips")).toEqual(["hybla"]);
  });

  it("wants every word, and finds all without any", () => {
    expect(names("loss curve")).toEqual(["cubic"]);
    expect(names("loss queue")).toEqual([]);
    expect(names("  ")).toHaveLength(3);
  });
});

it("takes the first that was found, and none that nobody looked for", () => {
  expect(firstFound(SCHEMES, "queue")?.name).toBe("vegas");
  expect(firstFound(SCHEMES, " ")).toBeNull();
  expect(firstFound(SCHEMES, "nothing")).toBeNull();
});

it("puts families together, in the order in which they come first", () => {
  const families = [...byFamily(SCHEMES)].map(([family, members]) => [
    family,
    members.map(({ name }) => name),
  ]);
  expect(families).toEqual([
    ["Loss-based", ["cubic", "hybla"]],
    ["Delay-based", ["vegas"]],
  ]);
});

describe("the dialog", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("tells a screen reader how many there are, and does not read all of them out with each key", () => {
    const window = openSamplePage("index.html");
    searchSchemes(SCHEMES, "cubic", () => undefined);
    const search = document.querySelector<HTMLInputElement>("dialog input");
    const told = () => document.querySelector("dialog [role=status]")?.textContent;
    const type = (text: string) => {
      Object.assign(search ?? {}, { value: text });
      search?.dispatchEvent(new window.Event("input") as unknown as Event);
    };
    expect([told(), document.querySelector("dialog [aria-live]")]).toEqual(["3 schemes found.", null]);
    type("queue");
    expect(told()).toBe("1 scheme found.");
    type("nothing");
    expect(told()).toBe("No schemes found.");
  });

  it("is at its beginning, which Enter takes, once something is typed", () => {
    const window = openSamplePage("index.html");
    searchSchemes(SCHEMES, "hybla", () => undefined);
    const list = document.querySelector<HTMLElement>("dialog .schemes");
    const search = document.querySelector<HTMLInputElement>("dialog input");
    expect(document.activeElement).toBe(search);
    Object.assign(list ?? {}, { scrollTop: 2000 });
    search?.dispatchEvent(new window.Event("input") as unknown as Event);
    expect(list?.scrollTop).toBe(0);
  });
});
