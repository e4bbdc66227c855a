// Says something once its standard input has ended, by when nobody reads it any more, and ends with 7 if that was no fault.
import { exitOnFault } from "../exit-on-fault.ts";
import { createLog } from "../log.ts";
import { surviveUnreadOutput } from "../unread-output.ts";

exitOnFault(createLog("info", (line) => process.stderr.write(line)));
if (process.argv[2] === "survive") surviveUnreadOutput();
process.stdin.resume().on("end", () => {
  process.stdout.write("ready\n");
  process.stderr.write("stopping\n", () => setImmediate(() => process.exit(7)));
});
process.stdout.write("alive\n");
