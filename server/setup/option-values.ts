import { MediaError } from "../../media/media-error.ts";
import type { Range } from "../../player/src/options/server-config.ts";
import { inUrl, withoutBrackets } from "../addresses.ts";
import { subnetList } from "../connections/address-group.ts";
import { LOG_LEVELS, type LogLevel } from "../log.ts";
import { Problem } from "../problem.mjs";
import { isBlockedByBrowsers } from "./blocked-ports.ts";
import { WORKERS } from "./transport-limits.ts";

/** Reads a value; `source` names where it stands, `--port` or `NUWA_PORT`. Throws a Problem for what it cannot be. */
export type Read<T> = (value: string, source: string) => T;

export function readPort(value: string, source: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new Problem(`${source} is "${value}": write a port number from 0 to 65535`);
  if (isBlockedByBrowsers(port))
    throw new Problem(`${source} is ${port}, to which browsers connect nothing: choose another port`);
  return port;
}

const MOST_UDP_PORT = 65_535 - WORKERS.max - 1;

/** The media server's first: further workers take those that follow it, and an emulated link the next two. */
export function readUdpPort(value: string, source: string): number {
  const port = readPort(value, source);
  if (port <= MOST_UDP_PORT) return port;
  throw new Problem(
    `${source} is ${port}, and workers and an emulated link take those that follow: choose one up to ${MOST_UDP_PORT}`,
  );
}

/** @returns as URLs write it: of addresses there are several ways, such as 0 and ::0 for every one */
export function readHost(value: string, source: string): string {
  const url = `http://${inUrl(value)}`;
  if (/^[A-Za-z0-9._:-]+$/.test(value) && URL.canParse(url)) return withoutBrackets(new URL(url).hostname);
  throw new Problem(
    `${source} is "${value}": write a host name or an IP address without scheme, port and zone`,
  );
}

export function readOrigin(value: string, source: string): string {
  if (URL.canParse(value) && /^https?:/.test(value) && new URL(value).origin === value) return value;
  throw new Problem(
    `${source} is "${value}": write scheme, host and port alone, as in https://films.example`,
  );
}

export function readFilmUrl(value: string, source: string): string {
  if (URL.canParse(value)) return new URL(value).href;
  throw new Problem(
    `${source} is "${value}": write the whole URL of an MPD, as in https://films.example/film.mpd`,
  );
}

/** A collector of CMCD: a URL, or a path of this server. */
export function readCollector(value: string, source: string): string {
  if (/^\/(?!\/)/.test(value)) return value;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return new URL(value).href;
  throw new Problem(
    `${source} is "${value}": write a URL, as in https://reports.example/cmcd, or /api/telemetry/cmcd`,
  );
}

/** Of what media/ reads. */
export function mediaValue<T>(parse: (text: string, source: string) => T): Read<T> {
  return (value, source) => {
    try {
      return parse(value, source);
    } catch (error) {
      throw error instanceof MediaError ? new Problem(error.message) : error;
    }
  };
}

/** @returns its origin: the page lies at the root */
export function readPublicUrl(value: string, source: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol === "http:")
    throw new Problem(
      `${source} is "${value}", but browsers allow WebTransport to pages over https alone: give https://${url.host}`,
    );
  if (url?.protocol === "https:" && [url.origin, `${url.origin}/`].includes(value)) return url.origin;
  throw new Problem(
    `${source} is "${value}": write https, host and perhaps a port, as in https://demo.example`,
  );
}

/** Separated by commas. @returns as they were given */
export function readSubnets(value: string, source: string): readonly string[] {
  const subnets = value.split(",");
  try {
    subnetList(subnets);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Problem(`${source} is "${value}": ${error.message}; write them as in 10.0.0.0/8,fd00::7`);
  }
  return subnets;
}

export function readToken(value: string, source: string): string {
  if (/^[A-Za-z0-9_-]{20,}$/.test(value)) return value;
  throw new Problem(`${source} is too short or not plain: write 20 or more letters, digits, "_" and "-"`);
}

export function numberIn(
  { min, max }: Range,
  unit: string,
  form = /^(\d+\.?\d*|\.\d+)$/,
  kind = "a number",
): Read<number> {
  return (value, source) => {
    if (form.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    throw new Problem(`${source} is "${value}": write ${kind} from ${min} to ${max} (${unit})`);
  };
}

export function wholeNumberIn(range: Range, unit: string): Read<number> {
  return numberIn(range, unit, /^\d+$/, "a whole number");
}

export function readLogLevel(value: string, source: string): LogLevel {
  const level = LOG_LEVELS.find((name) => name === value);
  if (level !== undefined) return level;
  throw new Problem(`${source} is "${value}": write one of ${LOG_LEVELS.join(", ")}`);
}
