// Content that has to be loaded first.

import { replace } from "./dom.js"
import { problemNote } from "./parts.js"

/// The newest call for each element.
const newest = new WeakMap()

/// Fills an element with `draw(answer)` for what `read()` resolves to, or with the error and a button that tries again.
/// Of several calls for an element, only the newest counts. If `draw` returns `undefined`, the content stays.
export async function showLoaded(element, read, draw) {
  const call = {}
  newest.set(element, call)
  element.ariaBusy = "true"
  const show = (content) => {
    if (content !== undefined) replace(element, content)
  }
  try {
    const answer = await read()
    if (newest.get(element) === call) show(draw(answer))
  } catch (error) {
    if (newest.get(element) === call) show(problemNote(error, () => showLoaded(element, read, draw)))
  } finally {
    if (newest.get(element) === call) element.ariaBusy = null
  }
}
