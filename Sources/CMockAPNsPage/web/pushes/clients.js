// Code that connects client libraries to this server: that of docs/clients.md, with the server's values filled in.

/// A variable of `mock-apns exec`, as the languages read it.
const VARIABLE = new RegExp([
  /process\.env\.(\w+)/, /os\.environ\["(\w+)"\]/, /(?:os\.Getenv|System\.getenv)\("(\w+)"\)/,
  /environment\["(\w+)"\]!/, /ENV\['(\w+)'\]/, /\$(MOCK_APNS_\w+)/,
].map(({ source }) => source).join("|"), "g")

/// A section of the document: its title, its first code, and the first paragraph or entry of a list after that.
const SECTION = /^(.+)\n[^]*?\n```\w+\n([^]*?)```\n*(?:- )?((?:.+\n)*?)(?=- |\n|$)/

/// Returns the clients: `{name, code, note}`. `values` are the values of the variables.
export async function clients(values) {
  return (await sections("clients.md")).map(({ name, code, note }) => ({
    name,
    code: filledIn(code, values),
    note: filledIn(note, values).replaceAll(/`|\[(.*?)\]\(.*?\)/g, "$1"),
  }))
}

/// Returns the sections of a document that have code: `{name, code, note}`.
export async function sections(document) {
  const response = await fetch(`/ui/${document}`).catch((cause) => {
    throw new Error("The server is not responding.", { cause })
  })
  const all = (await response.text()).split(/^## /m).slice(1).map((section) => SECTION.exec(section))
  return all.filter(Boolean).map(([, name, code, note]) => ({ name, code: code.trimEnd(), note }))
}

/// A shell has variables inside of strings; elsewhere a variable becomes a string, and what converts it a number.
function filledIn(text, values) {
  return text.replaceAll(VARIABLE, (variable, ...names) => {
    const value = values[names.find((name) => typeof name === "string")] ?? ""
    return variable.startsWith("$") ? value.replaceAll(/["\\$`]/g, "\\$&") : JSON.stringify(value)
  }).replaceAll(/\b(?:Number|Integer\.parseInt|int|Int)\("(\d+)"\)!?/g, "$1")
}
