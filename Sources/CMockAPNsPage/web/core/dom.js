// Creates elements. Text is inserted as text, never as markup: the content of a push is untrusted.

const SVG = "http://www.w3.org/2000/svg"

/// Creates an element. `tag` is its name and its classes: `p.weak.foreign`.
///
/// `content` are its children: nodes, text, numbers or lists of these. An object before them has its properties:
/// attributes by name, `on…` listeners, the objects `data` and `style` (set through the CSSOM, which the page's policy
/// allows), and a `class` in addition to those of the tag. `null`, `undefined` and `false` are left out of both.
export function h(tag, ...content) {
  return fill(document.createElement(nameOf(tag)), tag, content)
}

/// Creates an SVG element; otherwise like `h`.
export function svg(tag, ...content) {
  return fill(document.createElementNS(SVG, nameOf(tag)), tag, content)
}

function nameOf(tag) { return tag.split(".", 1)[0] }

function fill(element, tag, content) {
  const isPlain = content[0]?.constructor === Object
  const { class: added, ...properties } = isPlain ? content[0] : {}
  const classes = [...tag.split(".").slice(1), added].filter(Boolean)
  if (classes.length) element.setAttribute("class", classes.join(" "))
  for (const [name, value] of Object.entries(properties)) {
    if ((value ?? false) === false) continue
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2).toLowerCase(), value)
    } else if (name === "data") {
      Object.assign(element.dataset, value)
    } else if (name === "style") {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text)
    } else if (name === "value") {
      element.value = value
    } else {
      element.setAttribute(name, value === true ? "" : String(value))
    }
  }
  append(element, isPlain ? content.slice(1) : content)
  return element
}

/// Appends nodes, text, numbers and lists of these.
export function append(element, children) {
  for (const child of children.flat(Infinity)) if ((child ?? false) !== false) element.append(child)
}

/// Replaces the children of an element.
export function replace(element, ...children) {
  element.replaceChildren()
  append(element, children)
}

/// Characters that can hide or reorder text: control and bidirectional formatting characters.
const TRICKS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/// One line of untrusted text with control and bidirectional characters escaped, so that it cannot imitate other
/// content. Cut to `limit` characters.
export function plain(text, limit = 300) {
  const whole = String(text ?? "")
  const cut = whole.length > limit ? `${whole.slice(0, limit)}…` : whole
  return cut.replace(TRICKS, (character) => (character === "\n" || character === "\t" ? " " : escaped(character)))
}

/// The same for text of several lines, without a limit.
export function plainLines(text) {
  return String(text ?? "").replace(TRICKS, (character) => {
    return character === "\n" || character === "\t" ? character : escaped(character)
  })
}

/// A UTF-16 unit as an escape of JSON.
export function escaped(character) {
  return `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`
}

/// A shortened device token: `3f2a5b…9c01`.
export function shortToken(token) {
  const text = plain(token, 200)
  return text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
}
