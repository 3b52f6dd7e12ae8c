// What most modules draw with: elements, texts, numbers and lists.

export { append, h, plain, plainLines, replace, shortToken, svg } from "./dom.js"
export { icon } from "./icons.js"
export { pageLink, pushLink, pushPath } from "./links.js"
export { showLoaded } from "./loaded.js"
export {
  block, chip, columns, emptyState, facts, foreign, keepingFocus, note, part, problemNote, sentence, shareMeter,
  valueOf,
} from "./parts.js"
export { Rows, redraw, refill } from "./rows.js"
export { count, counted, length, pushCount, timeOfDay, timesCount } from "./time.js"
export { timeElement, useServerClock } from "./time-element.js"
