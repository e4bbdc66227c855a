import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { Refusal } from "../errors.ts";

/** null: none is asked for. */
export type Token = () => string | null;

/** Of the cookie that `/unlock` sets. */
export const TOKEN_COOKIE = "nuwa-token";

/** One that nobody guesses: 192 random bits. */
export function randomToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Lets only those pass who know the token: as `Authorization: Bearer`, or by the cookie. */
export function tokenOnly(token: Token): RequestHandler {
  return function refuseWithoutToken(request, response, next) {
    if (knowsToken(request, token)) {
      next();
      return;
    }
    response.set("WWW-Authenticate", "Bearer");
    next(
      new Refusal(
        401,
        "this needs the token: open the address with /unlock that the server printed at its start",
      ),
    );
  };
}

/** Whether it has the token, or none is asked for. */
export function knowsToken(request: Request, token: Token = () => null): boolean {
  const wanted = token();
  return wanted === null || [bearer(request), cookie(request)].some((given) => isToken(given, wanted));
}

/** In a time that says nothing about how much of it is right. */
export function isToken(given: string | null, wanted: string): boolean {
  return given !== null && timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function bearer({ headers }: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? null;
}

function cookie({ headers }: Request): string | null {
  const pairs = (headers.cookie ?? "").split(/; */).map((pair) => pair.split("="));
  return pairs.find(([name]) => name === TOKEN_COOKIE)?.[1] ?? null;
}
