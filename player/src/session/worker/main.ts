/** Entry of the dedicated worker that has every scheme. */

import { makeScheme } from "./make-scheme.ts";
import { servePage } from "./serve-page.ts";

servePage(makeScheme);
