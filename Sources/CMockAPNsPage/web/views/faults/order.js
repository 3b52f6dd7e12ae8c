// Reorders the faults by drag and drop.

/// Makes the children of a list draggable: the dragged one follows the pointer. `onMove(id, index)` gets its ID and its
/// new index; `onCancel` restores the order.
export function makeSortable(list, onMove, onCancel) {
  let dragged = null
  list.addEventListener("dragstart", (event) => {
    dragged = event.target.closest("[data-fault]")
    event.dataTransfer.effectAllowed = "move"
    event.dataTransfer.setData("text/plain", dragged.dataset.fault)
    event.dataTransfer.setDragImage(dragged, 16, 16)
    dragged.classList.add("dragged")
  })
  list.addEventListener("dragover", (event) => {
    if (!dragged) return
    event.preventDefault()
    const item = event.target.closest?.("[data-fault]")
    if (!item || item === dragged) return
    const { top, height } = item.getBoundingClientRect()
    item.insertAdjacentElement(event.clientY > top + height / 2 ? "afterend" : "beforebegin", dragged)
  })
  list.addEventListener("drop", (event) => event.preventDefault())
  list.addEventListener("dragend", (event) => {
    dragged.classList.remove("dragged")
    const index = [...list.children].indexOf(dragged)
    if (event.dataTransfer.dropEffect === "none") onCancel()
    else onMove(dragged.dataset.fault, index)
    dragged = null
  })
}
