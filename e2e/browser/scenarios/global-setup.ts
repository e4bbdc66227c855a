import { prepareMachine } from "../prepare-machine.ts";

/** Runs once before the tests of this folder: they drive the player as it is built, in the browser that was found. */
export default async function setup(): Promise<void> {
  await prepareMachine(new AbortController().signal);
}
