// The dialog with the current Notification Center of the device that a push was sent to.

import { api, chip, live, openDialog, soon, toasts } from "../core/core.js"
import { EntryList, MOST, notificationEntry } from "../views/devices/entries.js"

/// The pause between an event for the device and reading its Notification Center again (milliseconds).
const PAUSE = 500

/// Opens the dialog. It follows the device while it is open.
export function openInbox({ id, apns: { token } }) {
  const list = new EntryList(null, (one) => {
    const entry = notificationEntry(one)
    return one.push === id ? { ...entry, state: [chip("this push", "good"), " ", entry.state] } : entry
  })
  const load = async () => {
    try {
      const inbox = await api.get(`/devices/${encodeURIComponent(token)}/inbox`)
      // This push is always listed.
      list.show(words(inbox, id), inbox.notifications.filter(({ push }, at) => at < MOST - 1 || push === id))
    } catch (error) {
      toasts.problem(error)
    }
  }
  const loadSoon = soon(load, PAUSE)
  const heard = ({ detail: { type, data } }) => {
    if (type.startsWith("push.") && data.token === token) loadSoon()
  }
  live.addEventListener("message", heard)
  openDialog("Notification Center", list.element)
    .addEventListener("close", () => live.removeEventListener("message", heard))
  load()
}

function words({ notifications, badge, note }, id) {
  const { length } = notifications
  const isMissing = length > 0 && !notifications.some(({ push }) => push === id)
  return [
    length === 0 ? "Notification Center is empty." : `${length} in Notification Center.`,
    badge === null ? "" : `The badge is ${badge}.`,
    isMissing ? "This push is not one of them." : "",
    note,
  ].filter(Boolean).join(" ")
}
