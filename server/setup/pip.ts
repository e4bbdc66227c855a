import type { RunInStep } from "./steps.ts";

/** Packages go into the environment, wherever pip's settings put those of others; of where they come from the settings say. */
const INTO_THE_ENVIRONMENT = ["--no-user", "--target="];
const WITHOUT = { PIP_PREFIX: undefined, PIP_ROOT: undefined }; // as options they cannot be undone

/** `pip install` with these arguments, for the interpreter of an environment. */
export function installWithPip(python: string, args: readonly string[], run: RunInStep): Promise<void> {
  const install = ["-m", "pip", "install", "--disable-pip-version-check", ...INTO_THE_ENVIRONMENT];
  return run([python, ...install, ...args], pipAdvice, WITHOUT);
}

/** @param said the last that pip said */
export function pipAdvice(said: string): string {
  const couldAsk = !/Retrying \(|Could not fetch/.test(said);
  if (couldAsk && said.includes("No matching distribution"))
    return "this system or this Python has no such package: README.md's Start says which have";
  return "see above what pip says; where it is the network, check that the Python package index can be reached, and try again";
}
