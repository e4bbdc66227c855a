import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { tellReports } from "./reports-note.ts";

beforeEach(() => {
  vi.stubGlobal("location", { search: "?scheme=cubic" });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const element = (id: string) => document.getElementById(id) as HTMLAnchorElement;

it("names the visit that is reported, and leads to the page that reports nothing", () => {
  openSamplePage("compare.html");
  tellReports({ takesTelemetry: true }, ["a", "b"]);
  expect(element("reports-text").textContent).toContain("(visits a and b)");
  expect(element("reports-off").search).toBe("?scheme=cubic&telemetry=0");
  expect([element("reports").hidden, element("reports-what").hidden]).toEqual([false, false]);
});

it("says that nothing is reported where the viewer wants that", () => {
  openSamplePage("index.html");
  tellReports({ takesTelemetry: true }, [null]);
  expect(element("reports-text").textContent).toBe("This page reports nothing, as you asked.");
  expect(element("reports-off").hidden).toBe(true);
});

it("says nothing where the server takes no reports", () => {
  openSamplePage("index.html");
  tellReports({ takesTelemetry: false }, [null]);
  expect(element("reports").hidden).toBe(true);
});
