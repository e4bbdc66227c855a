// Draws a chart: JSON on standard input (`Chart` of chart.py), SVG on standard output.
import { text } from "node:stream/consumers";

const { drawTrace } = await drawing().catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  process.stderr.write("packages are missing, which npm run trace -- plot installs\n");
  process.exit(1);
});
process.stdout.write(await drawTrace(JSON.parse(await text(process.stdin))));

/** TypeScript is read by tsx, which is a package itself. */
async function drawing() {
  const { register } = await import("tsx/esm/api");
  register();
  return import("./trace-chart.ts");
}
