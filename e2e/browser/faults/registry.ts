import type { Fault } from "../fault-rig/fault.ts";
import { browserAsleep } from "./browser-asleep.ts";
import { certificateRotated } from "./certificate-rotated.ts";
import { clockStep } from "./clock-step.ts";
import { killPortClosed } from "./kill-port-closed.ts";
import { killRestart } from "./kill-restart.ts";
import { killStaysDown } from "./kill-stays-down.ts";
import { networkGone } from "./network-gone.ts";
import { noWebTransport } from "./no-webtransport.ts";
import { pageFrozen } from "./page-frozen.ts";
import { pageHidden } from "./page-hidden.ts";
import { transportFrozen } from "./transport-frozen.ts";
import { udpBlocked } from "./udp-blocked.ts";
import { udpGone } from "./udp-gone.ts";
import { webServerAway } from "./web-server-away.ts";
import { workerDead } from "./worker-dead.ts";
import { wrongCertificate } from "./wrong-certificate.ts";

/** All faults, a file and a line each; scenarios/faults.test.ts and `npm run bench -- faults` read them from here. */
export const FAULTS: readonly Fault[] = [
  killStaysDown,
  killPortClosed,
  killRestart,
  transportFrozen,
  networkGone,
  udpBlocked,
  udpGone,
  wrongCertificate,
  certificateRotated,
  noWebTransport,
  workerDead,
  webServerAway,
  clockStep,
  pageHidden,
  pageFrozen,
  browserAsleep,
];
