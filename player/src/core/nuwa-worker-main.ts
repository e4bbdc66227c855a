/** Entry of the core's own worker, which has Nuwa alone, and keeps no stamps. */

import { Nuwa } from "../../../cc/receiver/nuwa.ts";
import { schemeParametersOf } from "../session/worker/scheme-parameters.ts";
import { servePage } from "../session/worker/serve-page.ts";

servePage({
  makeScheme: async ({ parameters }) => ({
    scheme: new Nuwa(schemeParametersOf(parameters)),
    learned: null,
  }),
});
