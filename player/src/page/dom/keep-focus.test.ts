import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { hideWithFocus } from "./keep-focus.ts";
import { Notice } from "./notice.ts";

const element = (id: string) => document.getElementById(id) as HTMLElement;
const focused = () => document.activeElement?.id;

beforeEach(() => {
  openSamplePage("index.html");
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("goes to the film with a notice whose button was pressed", () => {
  const notice = new Notice(element("notice"));
  notice.insist("There is no such scheme.", "query", { label: "Play", act: () => notice.clear("query") });
  const button = document.querySelector<HTMLElement>("#notice button");
  button?.focus();
  button?.click();
  expect([element("notice").hidden, focused()]).toEqual([true, "main"]);
});

it("leaves a thing that is hidden, and stays where it is otherwise", () => {
  element("unmute").hidden = false;
  element("unmute").focus();
  hideWithFocus(element("adding"));
  expect(focused()).toBe("unmute");
  hideWithFocus(element("unmute"));
  expect(focused()).toBe("main");
});
