// The table of Live Activities, on the pages of devices and of channels.

import {
  actions, ACTIVITY_STATES, Call, channelPart, chip, count, h, pageLink, plain, plainLines, pushLink, shortChannel,
  shortToken, timeElement, toasts,
} from "../../core/core.js"
import { tokenPart } from "./controls.js"
import { Table } from "./table.js"

const isRunning = ({ state }) => state === "active" || state === "stale"

/// A table of Live Activities. `onDone` is called after a change; `showsDevice` adds the column with the device.
export function activityTable({ empty, onDone, showsDevice = false }) {
  const columns = [
    { label: "Live Activity", isHead: true, isBare: true, show: ({ id, attributesType }) => [
      h("span.foreign", plain(attributesType, 80)), " ", h("code.weak", id)] },
    showsDevice && { label: "Device", show: ({ device }) => pageLink(
      `/devices/${encodeURIComponent(device)}`, h("code", device), { at: "activities" }) },
    { label: "State", show: ({ state }) => {
      const { words, tone } = ACTIVITY_STATES[state] ?? { words: state, tone: "" }
      return chip(words, tone)
    } },
    { label: "Content state", show: ({ contentState }) => h("code.foreign.activity-content",
      plainLines(JSON.stringify(contentState))) },
    { label: "Token or channel", show: ({ token, channel }) => (token ? tokenPart(token)
      : channel ? pageLink(`/channels/${channelPart(channel)}`, h("code", shortChannel(channel)))
        : h("span.weak", "none")) },
    { label: "Dates", show: dates },
    { label: "Last push", show: ({ lastPush, id }) => (lastPush
      ? pushLink(lastPush, "View", { name: `View the last push to ${id}` })
      : h("span.weak", "none")) },
    { label: "Ignored", show: ({ ignored }) => ignoredPart(ignored) },
    { label: "Actions", kind: "row-actions", isBare: true, show: (one) => buttons(one, onDone) },
  ]
  return new Table("Live Activities", columns.filter(Boolean), { kind: "stacking activities-table", empty })
}

/// What has happened to it, and what will.
function dates({ state, startedAt, startedBy, staleAt, endedAt, dismissAt }) {
  const line = (words, at) => (at ? h("div.small-print", `${words} `, timeElement(at, { isOfClock: true })) : null)
  return [
    line(startedBy === "app" ? "Started by the app" : "Started", startedAt),
    line(state === "active" ? "Stale" : "Stale since", isRunning({ state }) ? staleAt : null),
    line("Ended", endedAt),
    line(state === "dismissed" ? "Dismissed" : "Removed", dismissAt),
  ]
}

/// The newest push that it ignored, with why, and how many more.
function ignoredPart(ignored) {
  const last = ignored.at(-1)
  if (!last) return h("span.weak", "none")
  return [
    pushLink(last.push, last.code, { title: last.text }),
    h("div.small-print.foreign", last.text),
    ignored.length > 1 ? h("div.small-print.weak", `and ${count(ignored.length - 1)} before`) : null,
  ]
}

function buttons({ id, device, state, token }, onDone) {
  if (state === "dismissed") return null
  const path = `/devices/${encodeURIComponent(device)}/activities/${id}`
  return [
    actions.button("Dismiss", () => new Call("POST", `${path}/dismiss`), {
      kind: "small", name: `Dismiss ${id}`, title: "Removes it, as the user does. Pushes to its token get 410.", onDone,
    }),
    token && isRunning({ state }) ? actions.button("Rotate token", () => new Call("POST", `${path}/rotate`), {
      kind: "small",
      name: `Rotate token of ${id}`,
      title: "Creates a new update token, as iOS does. Pushes to the old one get 410.",
      onDone: (answer) => {
        toasts.show(`The new token is ${shortToken(answer.token)}. Pushes to the old one get 410.`)
        onDone(answer)
      },
    }) : null,
  ]
}
