// The body of a push as bytes, text and hex dump.

import { chip, count, h, note } from "../core/core.js"

/// Decodes Base64 or Base64url. The content is untrusted: without bytes if it is invalid.
export function bytesOf(base64) {
  try {
    const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"))
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/// The body of a record: `{bytes, text, isUTF8, isWhole, size}`. In the text, invalid UTF-8 is replaced.
export function bodyOf({ request }) {
  const bytes = bytesOf(request.bodyBase64)
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  return { bytes, text, isUTF8: isUTF8(bytes), isWhole: request.bodyKept, size: request.bodySize }
}

function isUTF8(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
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
