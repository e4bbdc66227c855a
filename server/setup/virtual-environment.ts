import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { namedPython, probePython } from "./find-python.mjs";

/**
 * Whether a virtual environment is there for the interpreter that it leads to, and that is the one that NUWA_PYTHON names, if any.
 *
 * @throws Problem if NUWA_PYTHON names none
 */
export function isUsable(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
  probe = probePython,
): boolean {
  const python = join(folder, "bin", "python");
  if (!existsSync(python) || !hasPackagesOf(python, folder)) return false;
  const named = namedPython(environment, probe);
  return named === null || realpathSync(named.executable) === realpathSync(python);
}

/**
 * A distribution's `python3` becomes a newer one, which does not look where the former had its packages. Folders are of a version,
 * as interpreters are by most names: `python3.13`.
 */
function hasPackagesOf(python: string, folder: string): boolean {
  const interpreter = basename(realpathSync(python));
  const isOfAVersion = /^\w+\d\.\d+t?$/.test(interpreter);
  return !isOfAVersion || readdirSync(join(folder, "lib")).includes(interpreter);
}
