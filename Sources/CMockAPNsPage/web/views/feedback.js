// The feedback list: device tokens to which a provider must stop sending pushes.

import {
  actions, api, appPart, Call, chip, count, counted, emptyState, FEEDBACK_CAUSES, h, pageLink, plain, pushCount,
  shortToken, timeElement, toasts,
} from "../core/core.js"
import { tokenPart } from "./parts/controls.js"
import { Table } from "./parts/table.js"
import { View } from "./parts/view.js"

/// The number of rows that are shown at first and added by “Show more”.
const PAGE = 200

const COLUMNS = [
  { label: "Token", show: ({ token }) => [tokenPart(token), " ", pageLink("/", "View pushes",
    { kind: "small-print", name: `Pushes to ${shortToken(token)}`, q: `token:${token}` })] },
  { label: "Device", show: ({ device }) => (device === null ? "–" : pageLink(
    `/devices/${encodeURIComponent(`@${device}`)}`, plain(device, 60), { kind: "foreign" })) },
  { label: "Topic", kind: "foreign", show: ({ topic }) => (topic === null ? "–" : appPart(topic)) },
  { label: "Cause", show: ({ cause }) => FEEDBACK_CAUSES[cause] ?? cause },
  { label: "Invalid since", show: ({ unregisteredAt }) => timeElement(unregisteredAt, { isOfClock: true }) },
  { label: "410 responses", kind: "number", show: ({ reported410, lastReportedAt }) => [
    count(reported410),
    lastReportedAt
      ? h("div.weak.small-print", "last ", timeElement(lastReportedAt, { isOfClock: true }))
      : null] },
  { label: "Pushes after first 410", kind: "number", show: ({ pushesAfterFirst410: pushes }) => (pushes === 0
    ? h("span.weak", "none")
    : chip(pushCount(pushes), "bad", "warning")) },
]

export class FeedbackView extends View {
  #most = PAGE

  constructor() {
    super({
      name: "feedback-view",
      title: "Feedback",
      about: "Invalid device tokens: pushes to them get 410, and providers must stop sending.",
      events: /^(feedback\.added|device\.changed)$/,
      pause: 1_000,
    })
    this.clear = actions.button("Clear list…", () => new Call("DELETE", "/feedback"), {
      ask: {
        title: "Clear the feedback list?",
        text: "The tokens stay invalid: pushes to them still get 410.",
        button: "Clear list",
      },
      onDone: (answer) => {
        toasts.show(`Cleared ${counted(answer.deleted, "token")}.`)
        this.removed()
      },
    })
    this.tools.append(this.clear)
    this.table = new Table("Invalid device tokens", COLUMNS, {
      kind: "stacking feedback-table",
      key: ({ token }) => token,
      onMore: () => {
        this.#most += PAGE
        this.refresh()
      },
      empty: () => emptyState("No invalid tokens",
        "When an app is uninstalled or gets a new token, or its device is offline for too long, pushes to the old "
          + "token get 410. The token is listed here with the pushes that the provider sent afterwards.",
        pageLink("/devices", "Open devices", { kind: "button" })),
    })
  }

  async load() {
    const { feedback: entries } = await api.get("/feedback")
    this.clear.hidden = entries.length === 0
    const careless = entries.filter((entry) => entry.pushesAfterFirst410 > 0).length
    const words = careless ? `${count(careless)} with pushes after a 410` : "no pushes after a 410"
    this.table.show(entries.slice(0, this.#most), `${counted(entries.length, "token")}; ${words}.`,
      entries.length > this.#most)
    this.place(this.table.element)
  }

  message(message) {
    super.message(message)
    // Repeated 410 responses cause no feedback event.
    if (message.type === "push.responded" && this.isShown && message.data.status === 410) this.refreshSoon()
    else this.markStale()
  }
}
