import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { Child, ChildError } from "./child.ts";

function shell(script: string): Promise<Child> {
  return Child.start({ name: "shell", command: "sh", args: ["-c", script] });
}

test("lines are read one by one, and closing stdin ends the child", async () => {
  const child = await shell("echo one; echo two; exec cat");
  expect([await child.nextLine(5000), await child.nextLine(5000)]).toEqual(["one", "two"]);
  child.send("three");
  expect(await child.nextLine(5000)).toBe("three");
  await child.stop();
  expect(await child.ended).toBe(0);
});

test("what a child says while it is stopped can be read afterwards", async () => {
  const child = await shell("echo ready; cat; echo last; echo words");
  await child.nextLine(5000);
  await child.stop();
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  expect(lines).toEqual(["last", "words"]);
});

test("a child that ends early is reported with its last words", async () => {
  const child = await shell("echo no such film >&2; exit 3");
  await expect(child.nextLine(5000)).rejects.toThrow("shell ended early (exit status 3). no such film");
});

test("a silent child is reported after the limit", async () => {
  const child = await shell("exec cat");
  await expect(child.nextLine(50)).rejects.toThrow(ChildError);
  await child.stop();
});

test("what the child leaves in its process group is killed", async () => {
  const child = await shell("sleep 1000 <&- >&- 2>&- & echo $!; exec cat");
  const grandchild = Number(await child.nextLine(5000));
  await child.stop();
  await expect.poll(() => isRunning(grandchild)).toBe(false);
});

test("a command that does not exist is reported", async () => {
  const start = Child.start({ name: "nothing", command: "/no/such/command", args: [] });
  await expect(start).rejects.toThrow("nothing: /no/such/command does not start");
});

/** False for a zombie too: in a container nobody may reap what was orphaned. */
function isRunning(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}
