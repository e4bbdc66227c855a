import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { tellReports } from "./reports-note.ts";

beforeEach(() => {
  vi.stubGlobal("location", { search: "?scheme=cubic" });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const COLLECTOR = "https://reports.example/cmcd";
const reporting = (sid: string | null, cmcdCollector: string | null = null) => ({ sid, cmcdCollector });
const element = (id: string) => document.getElementById(id) as HTMLAnchorElement;

it("names the visit that is reported, and leads to the page that reports nothing", () => {
  openSamplePage("compare.html");
  tellReports({ takesTelemetry: true, cmcdCollector: null }, [reporting("a"), reporting("b")]);
  expect(element("reports-text").textContent).toContain("(visits a and b)");
  expect(element("reports-off").search).toBe("?scheme=cubic&telemetry=0");
  expect([element("reports").hidden, element("reports-what").hidden]).toEqual([false, false]);
});

it("says that nothing is reported where the viewer wants that", () => {
  openSamplePage("index.html");
  tellReports({ takesTelemetry: true, cmcdCollector: COLLECTOR }, [reporting(null)]);
  expect(element("reports-text").textContent).toBe("This page reports nothing, as you asked.");
  expect(element("reports-off").hidden).toBe(true);
});

it("says nothing where nobody takes reports", () => {
  openSamplePage("index.html");
  tellReports({ takesTelemetry: false, cmcdCollector: null }, [reporting(null)]);
  expect(element("reports").hidden).toBe(true);
});

it("names the collector beside the server", () => {
  openSamplePage("index.html");
  tellReports({ takesTelemetry: true, cmcdCollector: COLLECTOR }, [reporting("a", COLLECTOR)]);
  expect(element("reports-text").textContent).toBe(
    "This page reports how the film plays to its server (visit a), and by CMCD to reports.example.",
  );
});

it("names a collector that alone takes reports, and promises nothing of it", () => {
  openSamplePage("index.html");
  tellReports({ takesTelemetry: false, cmcdCollector: COLLECTOR }, [reporting(null, COLLECTOR)]);
  expect(element("reports-text").textContent).toBe(
    "This page reports how the film plays by CMCD to reports.example.",
  );
  const [isNoteHidden, isOffHidden] = [element("reports").hidden, element("reports-off").hidden];
  expect([isNoteHidden, isOffHidden, element("reports-what").hidden]).toEqual([false, false, true]);
});
