import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../page/testing/sample-page.ts";
import { SessionActions } from "./session-actions.ts";

const NAMES = { left: "none", right: "Nuwa" };
let answer: boolean;
let asked: RequestInit[];
let erased: string[];

const button = (side: string) => document.getElementById(`${side}-erase`) as HTMLButtonElement;

beforeEach(() => {
  openSamplePage("sessions.html");
  [asked, erased] = [[], []];
  vi.stubGlobal("fetch", (_url: string, request: RequestInit) => {
    asked.push(request);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  new SessionActions({
    sid: (side) => (side === "left" ? null : "a"),
    confirm: () => answer,
    onErased: (sid) => erased.push(sid),
    onFailure: (error) => {
      throw error;
    },
  }).show(NAMES);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("offers the file and the erasure of a session that is shown", () => {
  expect([button("left").hidden, button("right").hidden]).toEqual([true, false]);
  const csv = document.getElementById("right-csv") as HTMLAnchorElement;
  expect(csv.href).toMatch(/\/api\/telemetry\/sessions\/a\/events\.csv\?limit=\d+$/);
});

it("erases once the viewer has said so", async () => {
  answer = false;
  button("right").click();
  expect(asked).toEqual([]);
  answer = true;
  button("right").click();
  await vi.waitFor(() => expect(erased).toEqual(["a"]));
  expect(asked).toEqual([{ method: "DELETE", signal: expect.any(AbortSignal) }]);
});
