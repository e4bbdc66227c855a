import { createSocket } from "node:dgram";
import { accessSync, constants, existsSync, type Stats, statSync } from "node:fs";
import { createServer, isIPv6 } from "node:net";
import { dirname } from "node:path";
import { listenProblem } from "../listen-problem.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { Problem } from "../problem.mjs";
import type { LinkOption } from "./options.ts";

/**
 * Whether a film's path is that of a folder or a file; whether that is a film is for others to say.
 *
 * @throws Problem if there is nothing that can be read
 */
export function filmKind(path: string): "folder" | "file" {
  const file = lookAt("film", path);
  if (file === undefined)
    throw new Problem(`the film ${path} does not exist: check the path given with --film`);
  if (file.isDirectory()) return "folder";
  if (!file.isFile()) throw new Problem(`the film ${path} is not a file: give a film with --film`);
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Problem(`the film ${path} cannot be read (${code}): check its permissions`);
  }
  return "file";
}

/** @throws Problem where the way there is barred; undefined: there is nothing */
function lookAt(what: string, path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Problem(
      `the ${what} ${path} cannot be looked at (${code}): check the path, and the permissions of its folders`,
    );
  }
}

/**
 * Makes the folder for what is to outlast the server. One level after the other: Node's own way to make several never ends
 * where a parent is there and yet lets nothing be made in it, as in /proc.
 *
 * @param path absolute
 * @throws Problem if it cannot be made or written in
 */
export function requireWritableFolder(path: string) {
  const problem = (why: string) =>
    new Problem(`the folder ${path} for telemetry ${why}: give one that can be written with --data`);
  const missing: string[] = [];
  let present = path;
  while (!existsSync(present)) {
    missing.unshift(present);
    present = dirname(present);
  }
  if (!statSync(present).isDirectory()) throw problem(`cannot be had, since ${present} is a file`);
  try {
    accessSync(present, constants.W_OK | constants.X_OK);
    for (const folder of missing) makeOwnFolder(folder);
  } catch (error) {
    throw problem(`cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/**
 * Of a name and a rate, and of what is in a file, `links.ts` knows more; that there is a file at a path is seen at once.
 *
 * @throws Problem if it is a path at which there is no file
 */
export function requireTraceFile({ text, file }: LinkOption) {
  if (!/[/\\]/.test(text) || lookAt("trace", file)?.isFile()) return;
  throw new Problem(`the trace ${file} is not a file: give a link's name, a rate or a trace with --link`);
}

/** Listens for a moment, so that a port in use is told before a set-up of minutes. */
export function requireFreePort({ host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => reject(listenProblem(error, { host, port })));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

/**
 * The same for the media server's ports, which are UDP.
 *
 * @param first 0, free ones, are always to be had
 * @param count of ports, one after the other
 */
export async function requireFreeUdpPorts(host: string, first: number, count: number): Promise<void> {
  if (first === 0) return;
  for (let port = first; port < first + count; port += 1) await requireFreeUdpPort(host, port);
}

function requireFreeUdpPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
    socket.once("error", (error) => {
      socket.close();
      reject(listenProblem(error, { host, port, kind: "UDP port" }));
    });
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve()));
  });
}
