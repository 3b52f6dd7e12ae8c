// A button that asks for a file.

import { h } from "./dom.js"

/// `accept` limits the kinds of files, as that attribute of an input does. `onFile(file)` gets the chosen one.
export function fileButton(label, accept, onFile) {
  const onchange = () => {
    const [file] = input.files
    // So that the same file can be chosen again.
    input.value = ""
    if (file) onFile(file)
  }
  const input = h("input", { type: "file", accept, onchange })
  return h("button.small", { type: "button", onclick: () => input.click() }, label)
}
