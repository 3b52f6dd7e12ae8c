// The view of the broadcast channels: the table, or one channel.

import { channelPart } from "../core/channels.js"
import { h } from "../core/dom.js"
import { ChannelDetail } from "./channels/detail.js"
import { createChannel } from "./channels/dialogs.js"
import { ChannelList } from "./channels/list.js"
import { CollectionView } from "./parts/collection-view.js"

/// The shortest interval between two requests while channels change (milliseconds).
const PAUSE = 700

export class ChannelsView extends CollectionView {
  constructor(app) {
    super(app, {
      name: "channels-view",
      title: "Channels",
      stops: ".channel-name",
      about: "Broadcast channels. A broadcast goes to every device that is subscribed to its channel.",
      entry: "channel",
      path: "/channels",
      searches: "App or channel ID",
    })
    this.list = new ChannelList(app, {
      makeButton: (kind) => this.#createButton(kind),
      onDeleted: () => {
        this.refresh()
        this.heading.focus()
      },
    })
    this.detail = new ChannelDetail(app, { onBack: () => this.toList(), onChanged: () => this.refresh() })
    this.tools.append(this.#createButton("primary"))
  }

  message({ type, data }) {
    const isOurs = type === "channel.changed" || (type === "device.changed" && this.detail.has(data.id))
    if (isOurs) this.refreshSoon(PAUSE)
  }

  #createButton(kind) {
    return h("button", {
      class: kind,
      onclick: () => createChannel(this.app, ({ id }) => {
        this.app.router.go(this.app.router.path(`/channels/${channelPart(id)}`))
      }),
    }, "Create channel…")
  }
}
