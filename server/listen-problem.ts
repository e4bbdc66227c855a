import { Problem } from "./problem.mjs";

/**
 * Why a server cannot listen, as a sentence.
 *
 * @returns a Problem, or the error itself where nothing better can be said
 */
export function listenProblem(
  error: NodeJS.ErrnoException,
  { host, port, kind = "port" }: { host: string; port: number; kind?: "port" | "UDP port" },
): Error {
  const option = kind === "port" ? "--port" : "--udp-port";
  switch (error.code) {
    case "EADDRINUSE":
      return new Problem(
        `${kind} ${port} on ${host} is in use: stop the program that uses it or choose another with ${option}`,
      );
    case "EACCES":
      return new Problem(
        `${kind} ${port} on ${host} is not allowed to you: choose one above 1023 with ${option}`,
      );
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
