// The provider token of a push, in the tab with its headers.

import { chip, facts, foreign, h, length, part, shareMeter, valueOf } from "../core/core.js"
import { bytesOf } from "./body.js"

/// The minimum age for renewing a provider token, and its maximum age, in seconds.
const RENEWAL = 20 * 60
const LIFETIME = 60 * 60

/// How the states of `auth.verification` look that are not errors.
const VERIFICATIONS = { verified: ["good", "accepted"], "not-checked": ["", null] }

/// The labels of claims whose names say too little.
const CLAIMS = new Map([["kid", "kid (key)"], ["iss", "iss (team)"], ["iat", "iat (issued at)"]])

/// The section about the token; `null` for a push without one.
export function tokenSection({ auth, request }) {
  if (auth.kind !== "token") return null
  const value = request.headers.find(([name]) => name === "authorization")?.[1] ?? ""
  const [head, claims] = value.replace(/^bearer +/i, "").split(".").map(tokenPart)
  const [tone, iconName] = VERIFICATIONS[auth.verification] ?? ["bad", "rejected"]
  const issuedAt = auth.issuedAt?.replace(/\.\d+Z$/, "Z")
  return part("Provider token",
    h("p", chip(auth.verification.replaceAll("-", " "), tone, iconName), " ", auth.meaning),
    auth.ageSeconds === null ? null : age(auth.ageSeconds),
    facts(Object.entries({ ...head, ...claims }).map(([name, value]) => [CLAIMS.get(name) ?? foreign(name), [
      valueOf(value),
      name === "iat" && issuedAt ? h("span.meaning", h("time", { datetime: issuedAt }, issuedAt)) : null,
    ]])))
}

/// The age of the token when the push arrived, as a share of one hour.
function age(seconds) {
  const distance = length(Math.abs(seconds))
  const words = seconds < 0 ? `Issued ${distance} after the push arrived` : `${distance} old when the push arrived`
  const advice = seconds > LIFETIME
    ? "APNs accepts tokens for one hour."
    : seconds > RENEWAL
      ? "Renew it before it is one hour old."
      : "Too new to renew. Renew tokens between 20 and 60 minutes."
  const tone = seconds > LIFETIME || seconds < -60 ? "bad" : seconds > 0.9 * LIFETIME ? "warn" : ""
  return h("p.bar", shareMeter(seconds / LIFETIME), h("strong", { class: tone }, words, "."), ` ${advice}`)
}

/// The JSON object in a part of a token; `null` if it is invalid.
function tokenPart(part) {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytesOf(part)))
    return typeof value === "object" && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
