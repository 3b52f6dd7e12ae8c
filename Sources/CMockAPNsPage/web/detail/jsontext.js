// A JSON parser that keeps the order of members, duplicate names, all digits of numbers and any depth, and reports
// where invalid JSON starts. The browser's own parser does none of these.

/// A JSON value. `kind` is `object`, `array`, `string`, `number` or `word` (true, false, null). `name` is the member's
/// name or the index in an array. `source` is the source text, except for objects and arrays. `value` is a string's
/// content. `isRepeated` means that an earlier member of the object has the same name. `position` is the index among
/// the siblings.
class Value {
  children = []
  source = ""
  value = null
  isRepeated = false

  constructor(kind, parent, name) {
    this.kind = kind
    this.parent = parent
    this.name = name
    this.depth = parent ? parent.depth + 1 : 0
    this.position = parent ? parent.children.length : 0
  }

  get isContainer() { return this.kind === "object" || this.kind === "array" }

  /// The names from the root to this value.
  get path() {
    const names = []
    for (let at = this; at.parent; at = at.parent) names.push(at.name)
    return names.reverse()
  }

  get pointer() {
    return this.path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
  }

  get text() { return written(this, "") }
}

/// A syntax error. `at` is the offset of the first invalid character.
class Failure {
  constructor(text, at, expected) {
    this.at = at
    this.expected = expected
    const before = text.slice(0, at)
    this.line = before.split("\n").length
    this.column = at - before.lastIndexOf("\n")
  }
}

const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORD = /true|false|null/y

const CLOSED = "a string without control characters, closed by '\"'"

/// Parses a text into `{root, failure}`, one of which is `null`.
///
/// It does not use recursion, because a push may contain thousands of nested brackets.
export function readJSON(text) {
  let at = 0
  let root = null
  /// The innermost open object or array.
  let open = null
  const names = []

  const match = (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found || found[0] === "") return null
    at += found[0].length
    return found[0]
  }
  const take = (character) => {
    if (text[at] !== character) return false
    at += 1
    return true
  }
  const failed = (expected) => ({ root: null, failure: new Failure(text, at, expected) })
  const begin = (kind, name) => {
    const value = new Value(kind, open, name)
    if (open) open.children.push(value)
    else root = value
    if (value.isContainer) {
      open = value
      names.push(kind === "object" ? new Set() : null)
    }
    return value
  }
  const close = () => {
    open = open.parent
    names.pop()
  }

  for (;;) {
    // A value, in an object with its name.
    match(SPACE)
    let name = open?.kind === "array" ? open.children.length : null
    if (open?.kind === "object") {
      const source = match(STRING)
      if (!source) return failed(text[at] === '"' ? CLOSED : "a name in quotes")
      name = JSON.parse(source)
      match(SPACE)
      if (!take(":")) return failed("':'")
      match(SPACE)
    }
    const repeated = open?.kind === "object" && names.at(-1).has(name)
    if (open?.kind === "object") names.at(-1).add(name)
    let value
    let source
    if (take("{")) {
      value = begin("object", name)
      match(SPACE)
      if (take("}")) close()
    } else if (take("[")) {
      value = begin("array", name)
      match(SPACE)
      if (take("]")) close()
    } else if ((source = match(STRING))) {
      value = begin("string", name)
      value.value = JSON.parse(source)
    } else if ((source = match(NUMBER))) {
      value = begin("number", name)
    } else if ((source = match(WORD))) {
      value = begin("word", name)
    } else {
      return failed(text[at] === '"' ? CLOSED : "a JSON value")
    }
    value.source = source ?? ""
    value.isRepeated = repeated
    if (open === value) continue

    // After the value: closing brackets, or a comma.
    for (;;) {
      match(SPACE)
      if (!open) return at === text.length ? { root, failure: null } : failed("the end")
      if (take(",")) break
      if (!take(open.kind === "object" ? "}" : "]")) {
        return failed(open.kind === "object" ? "',' or '}'" : "',' or ']'")
      }
      close()
    }
  }
}

/// A value as JSON, with each level indented by `indent`, or on one line if `indent` is empty.
///
/// It does not use recursion either.
export function written(root, indent = "  ") {
  const parts = []
  const space = indent ? " " : ""
  const line = (depth) => (indent ? `\n${indent.repeat(Math.min(depth, 40))}` : "")
  const stack = [{ value: root, depth: 0, next: 0 }]
  while (stack.length > 0) {
    const top = stack.at(-1)
    const { value, depth } = top
    const [opening, closing] = value.kind === "object" ? "{}" : "[]"
    if (!value.isContainer) {
      parts.push(value.source)
      stack.pop()
    } else if (top.next === value.children.length) {
      parts.push(value.children.length > 0 ? line(depth) : opening, closing)
      stack.pop()
    } else {
      const child = value.children[top.next]
      parts.push(top.next === 0 ? opening : ",", line(depth + 1))
      if (value.kind === "object") parts.push(`${JSON.stringify(child.name)}:${space}`)
      stack.push({ value: child, depth: depth + 1, next: 0 })
      top.next += 1
    }
  }
  return parts.join("")
}

/// The values without children, in source order, up to `limit`.
export function leaves(root, limit = Infinity) {
  const found = []
  const stack = [root]
  while (stack.length > 0 && found.length < limit) {
    const value = stack.pop()
    if (value.isContainer && value.children.length > 0) stack.push(...value.children.toReversed())
    else found.push(value)
  }
  return found
}
