import { Problem } from "./problem.ts";

/**
 * Why a server cannot listen, as a sentence.
 *
 * @returns a Problem, or the error itself where nothing better can be said
 */
export function listenProblem(
  error: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new Problem(
        `port ${port} on ${host} is in use: stop the program that uses it or choose another with --port`,
      );
    case "EACCES":
      return new Problem(`port ${port} on ${host} is not allowed to you: choose one above 1023 with --port`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
      return new Problem(
        `${host} is not an address of this machine (${error.code}): choose another with --host`,
      );
    default:
      return error;
  }
}
