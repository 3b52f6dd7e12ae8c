// Names and counts of faults.

import { count, plain, timesCount } from "../../core/core.js"

/// The name of a fault: its own name, its preset's, or its id.
export function faultName(fault) { return plain(fault.name ?? fault.preset ?? fault.id, 100) }

/// How often a fault has fired: `Fired 1 of 2`.
export function firedWords({ stats, when }) {
  if (when.times) return `Fired ${count(stats.fired)} of ${count(when.times)}`
  return stats.fired === 0 ? "Never fired" : `Fired ${timesCount(stats.fired)}`
}

/// The members of a fault that the API accepts.
export function draftOf({ name, enabled, match, when, do: action }) {
  return { ...(name === null ? {} : { name }), enabled, match, when, do: action }
}
