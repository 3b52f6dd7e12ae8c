// The view of the broadcast channels: the table, or one channel.

import { h, replace } from "../core/dom.js"
import { emptyState } from "../core/parts.js"
import { channelPart } from "../core/channels.js"
import { ChannelDetail } from "./channels/detail.js"
import { createChannel } from "./channels/dialogs.js"
import { ChannelList } from "./channels/list.js"
import { View } from "./parts/view.js"

/// The shortest interval between two requests while channels change (milliseconds).
const PAUSE = 700

export class ChannelsView extends View {
  #loaded = null
  #cameFrom = null
  /// The channel that is shown, by its address; `null` for the table.
  #opened = null
  #timer = 0

  constructor(app) {
    super(app, {
      name: "channels-view",
      title: "Channels",
      stops: ".channel-name",
      about: "Broadcast channels. A broadcast goes to every device that is subscribed to its channel.",
    })
    this.list = new ChannelList(app, {
      makeButton: (kind) => this.#createButton(kind),
      onDeleted: () => {
        this.refresh()
        this.heading.focus()
      },
    })
    this.detail = new ChannelDetail(app, { onBack: () => this.#toList(), onChanged: () => this.refresh() })
    this.search = h("input", { type: "search", placeholder: "App or channel ID", "aria-label": "Filter channels" })
    this.search.addEventListener("input", () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#filter(), 200)
    })
    this.tools.append(this.search, this.#createButton("primary"))
  }

  async load() {
    const { channel, filter = "" } = this.parameters
    this.#loaded = this.#key()
    if (channel) {
      await this.#loadChannel(channel)
    } else {
      this.#opened = null
      if (document.activeElement !== this.search) this.search.value = filter
      await this.list.load(filter)
      this.#place(this.list.element)
      if (this.#cameFrom) this.list.focus(this.#cameFrom)
      this.#cameFrom = null
    }
    this.tools.hidden = Boolean(channel)
    this.about.hidden = Boolean(channel)
  }

  async #loadChannel(id) {
    try {
      await this.detail.show(id)
      this.#place(this.detail.element)
      if (this.#opened !== id) this.detail.focus()
      this.#opened = id
    } catch (error) {
      if (error.status !== 404 && error.status !== 400) throw error
      this.detail.forget()
      const back = h("a", { class: "button", href: this.app.router.path("/channels") }, "All channels")
      replace(this.content, emptyState("Channel not found", error.message, back))
    }
  }

  draw() {
    if (this.#key() !== this.#loaded) this.refresh()
  }

  /// Handles Escape, which returns to the table.
  key(name) {
    if (name !== "Escape" || !this.parameters.channel) return super.key(name)
    this.#toList()
    return true
  }

  forget() {
    this.list.forget()
    this.detail.forget()
  }

  message({ type, data }) {
    const isOurs = type === "channel.changed" || (type === "device.changed" && this.detail.has(data.id))
    if (isOurs) this.refreshSoon(PAUSE)
  }

  #place(element) {
    if (element.parentElement !== this.content) replace(this.content, element)
  }

  #key() {
    const { channel = "", filter = "" } = this.parameters
    return JSON.stringify([channel, filter])
  }

  #toList() {
    this.#cameFrom = this.detail.id
    this.app.router.go(this.app.router.path("/channels"))
  }

  #filter() {
    const { router } = this.app
    router.go(router.path("/channels", { filter: this.search.value.trim() }), { instead: true })
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
