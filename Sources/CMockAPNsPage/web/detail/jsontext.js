// A JSON parser that keeps the order of members, duplicate names, all digits of numbers and any depth, and reports
// where invalid JSON starts. The browser's own parser does none of these.

const KINDS = { "{": "object", "[": "array", '"': "string", t: "word", f: "word", n: "word" }
const CLOSING = { object: /\}/y, array: /\]/y }

/// A JSON value. `kind` is `object`, `array`, `string`, `number` or `word` (true, false, null). `source` is its text,
/// which is complete once it is parsed. `parent` is the object or array around it, `name` its name or index there.
/// `isRepeated` means that an earlier member of the object has the same name. `size` counts the children, `position`
/// is the number among the siblings.
class Value {
  size = 0
  names = new Set()

  constructor(source, start, parent, name) {
    this.source = source
    this.start = start
    this.kind = KINDS[source[0]] ?? "number"
    this.isContainer = Object.hasOwn(CLOSING, this.kind)
    this.parent = parent
    this.name = name
    this.depth = parent ? parent.depth + 1 : 0
    this.isRepeated = Boolean(parent?.names.has(name))
    this.position = parent ? parent.size += 1 : 1
    parent?.names.add(name)
  }

  /// The names from the root to this value.
  get path() {
    const names = []
    for (let at = this; at.parent; at = at.parent) names.push(at.name)
    return names.reverse()
  }

  get pointer() {
    return this.path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
  }
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const VALUE = new RegExp(`[{[]|true|false|null|${STRING.source}|${NUMBER.source}`, "y")
const COLON = /:/y
const COMMA = /,/y
const SPACE = /[ \t\n\r]*/y

/// Parses a text: `{values}` in their order, the root first, or `{failure}`, the first invalid character:
/// `{at, line, column, expected}`.
///
/// It does not use recursion, because a push may contain thousands of nested brackets.
export function readJSON(text) {
  const values = []
  let at = 0
  /// The innermost open object or array.
  let open = null

  const match = (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ""
    at += found.length
    return found
  }
  const take = (pattern) => {
    match(SPACE)
    return match(pattern)
  }
  const failed = (expected) => {
    const lines = text.slice(0, at).split("\n")
    return { failure: { at, line: lines.length, column: lines.at(-1).length + 1, expected } }
  }
  const failedBefore = (expected) => {
    return failed(text[at] === '"' ? "a string without control characters, closed by '\"'" : expected)
  }

  for (;;) {
    let name = open?.size
    if (open?.kind === "object") {
      const source = take(STRING)
      if (!source) return failedBefore("a name in quotes")
      name = JSON.parse(source)
      if (!take(COLON)) return failed("':'")
    }
    const source = take(VALUE)
    if (!source) return failedBefore("a JSON value")
    const value = new Value(source, at - source.length, open, name)
    values.push(value)
    if (value.isContainer) open = value
    while (open && take(CLOSING[open.kind])) {
      open.source = text.slice(open.start, at)
      open = open.parent
    }
    if (!open) {
      match(SPACE)
      return at === text.length ? { values } : failed("the end")
    }
    const isFirst = open.size === 0
    if (!isFirst && !take(COMMA)) return failed(open.kind === "object" ? "',' or '}'" : "',' or ']'")
  }
}

/// Valid JSON without white space.
export function compacted(text) { return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") }

/// Valid JSON with a line for each value. Deep levels are not indented further.
export function formatted(text) {
  let depth = 0
  const line = (change) => {
    depth += change
    return `\n${"  ".repeat(Math.min(depth, 40))}`
  }
  return compacted(text).replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === "{" || token === "[") return token + line(1)
    if (token === "}" || token === "]") return line(-1) + token
    if (token === ",") return token + line(0)
    return token === ":" ? ": " : token
  })
}
