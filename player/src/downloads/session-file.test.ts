import { expect, it } from "vitest";
import { type Session, sessionFile } from "./session-file.ts";
import type { SessionMoment } from "./session-moment.ts";
import { SessionRows } from "./session-rows.ts";

const session: Session = {
  address: "http://localhost/?scheme=nuwa",
  title: "Sea",
  userAgent: "Test",
  snapshot: {
    atMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    choices: { scheme: "nuwa", preset: "live" },
  } as SessionMoment,
  records: {
    stamps: [],
    switches: [],
    stalls: [{ startedAtMs: 1, durationMs: 2 }],
  },
  rows: new SessionRows(),
};

it("names files by their moment", () => {
  expect(sessionFile("csv", session).name).toBe("nuwa-stream-2026-01-02-03-04-05.csv");
  expect(sessionFile("csv", { ...session, side: "left" }).name).toBe(
    "nuwa-stream-2026-01-02-03-04-05-left.csv",
  );
  expect(sessionFile("qlog", session).name).toMatch(/\.sqlog$/);
});

it("writes all into JSON, and the title into qlog", () => {
  expect(JSON.parse(sessionFile("json", session).text)).toMatchObject({
    format: "nuwa-stream session 1",
    film: "Sea",
    stalls: [{ durationMs: 2 }],
  });
  expect(sessionFile("qlog", session).text).toMatch('"title":"nuwa, live: Sea"');
});
