/** Entry of the dedicated worker that has every scheme. */

import { makeScheme } from "./make-scheme.ts";
import { servePage } from "./serve-page.ts";
import { StampBatch } from "./stamp-batch.ts";

servePage({ makeScheme, stamps: new StampBatch() });
