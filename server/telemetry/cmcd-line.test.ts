import { type Cmcd, CmcdEventType, decodeCmcd, encodeCmcd } from "@svta/cml-cmcd";
import { expect, test, vi } from "vitest";
import { decodeCmcdLine, LONGEST_LINE_CHARACTERS } from "./cmcd-line.ts";

const SID = "0b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11";
const SENT = `e=t,sid="${SID}",sn=0,ts=1700000000000,v=2`;
/** What a signed URL of a large CDN takes. */
const LONG_URL = `https://films.example/seg-1.m4s?signature=${"x".repeat(1950)}`;

const WHOLE: Cmcd = {
  ...{
    sid: SID,
    cid: "c".repeat(128),
    cdn: "d".repeat(128),
    h: "h".repeat(128),
    v: 2,
    sn: 7,
    st: "ll",
    sf: "d",
  },
  ...{ ab: [3000], bl: [8000], br: [3000], bsa: [1], bsd: [200], bsda: [400], lab: [100], lb: [800] },
  ...{ mtp: [12300], pb: [3000], tab: [6000], tb: [6000], tbl: [20000], tpb: [6000] },
  ...{
    cs: "s",
    d: 2002,
    dfa: 3,
    dl: 8000,
    ltc: 3000,
    msd: 900,
    nr: true,
    ot: "av",
    pr: 1.04,
    pt: 4000,
    rtp: 9000,
  },
  ...{
    bg: true,
    bs: true,
    su: true,
    sta: "p",
    ec: ["404"],
    nor: ["seg-2.m4s"],
    "com.example-who": "w".repeat(64),
  },
};
const OF_RESPONSES: Cmcd = {
  ...{ url: LONG_URL, rc: 200, ttfb: 20, ttfbb: 21, ttlb: 90, cmsdd: "etp=5000", cmsds: "ot=v", smrt: "x" },
};

test.each(Object.values(CmcdEventType))("an event %s with every key is read as the library does", (e) => {
  const told: Cmcd = { ...WHOLE, e, ts: 1_700_000_000_000, ...(e === "ce" ? { cen: "own" } : {}) };
  const line = encodeCmcd(
    { ...told, ...(e === "rr" ? OF_RESPONSES : {}) },
    { version: 2, reportingMode: "event" },
  );
  expect(line).toContain(`e=${e}`);
  expect(decodeCmcdLine(line, 1)).toEqual(decodeCmcd(line));
});

test("items of audio and video, and a token of an own key", () => {
  const line = `bl=(7900;v 4000;a),com.example-plan=free,${SENT}`;
  expect(decodeCmcdLine(line, 1)).toMatchObject({
    bl: [
      { value: 7900, params: { v: true } },
      { value: 4000, params: { a: true } },
    ],
    "com.example-plan": "free",
    e: "t",
  });
});

test.each([
  ["an own key's token", `com.example-a=never-seen-1,${SENT}`],
  ["an unknown key's", `zz=never-seen-2,${SENT}`],
  ["an unknown event", SENT.replace("e=t", "e=never-seen-3")],
  ["a list's, and a parameter's", `bl=(never-seen-4 8000;v=never-seen-5),${SENT}`],
  ["that of a line that breaks off", `com.example-a=never-seen-6,bl=(8000;v`],
])("no symbol is kept of %s", (_what, line) => {
  const kept = vi.spyOn(Symbol, "for");
  try {
    decodeCmcdLine(line, 1);
  } catch {
    // refused or not
  }
  expect(kept.mock.calls.filter(([name]) => name.startsWith("never-seen"))).toEqual([]);
  kept.mockRestore();
});

test("stacks are again what they were", () => {
  const before = Error.stackTraceLimit;
  decodeCmcdLine(SENT, 1);
  expect(() => decodeCmcdLine("{}", 3)).toThrow("line 3 is no dictionary of structured fields");
  expect(Error.stackTraceLimit).toBe(before);
  expect(before).toBeGreaterThan(0);
});

test("a longer line is refused before it is decoded", () => {
  const lineOf = (characters: number) => `${SENT},nor=("${"x".repeat(characters - SENT.length - 9)}")`;
  expect(decodeCmcdLine(lineOf(LONGEST_LINE_CHARACTERS), 1)).toMatchObject({ sid: SID });
  expect(() => decodeCmcdLine(lineOf(LONGEST_LINE_CHARACTERS + 1), 2)).toThrow(
    "line 2 is longer than 4096 characters",
  );
});
