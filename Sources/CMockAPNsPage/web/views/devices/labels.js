// Texts about devices and their apps.

import { count, shortToken } from "../../core/core.js"

/// What a registration's state means for pushes, by the API's names.
const DEAD = {
  uninstalled: "Uninstalled: pushes get 410",
  rotated: "Old token: pushes get 410",
  expired: "Expired: pushes get 410",
  inactive: "Offline for too long: pushes get 410 until the device is online",
}

/// What a registration's state means for pushes; `null` for one that works.
export function deadWords({ state, deadSince }) {
  if (state === "registered") return null
  // With the setting `uninstallDetection`, APNs may learn later that the app was uninstalled.
  if (state === "uninstalled" && deadSince === null) return "Uninstalled: pushes get 200 until APNs finds out"
  return DEAD[state] ?? state
}

/// What a change delivered and discarded: `Delivered 3, expired 1`.
export function deliveryWords(report) {
  const parts = [`Delivered ${count(report.deliveredCount)}`, `expired ${count(report.expiredCount)}`]
  if (report.discardedCount) parts.push(`discarded ${count(report.discardedCount)}`)
  if (report.inactiveCount) parts.push(`${count(report.inactiveCount)} tokens inactive`)
  if (report.activityCount) parts.push(`${count(report.activityCount)} changes of Live Activities`)
  if (report.unregisteredCount) parts.push(`${count(report.unregisteredCount)} tokens unregistered`)
  return parts.join(", ")
}

/// Whether a report has any counts.
export function hasNews(report) {
  const { deliveredCount, expiredCount, discardedCount, inactiveCount, unregisteredCount } = report
  return deliveredCount + expiredCount + discardedCount + inactiveCount + unregisteredCount > 0
}

/// The name of a device: its label, or its shortened first token.
export function deviceName(device) {
  const token = device.registrations[0]?.token
  return device.label ?? (token ? shortToken(token) : device.id)
}

/// The search for the pushes to a device.
export function pushesOf(device) {
  const token = device.registrations[0]?.token
  if (device.label && /^[\w.-]+$/.test(device.label)) return `device:${device.label}`
  return token ? `token:${token}` : null
}
