/** happy-dom by `require`: tsx looks at each of its hundreds of modules that are imported, for a second at every start. */

import { createRequire } from "node:module";

export const { Window } = createRequire(import.meta.url)("happy-dom") as typeof import("happy-dom");
