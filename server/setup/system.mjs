import { Problem } from "../problem.mjs";

/**
 * Says which systems the commands run on: asyncio has no signal handlers on Windows, and its usual loop waits for no socket.
 *
 * @throws {Problem} on any other
 */
export function requireSystem(platform = process.platform) {
  if (platform === "win32")
    throw new Problem(
      "this does not run on Windows itself: install WSL2 (https://learn.microsoft.com/windows/wsl/install), clone and run it there",
    );
}
