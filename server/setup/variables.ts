import { nearestName } from "../../player/src/options/nearest-name.ts";
import { Problem } from "../problem.mjs";
import { START_OPTIONS, variableOf } from "./start-help.mjs";

const PREFIX = "NUWA_";
const OF_OPTIONS = Object.keys(START_OPTIONS).map(variableOf);

/** Read elsewhere: by media/, by the services, by `--version`, by tests and benchmarks. */
const OTHERS = [
  "NUWA_PYTHON",
  "NUWA_FFMPEG",
  "NUWA_RESET_KEY",
  "NUWA_COMMIT",
  "NUWA_TRACES",
  "NUWA_CHROME",
  "NUWA_FIREFOX",
  "NUWA_FUZZ_SEED",
];

/** What Kubernetes tells a pod of a service that is called `nuwa...`. */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP|SCTP)/;

/**
 * A variable that means nothing is a mistyped one: a limit that its owner believes in.
 *
 * @throws Problem naming it, and the nearest
 */
export function refuseUnknownVariables(environment: NodeJS.ProcessEnv): void {
  const known = [...OF_OPTIONS, ...OTHERS];
  for (const [name, value = ""] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || value === "" || known.includes(name)) continue;
    if (OF_KUBERNETES.test(name) || /^(tcp|udp|sctp):/.test(value)) continue;
    const nearest = nearestName(
      name.slice(PREFIX.length),
      known.map((other) => other.slice(PREFIX.length)),
    );
    const advice = nearest === null ? "see npm start -- --help" : `did you mean ${PREFIX}${nearest}?`;
    throw new Problem(`unknown variable ${name}: ${advice}`);
  }
}
