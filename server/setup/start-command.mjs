import { readFilm, requireFreePort, requireTraceFile, requireWritableFolder } from "./early-checks.mjs";
import { prepareFilm } from "./film.mjs";
import { chooseLink, readLinks, requireReadableLink } from "./links.mjs";
import { npmPackages } from "./npm-packages.mjs";
import { DEFAULT_RULE, parseStartOptions } from "./options.mjs";
import { MEDIA, PLAYER, POLICIES, ROOT, SETUP } from "./paths.mjs";
import { playerBuild } from "./player-build.mjs";
import { Problem } from "./problem.mjs";
import { pythonEnvironment } from "./python-environment.mjs";
import { readRegistry, requireKnown } from "./registry.mjs";
import { runSteps } from "./steps.mjs";
import { usage } from "./usage.mjs";

/**
 * `npm start`: checks what was asked for, sets up what is missing, serves until it is told to stop.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit code
 */
export async function start(args, environment, signal) {
  const options = parseStartOptions(args, environment);
  if (options.help) {
    process.stdout.write(
      usage({
        registry: unlessProblem(() => readRegistry(ROOT, environment)),
        rules: await rulesIfReadable(),
        links: unlessProblem(() => readLinks(ROOT, environment)),
        defaultRule: DEFAULT_RULE,
      }),
    );
    return 0;
  }
  if (options.film !== null) readFilm(options.film);
  if (options.link !== null) requireTraceFile(options.link);
  await requireFreePort(options);
  const registry = readRegistry(ROOT, environment);
  requireKnown("scheme", options.scheme, registry.schemes);
  requireKnown("preset", options.preset, registry.presets);
  const links = readLinks(ROOT, environment);
  const link = chooseLink(options.link, links);
  requireReadableLink(link, links, ROOT, environment);
  requireWritableFolder(options.data);

  const context = { root: ROOT, setupFolder: SETUP, signal, output: process.stdout };
  await runSteps([npmPackages(ROOT, environment)], context);
  await readTypeScriptFromHereOn();
  const rules = await readRules();
  requireKnown("rule", options.rule, rules);
  await runSteps([pythonEnvironment(ROOT, environment), playerBuild(ROOT, PLAYER)], context);
  const presentation = await prepareFilm({ film: options.film, outputRoot: MEDIA, context });

  const { serve } = await import("../main.ts");
  const folders = { playerDirectory: PLAYER, policyDirectory: POLICIES };
  return serve({ options, registry, rules, presentation, ...folders, links, link, signal });
}

/** tsx is an npm package, so it can be had only now. */
async function readTypeScriptFromHereOn() {
  const { register } = await import("tsx/esm/api");
  register();
}

async function readRules() {
  const { RULES } = await import("../../player/src/rules/registry.ts");
  return RULES;
}

/** @returns the player's rules; null before the npm packages are installed */
async function rulesIfReadable() {
  try {
    await readTypeScriptFromHereOn();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
  return readRules();
}

/**
 * @template T
 * @param {() => T} read
 * @returns {T | null}
 */
function unlessProblem(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return null; // help is for those, too, who have no Python yet
    throw error;
  }
}
