import { readdirSync, readFileSync } from "node:fs";
import { readCard, shapesOf } from "../../../../player/src/session/policy/policy-card.ts";
import { PolicyError } from "../../../../player/src/session/policy/policy-error.ts";
import { changedJson, textOf } from "../inputs.ts";
import { type NodeTarget, parser } from "../target.ts";

const FOLDER = new URL("../../../../models/policies/", import.meta.url);

function cards(): unknown[] {
  const names = readdirSync(FOLDER).filter((name) => /^[a-z0-9-]+\.json$/.test(name));
  return names.map((name) => {
    const card = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as Record<string, unknown>;
    return { ...card, training: {}, results: {}, notes: [] }; // which the page does not read
  });
}

/** A policy's card as the page reads it. */
export const browserPolicyCards: NodeTarget = {
  name: "browser-policy-cards",
  inputs: changedJson(cards()),
  inputsEach: 100_000,
  open: parser(
    (data) => shapesOf(readCard(JSON.parse(textOf(data)))),
    (error) => error instanceof PolicyError || error instanceof SyntaxError,
  ),
};
