// What the browser remembers of the choices that were made here. Without leave to remember, nothing breaks.

const PREFIX = "mock-apns "

/// What was kept under a name; `null` if nothing was.
export function kept(name) {
  try {
    return localStorage.getItem(PREFIX + name)
  } catch {
    return null
  }
}

/// Keeps a text under a name.
export function keep(name, text) {
  try {
    localStorage.setItem(PREFIX + name, text)
  } catch {
    // Storage is full or forbidden: the choice holds until the page is left.
  }
}
