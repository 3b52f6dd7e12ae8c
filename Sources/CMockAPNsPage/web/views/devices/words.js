// What is said of devices and the apps on them.

import { count } from "../../core/time.js"
import { shortToken } from "../../core/dom.js"

/// What a registration's state means for pushes, by the API's names; `registered` is the only living one.
export const DEAD = {
  uninstalled: "Uninstalled: pushes are answered 410",
  rotated: "Old token: pushes are answered 410",
  expired: "Expired: pushes are answered 410",
  inactive: "Offline for too long: pushes are answered 410 until it is back",
}

/// What a change delivered and threw away: `Delivered 3, expired 1`.
export function deliveryWords(report) {
  const parts = [`Delivered ${count(report.deliveredCount)}`, `expired ${count(report.expiredCount)}`]
  if (report.discardedCount) parts.push(`discarded ${count(report.discardedCount)}`)
  if (report.inactiveCount) parts.push(`${count(report.inactiveCount)} tokens inactive`)
  return parts.join(", ")
}

/// Whether a report has anything to tell of.
export function hasNews(report) {
  return report.deliveredCount + report.expiredCount + report.discardedCount + report.inactiveCount > 0
}

/// The name of a device: its label, or the ends of its first token.
export function deviceName(device) {
  const token = device.registrations[0]?.token
  return device.label ?? (token ? shortToken(token) : device.id)
}

/// The address of what a device received, as a search.
export function pushesOf(device) {
  const token = device.registrations[0]?.token
  if (device.label && /^[\w.-]+$/.test(device.label)) return `device:${device.label}`
  return token ? `token:${token}` : null
}
