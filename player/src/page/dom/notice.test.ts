import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { Notice } from "./notice.ts";

const element = () => document.getElementById("notice") as HTMLElement;
const shown = () => (element().hidden ? null : element().textContent);
const dismissal = () => element().querySelector<HTMLElement>("[aria-label=Dismiss]");

let notice: Notice;
beforeEach(() => {
  openSamplePage("index.html");
  notice = new Notice(element());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("shows what else holds once its sentence was dismissed, and each again when it is said anew", () => {
  notice.show("It plays without sound.", "sound");
  notice.show("It comes over HTTP.", "path");
  dismissal()?.click();
  expect(shown()).toBe("It plays without sound.");
  dismissal()?.click();
  expect([shown(), notice.text]).toEqual([null, null]);
  notice.showOnce("It comes over HTTP.", "path");
  expect(shown()).toBeNull();
  notice.show("It comes over HTTP.", "path");
  expect(shown()).toBe("It comes over HTTP.");
});

it("dismisses what two films say alike at once, also where it was said again meanwhile", () => {
  notice.show("This browser has no WebTransport.", "film 0");
  notice.show("This browser has no WebTransport.", "film 1");
  dismissal()?.click();
  expect(shown()).toBeNull();
});

it.each(["index.html", "compare.html", "sessions.html", "bulk.html"] as const)(
  "stands over the lower end of %s, to whose main part the focus goes once it is dismissed",
  (name) => {
    openSamplePage(name);
    expect(element().matches(".notices > .notice")).toBe(true);
    new Notice(element()).show("It comes over HTTP.", "path");
    dismissal()?.click();
    expect(document.activeElement?.id).toBe("main");
  },
);

it("offers what can be done about it, beside being dismissed", () => {
  const act = vi.fn();
  notice.show("The link was not changed.", "link", { label: "Try again", act });
  const [again, dismiss] = element().querySelectorAll("button");
  again?.click();
  expect(act).toHaveBeenCalledOnce();
  dismiss?.click();
  expect(shown()).toBeNull();
});

it("cannot be dismissed where nothing plays", () => {
  notice.insist("There is no such film.", "film 0", null);
  expect([shown(), dismissal()]).toEqual(["There is no such film.", null]);
  notice.clear("film 0");
  expect(shown()).toBeNull();
});

it("stays where the same was said of something else, which could be dismissed", () => {
  notice.show("The session broke off.", "session");
  notice.insist("The session broke off.", "download", null);
  expect(dismissal()).toBeNull();
  notice.show("The session broke off.", "session");
  dismissal()?.click();
  expect([shown(), dismissal()]).toEqual(["The session broke off.", null]);
});
