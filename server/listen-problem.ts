import { Problem } from "./problem.mjs";

const LAST_PRIVILEGED_PORT = 1023;

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
    case "EACCES": {
      const advice =
        port > LAST_PRIVILEGED_PORT
          ? "the system keeps it for itself, so choose another"
          : `choose one above ${LAST_PRIVILEGED_PORT}`;
      return new Problem(`${kind} ${port} on ${host} is not allowed to you: ${advice} with ${option}`);
    }
    case "EAFNOSUPPORT":
      return new Problem(
        `${host} is an address of IPv6, which this machine has not: give one of IPv4 with --host, such as 0.0.0.0`,
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
