import { Router } from "express";
import { isToken, TOKEN_COOKIE, type Token } from "../access/token.ts";
import { Refusal } from "../errors.ts";

/** `GET /unlock?token=TOKEN`: gives the browser the token as a cookie that only pages of this server send, then shows the page. */
export function unlockRoute(token: Token): Router {
  const router = Router();
  router.get("/", (request, response) => {
    const { token: given } = request.query;
    const wanted = token();
    if (wanted !== null) {
      if (!isToken(typeof given === "string" ? given : null, wanted))
        throw new Refusal(401, "this is not the token");
      response.cookie(TOKEN_COOKIE, wanted, { httpOnly: true, sameSite: "strict", secure: request.secure });
    }
    response.set("Cache-Control", "no-store").redirect(303, "/");
  });
  return router;
}
