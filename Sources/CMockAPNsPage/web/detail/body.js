// The body of a push: its bytes as text, as a dump, as JSON.

/// The bytes of Base64, also of the kind that URLs and tokens have; `null` for what is none.
export function bytesOf(base64) {
  try {
    const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"))
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    // A provider token may be anything; that it is none is told where it is shown.
    return null
  }
}

/// What a record has of the body: `{bytes, text, isUTF8, isWhole, size}`.
export function bodyOf(record) {
  const bytes = bytesOf(record.request.bodyBase64) ?? new Uint8Array()
  let text
  let isUTF8 = true
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // What is no UTF-8 is shown all the same, with a sign for each byte that stands for nothing.
    text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
    isUTF8 = false
  }
  return { bytes, text, isUTF8, isWhole: record.request.bodyKept, size: record.request.bodySize }
}

/// The bytes in lines of 16, as `hexdump -C` has them.
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

/// The JSON in one of the parts of a provider token; `null` for what is none.
export function tokenPart(part) {
  const bytes = bytesOf(part ?? "")
  if (!bytes) return null
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes))
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null
  } catch {
    // Not JSON: the same as nothing, for who wants to read claims.
    return null
  }
}
