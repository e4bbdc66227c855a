/** The rules of this project, a line each. */

export { bba } from "./bba.ts";
export { nuwa } from "./nuwa.ts";
export { nuwaLog } from "./nuwa-log.ts";
export { nuwaVmaf } from "./nuwa-vmaf.ts";
export { robustMpc } from "./robust-mpc.ts";
