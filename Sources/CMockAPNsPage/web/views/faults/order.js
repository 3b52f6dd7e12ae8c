// Reorders the faults by drag and drop. A line shows the drop position.

/// Makes the children of a list draggable. `onOrder(ids)` gets the new order.
export function makeSortable(list, onOrder) {
  let dragged = null
  const unmark = (...classes) => {
    for (const item of list.children) item.classList.remove("drop-before", "drop-after", ...classes)
  }
  /// The child under the pointer, and whether the pointer is in its lower half.
  const target = (event) => {
    const item = event.target.closest?.("[data-fault]")
    if (!item || item === dragged) return null
    const { top, height } = item.getBoundingClientRect()
    return { item, isAfter: event.clientY > top + height / 2 }
  }
  list.addEventListener("dragstart", (event) => {
    dragged = event.target.closest("[data-fault]")
    if (!dragged) return
    event.dataTransfer.effectAllowed = "move"
    event.dataTransfer.setData("text/plain", dragged.dataset.fault)
    event.dataTransfer.setDragImage(dragged, 16, 16)
    dragged.classList.add("dragged")
  })
  list.addEventListener("dragover", (event) => {
    if (!dragged) return
    event.preventDefault()
    const over = target(event)
    unmark()
    over?.item.classList.add(over.isAfter ? "drop-after" : "drop-before")
  })
  list.addEventListener("drop", (event) => {
    if (!dragged) return
    event.preventDefault()
    const over = target(event)
    const id = dragged.dataset.fault
    if (!over) return
    const ids = [...list.children].map((item) => item.dataset.fault).filter((other) => other !== id)
    ids.splice(ids.indexOf(over.item.dataset.fault) + (over.isAfter ? 1 : 0), 0, id)
    onOrder(ids)
  })
  list.addEventListener("dragend", () => {
    unmark("dragged")
    dragged = null
  })
}
