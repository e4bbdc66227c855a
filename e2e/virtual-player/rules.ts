/** Prints the names of all adaptation rules, a line each. */

import { RULES } from "../../player/src/rules/registry.ts";

for (const { name } of RULES) process.stdout.write(`${name}\n`);
