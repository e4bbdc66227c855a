import { presentationOf } from "../cell/presentation.ts";
import { prepareMachine } from "../prepare-machine.ts";
import { TEST_FILM } from "./scenario.ts";

/**
 * Runs once before the tests of this folder: they drive the player as it is built, in the browser that was found, and play one
 * film, which no two of them are to package at once.
 */
export default async function setup(): Promise<void> {
  await prepareMachine(new AbortController().signal);
  await presentationOf(TEST_FILM, () => undefined);
}
