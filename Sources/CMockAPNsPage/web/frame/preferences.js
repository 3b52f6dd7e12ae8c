// Preferences that are saved in the browser, if it allows that.

const PREFIX = "mock-apns "

/// The saved value of a preference; `null` if there is none.
export function preference(name) {
  try {
    return localStorage.getItem(PREFIX + name)
  } catch {
    return null
  }
}

export function savePreference(name, text) {
  try {
    localStorage.setItem(PREFIX + name, text)
  } catch {
    // Storage is full or disabled: the choice lasts until the page is closed.
  }
}
