import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RefusedSession } from "../../../session/session-errors.ts";
import { Notice } from "../../dom/notice.ts";
import { openSamplePage } from "../../testing/sample-page.ts";
import { SideNotices } from "./side-notices.ts";

let notice: Notice;
let notices: SideNotices;
const dismiss = () => document.querySelector<HTMLElement>("#notice .dismiss")?.click();

beforeEach(() => {
  openSamplePage("index.html");
  notice = new Notice(document.getElementById("notice") as HTMLElement);
  notices = new SideNotices(notice, 0);
  notices.mediaServer = { url: "https://film.example:4433", certificateHashes: ["q83v"] };
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("takes UDP for blocked where the first session was never answered, and says no more of it", () => {
  notices.onPath({ kind: "http", reason: "no session was open within 3 s" }, "webtransport", "opening");
  expect(notice.text).toMatch("film.example:4433 does not answer over UDP");
  notices.onSession({ kind: "lost", error: new Error("Nothing came.") });
  expect(notice.text).toMatch("film.example:4433 does not answer over UDP");
});

it("does not once a session was open, or was refused", () => {
  notices.onPath({ kind: "http", reason: "it is full" }, "webtransport", "lost");
  expect(notice.text).toBe("It is full; the film comes over HTTP.");
  notices.onSession({ kind: "open" });
  notices.onPath({ kind: "webtransport", reason: null }, "webtransport", "open");
  expect(notice.text).toBeNull();
  notices.onPath({ kind: "http", reason: "it broke off" }, "webtransport", "opening");
  expect(notice.text).toBe("It broke off; the film comes over HTTP.");
});

it("leaves what was dismissed where each try says it again, until it is over", () => {
  const lost = { kind: "lost", error: new Error("It broke off.") } as const;
  notices.onSession(lost);
  dismiss();
  notices.onSession(lost);
  expect(notice.text).toBeNull();
  notices.onSession({ kind: "open" });
  notices.onSession(lost);
  expect(notice.text).toBe("It broke off; trying again.");
});

it("says of a refused session once that the film comes over HTTP, which can be dismissed", () => {
  const error = new RefusedSession(1, "Unknown scheme bbr.");
  const reason = "the media server refuses the session: Unknown scheme bbr";
  notices.onPath({ kind: "http", reason: "no session was open within 3 s" }, "webtransport", "opening");
  notices.onPath({ kind: "http", reason }, "webtransport", "opening");
  notices.onSession({ kind: "refused", error });
  expect(notice.text).toBe(
    "The media server refuses the session: Unknown scheme bbr; the film comes over HTTP.",
  );
  dismiss();
  expect(notice.text).toBeNull();
});

it("says of a film that fails over HTTP, too, what the media server refused, until something else is chosen", () => {
  notices.onSession({ kind: "refused", error: new RefusedSession(1, "Unknown scheme bbr.") });
  notices.showFailure("The film broke off.", null);
  dismiss();
  expect(notice.text).toBe("The media server refuses the session: Unknown scheme bbr.");
  notices.clearFailure();
  notices.onSession(null);
  notices.showFailure("The film broke off.", null);
  expect(notice.text).toBe("The film broke off.");
});

it("does not say that another session is tried where none is wanted any more", () => {
  notices.onSession({ kind: "lost", error: new Error("It broke off.") });
  notices.onSession(null);
  expect(notice.text).toBeNull();
});

it("says nothing of HTTP that was chosen", () => {
  notices.onPath({ kind: "http", reason: "no media server is given" }, "http", null);
  expect(notice.text).toBeNull();
});

it("says of a session that is lost that another is tried, until it is open", () => {
  notices.onSession({ kind: "lost", error: new Error("The session broke off.") });
  expect(notice.text).toBe("The session broke off; trying again.");
  notices.onSession({ kind: "open" });
  expect(notice.text).toBeNull();
});

it("says once that a live film's encoder brings nothing, which can be dismissed, until more comes", () => {
  notices.onEncoder(true);
  expect(notice.text).toMatch(/^Nothing new of this live film comes: its encoder may have stopped\./);
  dismiss();
  notices.onEncoder(true);
  expect(notice.text).toBeNull();
  notices.onEncoder(false);
  notices.onEncoder(true);
  expect(notice.text).not.toBeNull();
});
