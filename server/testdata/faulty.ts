// Fails in the way that the first argument says, as a fault in the server would.
import { exitOnFault } from "../exit-on-fault.ts";
import { createLog } from "../log.ts";

exitOnFault(createLog("info", (line) => process.stderr.write(line)));
setInterval(() => undefined, 60_000); // something that would keep it running
const fault = new Error("fault 4711");
if (process.argv[2] === "rejection") void Promise.reject(fault);
else
  setImmediate(() => {
    throw fault;
  });
