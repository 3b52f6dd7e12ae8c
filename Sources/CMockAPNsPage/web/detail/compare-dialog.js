// The dialog that chooses the push to compare with.

import { api, Call, formDialog, h, plain, router } from "../core/core.js"

const OTHER = { name: "other", label: "Compare with", kind: "text", placeholder: "#12 or a push ID" }

/// Opens the dialog. It suggests the previous push to the same device token, or of the same topic.
export async function openCompare(record) {
  const previous = await previousPush(record).catch(() => null)
  const title = previous?.title ?? previous?.body
  const target = record.apns.token ? "to this device" : "of this topic"
  formDialog({
    title: `Compare #${record.seq}`,
    intro: !previous ? "A push by its number or ID." : [
      `Number or ID of a push. #${previous.seq} is the previous one ${target}`,
      title ? [": ", h("span.foreign", plain(title, 80))] : null, "."],
    fields: [OTHER],
    value: { other: previous ? `#${previous.seq}` : undefined },
    button: "Compare",
    makeCall: ({ other = "" }) => new Call("GET", `/pushes/${encodeURIComponent(idOf(other))}`),
    onDone: ({ id }) => router.go(router.path(comparePath(record.id, id))),
  })
}

/// The path of the page that compares two pushes.
export function comparePath(left, right) {
  return `/compare/${encodeURIComponent(left)}/${encodeURIComponent(right)}`
}

/// The push ID for what people type: `#12`, `12` or an ID.
function idOf(text) {
  const number = /^#?(\d+)$/.exec(text)
  return number ? `seq:${number[1]}` : text
}

async function previousPush({ seq, apns: { token, topic } }) {
  const q = token ? `token:${token}` : topic ? `topic:${topic}` : null
  if (!q) return null
  return (await api.get("/pushes", { q, before: seq, order: "desc", limit: 1, fields: "summary" })).pushes[0] ?? null
}
