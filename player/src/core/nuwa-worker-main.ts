/** Entry of the core's own worker, which has Nuwa alone. */

import { Nuwa } from "../../../cc/receiver/nuwa.ts";
import { schemeParametersOf } from "../session/worker/scheme-parameters.ts";
import { servePage } from "../session/worker/serve-page.ts";

servePage(async ({ parameters }) => ({ scheme: new Nuwa(schemeParametersOf(parameters)), learned: null }));
