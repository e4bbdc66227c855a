import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { runSteps, type SetupContext, type Step } from "./steps.ts";

let folder = "";
let shown = "";
let context: SetupContext;
beforeEach(() => {
  folder = temporaryFolder();
  shown = "";
  context = {
    root: folder,
    folder: join(folder, "setup"),
    signal: new AbortController().signal,
    output: {
      write: (text: string | Uint8Array) => {
        shown += String(text);
        return true;
      },
    },
  };
});

/** A step that makes a file and counts how often. */
function countedStep(more: Partial<Step> = {}) {
  const product = join(folder, "product");
  const counted = { runs: 0 };
  const step: Step = {
    name: "counted",
    title: "making the product",
    fingerprint: () => "inputs 1",
    isPresent: () => existsSync(product),
    run: async () => {
      counted.runs += 1;
      writeFileSync(product, "made");
    },
    ...more,
  };
  return { step, counted, product };
}

test("a step is done once, with one line; the second time there is nothing to do and nothing to say", async () => {
  const { step, counted } = countedStep();
  await runSteps([step], context);
  expect(shown).toMatch(/^making the product \.\.\. \d+\.\d s\n$/);
  shown = "";
  await runSteps([step], context);
  expect([counted.runs, shown]).toEqual([1, ""]);
});

test("a step is done again when its inputs have changed", async () => {
  const { step, counted } = countedStep();
  await runSteps([step], context);
  await runSteps([{ ...step, fingerprint: () => "inputs 2" }], context);
  expect(counted.runs).toBe(2);
});

test("a step is done again when its product is gone", async () => {
  const { step, counted } = countedStep();
  await runSteps([step], context);
  await runSteps([{ ...step, isPresent: () => false }], context);
  expect(counted.runs).toBe(2);
});

test("a step does not fill a folder that is a link: it might be another clone's", async () => {
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(folder, "linked"), "dir");
  const { step, counted } = countedStep({ folder: join(folder, "linked") });
  await expect(runSteps([step], context)).rejects.toThrow("linked is a link");
  expect([counted.runs, readdirSync(elsewhere)]).toEqual([0, []]);
});

test("a step that was interrupted half-way is done again, whatever it left", async () => {
  const { step, counted, product } = countedStep();
  await runSteps([step], context);
  const interrupted: Step = {
    ...step,
    fingerprint: () => "inputs 2",
    run: async () => {
      writeFileSync(product, "half");
      throw new Error("interrupted");
    },
  };
  await expect(runSteps([interrupted], context)).rejects.toThrow("interrupted");
  await runSteps([step], context); // as inputs 1 were: the stamp of their product must be gone
  expect(counted.runs).toBe(2);
});

test("a step whose inputs change while it runs is done again", async () => {
  let inputs = "inputs 1";
  const { step } = countedStep({
    fingerprint: () => inputs,
    run: async () => {
      writeFileSync(join(folder, "product"), "made");
      inputs = "inputs 2";
    },
  });
  await runSteps([step], context);
  shown = "";
  await runSteps([step], context);
  expect(shown).toContain("making the product");
});

test("two set-ups at once do a step once", async () => {
  const { step, counted } = countedStep();
  await Promise.all([runSteps([step], context), runSteps([step], context)]);
  expect(counted.runs).toBe(1);
});

test("a command that fails is told with the end of its log and what to do", async () => {
  const { step } = countedStep({
    run: (run) =>
      run([process.execPath, "-e", "console.log('line 1\\nline 2'); process.exit(3)"], "try again"),
  });
  await expect(runSteps([step], context)).rejects.toMatchObject({
    message: `making the product failed with exit code 3 (whole log: ${join("setup", "counted.log")}): try again`,
    detail: "line 1\nline 2",
    exitCode: 1,
  });
  expect(shown).toMatch(/^making the product \.\.\. failed, /);
});

test("a program that is not there is told with what to do", async () => {
  const { step } = countedStep({ run: (run) => run(["/nonexistent/pip"], "install it") });
  await expect(runSteps([step], context)).rejects.toMatchObject({
    message: `making the product failed with exit code 127 (whole log: ${join("setup", "counted.log")}): install it`,
    detail: "spawn /nonexistent/pip ENOENT",
  });
});

test("steps of a list are done side by side, and told in one line", async () => {
  const meeting = { count: 0, met: new AbortController() };
  const met = once(meeting.met.signal, "abort");
  const meet = async () => {
    meeting.count += 1;
    if (meeting.count === 2) meeting.met.abort();
    await met; // the other one's begin
  };
  const steps = ["one", "two"].map(
    (name) => countedStep({ name, title: `making ${name}`, isPresent: () => true, run: meet }).step,
  );
  await runSteps([steps], context);
  expect(shown).toMatch(/^making one and making two \.\.\. \d+\.\d s\n$/);
  shown = "";
  await runSteps(steps, context);
  expect([meeting.count, shown]).toEqual([2, ""]);
});

test("of steps side by side the first that fails stops the others, and only that is told", async () => {
  const waits = [process.execPath, "-e", "setInterval(() => {}, 1000)"] as const;
  const { step } = countedStep({ name: "waiting", run: (run) => run(waits, "") });
  const { step: failing } = countedStep({
    title: "failing",
    run: (run) => run([process.execPath, "-e", "process.exit(3)"], "try again"),
  });
  await expect(runSteps([[step, failing]], context)).rejects.toThrow(/^failing failed with exit code 3/);
  expect(shown).toMatch(/^making the product and failing \.\.\. failed, \d+\.\d s\n$/);
});

test("an abort stops the command", async () => {
  const controller = new AbortController();
  const { step } = countedStep({
    run: (run) => run([process.execPath, "-e", "setInterval(() => {}, 1000)"], ""),
  });
  const running = runSteps([step], { ...context, signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
});
