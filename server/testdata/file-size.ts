/** Runs a child, as the set-up does, and gets the signal of a file that may not grow. */
import { setTimeout as pause } from "node:timers/promises";
import { execa } from "execa";
import { surviveFileSizeLimit } from "../file-size-signal.ts";

if (process.argv[2] === "survive") surviveFileSizeLimit();
await execa(process.execPath, ["--version"]);
process.kill(process.pid, "SIGXFSZ");
await pause(100);
process.stdout.write("alive\n");
