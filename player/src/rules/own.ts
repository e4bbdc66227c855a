/** The rules of this project, a line each. */

export { nuwa } from "./nuwa.ts";
