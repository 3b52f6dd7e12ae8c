// The view of the broadcast channels: the table, or one channel.

import {
  appPart, channelPart, copyable, count, emptyState, environmentWords, h, pageLink, STORAGE, timeElement,
} from "../core/core.js"
import { ChannelPage, storedPart } from "./channels/page.js"
import { createChannel, deleteButton } from "./channels/dialogs.js"
import { CollectionView } from "./parts/collection-view.js"
import { copyIcon } from "./parts/controls.js"
import { PagedTable } from "./parts/paged-table.js"

const FIRST_COMMAND = "mock-apns channels create com.example.app"

export class ChannelsView extends CollectionView {
  constructor() {
    super({
      noun: "channel",
      about: "Broadcast channels. A broadcast goes to every device that is subscribed to its channel.",
      searches: "App or channel ID",
      events: /^(channel|device)\.changed$|^activity\./,
      pause: 700,
    })
    this.list = new PagedTable("channels", "Broadcast channels", this.#columns(), {
      kind: "stacking channels-table",
      empty: ({ q }) => (q
        ? emptyState("No matching channels", "No app or channel ID contains this text.")
        : emptyState("No channels yet",
          "A provider creates a channel, devices subscribe to it, and one broadcast updates the Live Activities of all "
            + "of them. Create a channel here, or with this command:",
          copyable(FIRST_COMMAND, "Copy command", "Command that creates a channel"),
          this.#createButton("primary"))),
    })
    this.detail = new ChannelPage(this)
    this.tools.append(this.#createButton("primary"))
  }

  #columns() {
    return [
      { label: "Channel", isHead: true, isBare: true, show: ({ id }) => h("span.token",
        pageLink(`/channels/${channelPart(id)}`, h("code", id), { kind: "channel-name" }),
        copyIcon(id, `channel ID ${id}`)) },
      { label: "App", kind: "foreign", show: ({ bundleId }) => appPart(bundleId) },
      { label: "Environment", show: ({ environment }) => environmentWords(environment) },
      { label: "Stores", show: ({ storagePolicy }) => STORAGE[storagePolicy] },
      { label: "Subscribers", kind: "number", show: ({ metrics }) => count(metrics.uniqueSubscribers) },
      { label: "Stored message", show: ({ stored }) => storedPart(stored) },
      { label: "Created", show: ({ createdAt }) => timeElement(createdAt, { isOfClock: true }) },
      { label: "Actions", kind: "row-actions", isBare: true,
        show: (_, row) => deleteButton(row, "small", () => this.removed()) },
    ]
  }

  #createButton(kind) {
    const onclick = () => createChannel(({ id }) => this.open(channelPart(id)))
    return h("button", { class: kind, onclick }, "Create channel…")
  }
}
