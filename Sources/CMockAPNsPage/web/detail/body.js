// The body of a push as bytes, text and hex dump, and the JSON of token parts.

import { chip, count, h, note } from "../core/elements.js"

/// Decodes Base64 or Base64url; `null` if it is invalid.
export function bytesOf(base64) {
  try {
    const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"))
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    // The content is untrusted, so invalid Base64 is expected.
    return null
  }
}

/// The body of a record: `{bytes, text, isUTF8, isWhole, size}`.
export function bodyOf(record) {
  const bytes = bytesOf(record.request.bodyBase64) ?? new Uint8Array()
  let text
  let isUTF8 = true
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Invalid UTF-8 is shown with replacement characters.
    text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
    isUTF8 = false
  }
  return { bytes, text, isUTF8, isWhole: record.request.bodyKept, size: record.request.bodySize }
}

/// The size of a body, and whether it is not UTF-8.
export function sizeOf({ size, isUTF8 }) {
  return h("span.weak", `${count(size)} bytes`, isUTF8 ? null : [" ", chip("not UTF-8", "bad", "warning")])
}

/// Why there are no bytes to show; `null` if there are.
export function whyNoBytes({ bytes, size, isWhole }) {
  if (!isWhole) return note("warn", "warning", `The body had ${count(size)} bytes and was too large to keep.`)
  return bytes.length === 0 ? h("p.weak", "The body is empty.") : null
}

/// A hex dump in the format of `hexdump -C`.
export function dump(bytes) {
  const lines = []
  for (let at = 0; at < bytes.length; at += 16) {
    const line = [...bytes.subarray(at, at + 16)]
    const hex = line.map((byte) => byte.toString(16).padStart(2, "0"))
    const left = hex.slice(0, 8).join(" ").padEnd(23)
    const right = hex.slice(8).join(" ").padEnd(23)
    const signs = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("")
    lines.push(`${at.toString(16).padStart(8, "0")}  ${left}  ${right}  ${signs}`)
  }
  return lines.join("\n")
}

/// The JSON object in a part of a provider token; `null` if it is invalid.
export function tokenPart(part) {
  const bytes = bytesOf(part ?? "")
  if (!bytes) return null
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes))
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null
  } catch {
    // Not JSON, so there are no claims to show.
    return null
  }
}
