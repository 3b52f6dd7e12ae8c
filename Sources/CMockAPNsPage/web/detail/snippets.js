// Tests in other languages: the code of docs/tests.md, with a verification and the address of this server.

import { api, escaped } from "../core/core.js"
import { sections } from "../pushes/clients.js"

/// The parts of the code to replace.
const ADDRESS = "http://127.0.0.1:8197/api/v1"
const VERIFICATION = /\{\n *"match"[^]*?"within": "5s"\n\}/

/// What ends a literal in Go, is invisible, or looks like a space.
const ESCAPED = /`|(?![ \n])[\p{C}\p{Z}]/gu

/// Returns the languages `{name, label, write}`. `write(test)` returns a test with the body `bodyOf(test)`.
export async function languages(bodyOf) {
  return (await sections("tests.md")).map(({ name, code }) => ({
    name,
    label: name,
    write: (test) => {
      const json = JSON.stringify({ ...bodyOf(test), within: "5s" }, null, 2)
        .replace(ESCAPED, (sign) => sign.replaceAll(/[^]/g, escaped))
      return code.replace(ADDRESS, () => `${location.origin}${api.url("")}`)
        // Of these literals, only those of Java have escapes of their own.
        .replace(VERIFICATION, () => name === "Java" ? json.replaceAll("\\", "\\\\") : json)
    },
  }))
}
