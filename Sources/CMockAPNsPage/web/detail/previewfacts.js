// What there is to say of a notification beside its picture.

import { APP_STATES } from "../core/app-states.js"
import { h, plain, plainLines } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { chip, columns, facts, foreign, part } from "./parts.js"

/// The kind of notification, its texts, and what it asks for besides.
///
/// `onStrings` and `onCategory` open what describes the texts of the app, and the buttons of the category.
export function previewFacts(preview, { onStrings, onCategory }) {
  const texts = [["Title", preview.title], ["Subtitle", preview.subtitle], ["Body", preview.body]]
  const isKey = texts.some(([, one]) => one?.source === "key-not-found")
  return [
    h("div", { class: "lead" }, h("h3", {}, preview.headline), h("p", { class: "weak" }, preview.summary)),
    facts([
      ...texts.map(([name, one]) => [name, one ? text(one) : null]),
      ["Relevance score", preview.relevanceScore],
      ["Target content", preview.targetContentId === null ? null : foreign(preview.targetContentId)],
      ["Launch image", preview.launchImage === null ? null : foreign(preview.launchImage)],
      ["Buttons", preview.categoryActions?.length ? buttons(preview.categoryActions) : null],
      ["Collapse id", preview.collapseId === null ? null : foreign(preview.collapseId)],
    ]),
    preview.chips.length === 0 ? null : h(
      "ul",
      { class: "asks" },
      preview.chips.map((one) => h("li", {}, chip(plain(one.name, 60)), " ", one.meaning))
    ),
    isKey
      ? h(
        "div",
        { class: "note" },
        h("p", {}, "The texts stand in the app, under a key. With its strings table, the preview shows them."),
        h("button", { class: "small", onclick: onStrings }, "Add a strings table…")
      )
      : null,
    preview.category ? aboutCategory(preview, onCategory) : null,
    preview.liveActivity ? liveActivity(preview.liveActivity) : null,
  ]
}

/// The buttons of the category, in their order.
function buttons(actions) {
  return h("ol", { class: "buttons-list" }, actions.map((one) => h(
    "li",
    {},
    foreign(one.title),
    WORDS_OF_BUTTONS.filter(([name]) => one[name]).map(([, words]) => [" ", chip(words)])
  )))
}

const WORDS_OF_BUTTONS = [
  ["destructive", "destructive"],
  ["textInput", "asks for a text"],
  ["foreground", "opens the app"],
  ["authenticationRequired", "unlocks first"],
]

/// Where the buttons of the category come from, and what describes them.
function aboutCategory(preview, onCategory) {
  const isKnown = preview.categoryActions !== null
  const label = isKnown ? "Change the category's buttons…" : "Describe the category's buttons…"
  const words = "The category's buttons stand in the app. Described here, the preview shows them."
  const open = h("button", { class: "small", onclick: onCategory }, label)
  return isKnown ? h("div", {}, open) : h("div", { class: "note" }, h("p", {}, words), open)
}

/// A text, and where it is from.
function text({ text, source, key, arguments: values }) {
  const origin = {
    localized: () => ["from ", keyOf(key, values)],
    "key-not-found": () => [chip("no text for this key", "warn", "warning"), " ", keyOf(key, values)],
  }[source]?.()
  return [
    h("span", { class: "foreign whole-text" }, plainLines(text)),
    origin ? h("span", { class: "meaning" }, origin) : null,
  ]
}

function keyOf(key, values) {
  const list = values.length > 0 ? ` (${values.join(", ")})` : ""
  return h("code", { class: "foreign" }, plain(`${key}${list}`, 200))
}

function liveActivity(activity) {
  const json = (value) => {
    const isEmpty = value === null || value === undefined
    return isEmpty ? null : h("pre", { class: "foreign" }, h("code", {}, plainLines(JSON.stringify(value, null, 2))))
  }
  return part(
    "Live Activity",
    facts([
      ["Event", [foreign(activity.event ?? "none"), h("span", { class: "meaning" }, activity.meaning)]],
      ["Timestamp", json(activity.timestamp)],
      ["Content state", json(activity.contentState)],
      ["Attributes type", json(activity.attributesType)],
      ["Attributes", json(activity.attributes)],
      ["Stale from", json(activity.staleDate)],
      ["Dismissed at", json(activity.dismissalDate)],
    ])
  )
}

/// What is approximate or odd.
export function notes(preview) {
  const lines = preview.notes.map((one) => h("li", { class: "foreign" }, plain(one, 400)))
  return h("ul", { class: "preview-notes" }, lines)
}

/// What each state of the app makes of it; the one that it was in is marked.
export function appStates(preview) {
  return part(
    "What happens, by what the app is doing",
    h(
      "div",
      { class: "table-frame" },
      h(
        "table",
        { class: "app-states" },
        columns(["App", "Then", "Calls"]),
        h("tbody", {}, preview.appStates.map((state) => {
          const isNow = preview.isDelivered && state.appState === preview.appState
          const name = APP_STATES[state.appState] ?? state.appState
          return h(
            "tr",
            { class: isNow ? "now" : null },
            h("th", { scope: "row" }, name, isNow ? [" ", chip("when it came", "good")] : null),
            h("td", {}, icon(state.isShown ? "accepted" : "more"), h("span", {}, state.summary)),
            h("td", {}, calls(state.callbacks))
          )
        }))
      )
    )
  )
}

/// The methods of the app that are called, in their order.
export function calls(names) {
  if (names.length === 0) return h("span", { class: "weak" }, "No method of the app")
  return h("ol", { class: "callbacks" }, names.map((name) => h("li", {}, h("code", {}, shortCall(name)))))
}

/// A method with room to break behind its parts: names of methods are long.
function shortCall(name) {
  return name.split(/(?<=[(:_])/).flatMap((word) => [word, h("wbr")])
}
