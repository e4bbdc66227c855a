import { Window } from "happy-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chartNote } from "./chart-note.ts";

beforeEach(() => {
  const { document, Event, KeyboardEvent } = new Window();
  vi.stubGlobal("document", document);
  vi.stubGlobal("Event", Event);
  vi.stubGlobal("KeyboardEvent", KeyboardEvent);
});
afterEach(() => vi.unstubAllGlobals());

function openNote(): { note: HTMLDetailsElement; question: HTMLElement | null } {
  const note = chartNote({ question: "Why?", answer: "Because." });
  document.body.append(note);
  note.open = true;
  return { note, question: note.querySelector("summary") };
}

const press = (key: string): boolean => document.dispatchEvent(new KeyboardEvent("keydown", { key }));

it("is closed by Escape, and the focus goes back to its question", () => {
  const { note, question } = openNote();
  press("Enter");
  expect(note.open).toBe(true);
  press("Escape");
  expect(note.open).toBe(false);
  expect(document.activeElement).toBe(question);
});

it("leaves the focus at what has it by then", () => {
  const { note } = openNote();
  const menu = document.createElement("select");
  document.body.append(menu);
  menu.focus();
  press("Escape");
  expect(note.open).toBe(false);
  expect(document.activeElement).toBe(menu);
});

it("stays while Escape closes a dialog above it", () => {
  const { note } = openNote();
  const dialog = document.createElement("dialog");
  dialog.open = true;
  document.body.append(dialog);
  press("Escape");
  expect(note.open).toBe(true);
});

it("is closed by a press beside it, not by one on it", () => {
  const { note, question } = openNote();
  question?.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  expect(note.open).toBe(true);
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  expect(note.open).toBe(false);
});
