// `node server/setup/run-compiled.mjs FILE ARGUMENTS...` runs a program in TypeScript that is started often, such as each film's
// player: to compile it at each start takes longer than the start.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./clone.mjs";
import { compiledProgram, PROGRAMS } from "./compiled.mjs";

const [entry = ""] = process.argv.splice(2, 1);
const program = await compiledProgram({ entry, folder: join(PROGRAMS, entry.replaceAll("/", "-")) });
if (program === null) await import("./typescript.mjs");
else process.setSourceMapsEnabled(true);
await import(program ?? pathToFileURL(join(ROOT, entry)).href);
