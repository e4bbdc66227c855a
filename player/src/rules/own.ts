/** The rules of this project, a line each. */

export { bba } from "./bba.ts";
export { nuwa } from "./nuwa.ts";
export { robustMpc } from "./robust-mpc.ts";
