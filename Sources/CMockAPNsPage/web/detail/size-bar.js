// The size of a body as a share of its limit.

import { count, h } from "../core/elements.js"

/// A bar with the size in words; `null` for a request without a body.
export function sizeBar({ request: { bodySize, limitShare }, verdict }) {
  if (bodySize === 0) return null
  const limit = verdict.checks.find((check) => check.limit !== undefined)?.limit
  const percent = Math.round(limitShare * 100)
  const tone = limitShare > 1 ? "bad" : limitShare > 0.9 ? "warn" : "good"
  return h(
    "span.size",
    h("span.size-bar", { class: tone, "aria-hidden": "true" },
      h("span", { style: { width: `${Math.min(percent, 100)}%` } })),
    `${limit ? `${count(bodySize)} of ${count(limit)}` : count(bodySize)} bytes, ${percent} %${limit ? "" : " of the limit"}`
  )
}
