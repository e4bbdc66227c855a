import type { Fault } from "../fault-rig/fault.ts";
import { browserAsleep } from "./browser-asleep.ts";
import { browserDiskFull } from "./browser-disk-full.ts";
import { certificateExpired } from "./certificate-expired.ts";
import { certificateRotated } from "./certificate-rotated.ts";
import { clockDrift } from "./clock-drift.ts";
import { clockStep } from "./clock-step.ts";
import { handshakeLost } from "./handshake-lost.ts";
import { killPortClosed } from "./kill-port-closed.ts";
import { killRestart } from "./kill-restart.ts";
import { killStaysDown } from "./kill-stays-down.ts";
import { mtuBelowQuic } from "./mtu-below-quic.ts";
import { natAddressRebound } from "./nat-address-rebound.ts";
import { natPortRebound } from "./nat-port-rebound.ts";
import { networkChanged } from "./network-changed.ts";
import { networkFlaps } from "./network-flaps.ts";
import { networkGone } from "./network-gone.ts";
import { networkGoneLong } from "./network-gone-long.ts";
import { noWebTransport } from "./no-webtransport.ts";
import { packetsMangled } from "./packets-mangled.ts";
import { pageFrozen } from "./page-frozen.ts";
import { pageHidden } from "./page-hidden.ts";
import { pageInCache } from "./page-in-cache.ts";
import { rateSteps } from "./rate-steps.ts";
import { segmentDamaged } from "./segment-damaged.ts";
import { serverDiskFull } from "./server-disk-full.ts";
import { serverKilled } from "./server-killed.ts";
import { serverUpgraded } from "./server-upgraded.ts";
import { serverUpgradedBehindProxy } from "./server-upgraded-behind-proxy.ts";
import { smallMtu } from "./small-mtu.ts";
import { transportEnded } from "./transport-ended.ts";
import { transportFrozen } from "./transport-frozen.ts";
import { twoTabs } from "./two-tabs.ts";
import { udpBlocked } from "./udp-blocked.ts";
import { udpGone } from "./udp-gone.ts";
import { webServerAway } from "./web-server-away.ts";
import { workerDead } from "./worker-dead.ts";
import { workerDeadPolicy } from "./worker-dead-policy.ts";
import { wrongCertificate } from "./wrong-certificate.ts";

/** All faults, a file and a line each; scenarios/faults.test.ts and `npm run bench -- faults` read them from here. */
export const FAULTS: readonly Fault[] = [
  killStaysDown,
  killPortClosed,
  killRestart,
  transportFrozen,
  transportEnded,
  serverUpgraded,
  serverUpgradedBehindProxy,
  serverKilled,
  networkFlaps,
  networkGone,
  networkGoneLong,
  natPortRebound,
  natAddressRebound,
  networkChanged,
  udpBlocked,
  udpGone,
  handshakeLost,
  packetsMangled,
  smallMtu,
  mtuBelowQuic,
  rateSteps,
  wrongCertificate,
  certificateExpired,
  certificateRotated,
  noWebTransport,
  clockStep,
  clockDrift,
  browserAsleep,
  pageHidden,
  pageFrozen,
  pageInCache,
  twoTabs,
  workerDead,
  workerDeadPolicy,
  webServerAway,
  serverDiskFull,
  browserDiskFull,
  segmentDamaged,
];
