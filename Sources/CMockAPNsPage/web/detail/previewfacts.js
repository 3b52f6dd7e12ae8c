// The facts beside the preview picture.

import { APP_STATES } from "../core/vocabulary.js"
import { chip, columns, facts, foreign, h, icon, part, plain, plainLines, replace } from "../core/elements.js"

/// The kind of notification, its texts and its other members.
///
/// `onStrings` and `onCategory` open the dialogs for localized strings and action buttons.
export function previewFacts(preview, { onStrings, onCategory }) {
  const texts = [["Title", preview.title], ["Subtitle", preview.subtitle], ["Body", preview.body]]
  const isKey = texts.some(([, one]) => one?.source === "key-not-found")
  return [
    h("div.lead", h("h3", preview.headline), h("p.weak", preview.summary)),
    facts([
      ...texts.map(([name, one]) => [name, one && !isInPicture(one) ? text(one) : null]),
      ["Relevance score", preview.relevanceScore],
      ["Target content", preview.targetContentId === null ? null : foreign(preview.targetContentId)],
      ["Launch image", preview.launchImage === null ? null : foreign(preview.launchImage)],
      ["Buttons", preview.categoryActions?.length ? buttons(preview.categoryActions) : null],
      ["Collapse ID", preview.collapseId === null ? null : foreign(preview.collapseId)],
    ]),
    preview.chips.length === 0 ? null : asks(preview.chips),
    isKey
      ? h("div.note",
        h("p", "These strings are localized in the app. Add a strings table to preview them."),
        h("button.small", { onclick: onStrings }, "Add strings table…"))
      : null,
    preview.category ? aboutCategory(preview, onCategory) : null,
    preview.attachment ? attachment(preview.attachment) : null,
    preview.liveActivity ? liveActivity(preview.liveActivity) : null,
  ]
}

/// Whether the picture has the whole text as it is in the payload.
function isInPicture({ text, source }) { return source === "text" && text.length <= 80 && !text.includes("\n") }

/// What else the push asks for. If space is limited, the meanings are shown after a click.
function asks(chips) {
  const list = h("ul.asks", chips.map(({ name, meaning }) => h("li", { title: meaning },
    chip(plain(name, 60)),
    h("span", meaning))))
  const toggle = h("button.small.quiet.explain", {
    "aria-expanded": "false",
    onclick: () => toggle.setAttribute("aria-expanded", String(list.classList.toggle("explained"))),
  }, "Explain")
  return h("div.asks-frame", list, toggle)
}

function buttons(actions) {
  return h("ol.buttons-list", actions.map((one) => h("li",
    foreign(one.title),
    BUTTON_OPTIONS.filter(([name]) => one[name]).map(([, words]) => [" ", chip(words)]))))
}

const BUTTON_OPTIONS = [
  ["destructive", "destructive"],
  ["textInput", "text input"],
  ["foreground", "opens the app"],
  ["authenticationRequired", "requires unlock"],
]

/// The button that opens the dialog for action buttons.
function aboutCategory(preview, onCategory) {
  const label = preview.categoryActions !== null ? "Edit action buttons…" : "Add action buttons…"
  return h("div", h("button.small", { onclick: onCategory }, label))
}

/// The image that the app may attach. The browser loads it only after a click, because it is on any server.
function attachment(address) {
  const frame = h("div.attachment")
  const show = () => replace(frame, h("img", {
    alt: "Picture that the payload refers to",
    referrerpolicy: "no-referrer",
    onerror: () => replace(frame, h("p.weak", { role: "alert" }, "The picture could not be loaded.")),
    src: address,
  }))
  const words = h("span.weak.foreign", plain(address, 80))
  replace(frame, h("button.small", { onclick: show, title: "Loads it from this address" }, "Show picture"), words)
  return frame
}

/// A text and its origin.
function text({ text, source, key, arguments: values }) {
  const origin = {
    localized: () => ["from ", keyOf(key, values)],
    "key-not-found": () => [chip("no string for this key", "warn", "warning"), " ", keyOf(key, values)],
  }[source]?.()
  return [
    h("span.foreign.whole-text", plainLines(text)),
    origin ? h("span.meaning", origin) : null,
  ]
}

function keyOf(key, values) {
  const list = values.length > 0 ? ` (${values.join(", ")})` : ""
  return h("code.foreign", plain(`${key}${list}`, 200))
}

function liveActivity(activity) {
  const json = (value) => {
    const isEmpty = value === null || value === undefined
    return isEmpty ? null : h("pre.foreign", h("code", plainLines(JSON.stringify(value, null, 2))))
  }
  return part("Live Activity",
    facts([
      ["Event", [foreign(activity.event ?? "none"), h("span.meaning", activity.meaning)]],
      ["Timestamp", json(activity.timestamp)],
      ["Content state", json(activity.contentState)],
      ["Attributes type", json(activity.attributesType)],
      ["Attributes", json(activity.attributes)],
      ["Stale date", json(activity.staleDate)],
      ["Dismissal date", json(activity.dismissalDate)],
    ]))
}

export function notes(preview) {
  const lines = preview.notes.map((one) => h("li.foreign", plain(one, 400)))
  return h("ul.preview-notes", lines)
}

/// What happens in the app's state, and after a click in the others.
export function appStates(preview) {
  const rows = preview.appStates.map((state) => {
    const isNow = state.appState === preview.appState
    const mark = isNow && preview.isDelivered ? [" ", chip("at delivery", "good")] : null
    return h("tr", { class: isNow ? "now" : null, hidden: !isNow },
      h("th", { scope: "row" }, APP_STATES[state.appState] ?? state.appState, mark),
      h("td", icon(state.isShown ? "accepted" : "more"), h("span", state.summary)),
      h("td", calls(state.callbacks)))
  })
  const others = h("button.small", {
    "aria-expanded": "false",
    onclick: () => {
      const isOpen = others.getAttribute("aria-expanded") !== "true"
      others.setAttribute("aria-expanded", String(isOpen))
      for (const row of rows) row.hidden = !isOpen && row.className !== "now"
    },
  }, "Other app states")
  return part("Behavior by app state",
    h("div.table-frame", h("table.app-states", columns(["App state", "Result", "Calls"]), h("tbody", rows))),
    others)
}

/// The methods of the app that are called, in order.
export function calls(names) {
  if (names.length === 0) return h("span.weak", "None")
  return h("ol.callbacks", names.map((name) => h("li", h("code", shortCall(name)))))
}

/// A method name with line break opportunities after its parts.
function shortCall(name) {
  return name.split(/(?<=[(:_])/).flatMap((word) => [word, h("wbr")])
}
