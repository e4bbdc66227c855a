import type { NodeTarget } from "./target.ts";
import { addresses } from "./targets/addresses.ts";
import { browserPolicyCards } from "./targets/browser-policy-cards.ts";
import { browserStamps } from "./targets/browser-stamps.ts";
import { foreignManifests } from "./targets/foreign-manifests.ts";
import { linkWishes } from "./targets/link-wishes.ts";
import { manifests } from "./targets/manifests.ts";
import { responseHeads } from "./targets/response-heads.ts";
import { telemetryBodies } from "./targets/telemetry-bodies.ts";
import { wireMessages } from "./targets/wire-messages.ts";

export const TARGETS: readonly NodeTarget[] = [
  wireMessages,
  browserStamps,
  responseHeads,
  addresses,
  linkWishes,
  browserPolicyCards,
  telemetryBodies,
  manifests,
  foreignManifests,
];
