// The dialog with the current Notification Center of the device that a push was sent to.

import { openDialog, toasts } from "../core/actions.js"
import { api } from "../core/api.js"
import { chip } from "../core/elements.js"
import { EntryList, notificationEntry } from "../views/devices/entries.js"

export async function openInbox({ id, apns }) {
  try {
    const inbox = await api.get(`/devices/${encodeURIComponent(apns.token)}/inbox`)
    const list = new EntryList(null, (one) => {
      const entry = notificationEntry(one)
      return one.push === id ? { ...entry, state: [chip("this push", "good"), " ", entry.state] } : entry
    })
    list.show(words(inbox, id), inbox.notifications)
    openDialog("Notification Center", list.element)
  } catch (error) {
    toasts.problem(error)
  }
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
