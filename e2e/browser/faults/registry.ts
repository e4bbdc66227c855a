import type { Fault } from "./fault.ts";
import { browserAsleep } from "./matrix/browser-asleep.ts";
import { certificateRotated } from "./matrix/certificate-rotated.ts";
import { clockStep } from "./matrix/clock-step.ts";
import { killPortClosed } from "./matrix/kill-port-closed.ts";
import { killRestart } from "./matrix/kill-restart.ts";
import { killStaysDown } from "./matrix/kill-stays-down.ts";
import { networkGone } from "./matrix/network-gone.ts";
import { noWebTransport } from "./matrix/no-webtransport.ts";
import { pageFrozen } from "./matrix/page-frozen.ts";
import { pageHidden } from "./matrix/page-hidden.ts";
import { transportFrozen } from "./matrix/transport-frozen.ts";
import { udpBlocked } from "./matrix/udp-blocked.ts";
import { udpGone } from "./matrix/udp-gone.ts";
import { webServerAway } from "./matrix/web-server-away.ts";
import { workerDead } from "./matrix/worker-dead.ts";
import { wrongCertificate } from "./matrix/wrong-certificate.ts";

/** All faults: a file each, and a line here. */
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
