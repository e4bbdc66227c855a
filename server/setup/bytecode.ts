import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { VENV } from "./paths.ts";

/**
 * Containers often forbid Python to write bytecode: each process would then compile all that it imports, and a start takes
 * seconds more. It is kept apart from the sources, for those who want none beside them.
 */
export function keepBytecodeIn(folder: string): void {
  process.env.PYTHONDONTWRITEBYTECODE = ""; // as if it were not set
  process.env.PYTHONPYCACHEPREFIX ??= folder;
}

/**
 * Only where it is forbidden and the environment can be written to: elsewhere what lies beside the sources is what is read. Not
 * in .build, which the sample unit lets a server write, who could leave code there for its next start.
 */
export function keepForbiddenBytecode(venv = VENV): void {
  if (process.env.PYTHONDONTWRITEBYTECODE && isWritable(venv)) keepBytecodeIn(join(venv, "bytecode"));
}

/** Or not there yet. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return true;
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EROFS" || code === "EPERM") return false;
    throw error;
  }
}
