// The facts beside the preview picture.

import {
  APP_STATES, chip, columns, facts, foreign, h, icon, part, plain, plainLines, replace, timeElement,
} from "../core/core.js"
import { openCategory } from "./category.js"
import { openStrings } from "./strings.js"

/// The kind of notification, its texts and its other members.
///
/// `onChange` is called after a change of localized strings or action buttons.
export function previewFacts(preview, onChange) {
  const texts = [["Title", preview.title], ["Subtitle", preview.subtitle], ["Body", preview.body]]
  const isKey = texts.some(([, one]) => one?.source === "key-not-found")
  return [
    h("div.lead", h("h3", preview.headline), h("p.weak", preview.summary)),
    facts([
      ...texts.map(([name, one]) => [name, one && !isInPicture(one) ? text(one) : null]),
      ["Relevance score", preview.relevanceScore],
      ["Target content", foreign(preview.targetContentId)],
      ["Launch image", foreign(preview.launchImage)],
      ["Buttons", preview.categoryActions?.length ? buttons(preview.categoryActions) : null],
      ["Collapse ID", foreign(preview.collapseId)],
    ]),
    preview.chips.length === 0 ? null : asks(preview.chips),
    isKey
      ? h("div.note",
        h("p", "These strings are localized in the app. Add a strings table to preview them."),
        h("button.small", { onclick: () => openStrings(preview, onChange) }, "Add strings table…"))
      : null,
    preview.category
      ? h("div", h("button.small", { onclick: () => openCategory(preview, onChange) },
        `${preview.categoryActions === null ? "Add" : "Edit"} action buttons…`))
      : null,
    preview.attachment ? attachment(preview.attachment) : null,
    preview.liveActivity ? liveActivity(preview.liveActivity) : null,
    h("ul.preview-notes", preview.notes.map((one) => h("li.foreign", plain(one, 400)))),
  ]
}

/// Whether the picture has the whole text as it is in the payload.
function isInPicture({ text, source }) { return source === "text" && text.length <= 80 && !text.includes("\n") }

/// What else the push asks for. If space is limited, the meanings are shown on request.
function asks(chips) {
  return h("div.asks",
    facts(chips.map(({ name, meaning }) => [chip(plain(name, 60)), meaning])),
    h("label.check-line.explain", h("input", { type: "checkbox" }), "Explain"))
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

/// The image that the app may attach. It is on any server, so the browser loads it only after a click, in a frame that
/// may load nothing else.
function attachment(address) {
  const frame = h("div.attachment")
  const source = URL.canParse(address) ? new URL(address).href : address
  const words = h("span.weak.foreign", plain(address, 80))
  const show = () => replace(frame, h("iframe", {
    title: "Picture that the payload refers to",
    sandbox: "",
    src: `/ui/picture/${encodeURIComponent(source)}`,
  }), words)
  replace(frame, h("button.small", { onclick: show, title: "Loads it from this address" }, "Show picture"), words)
  return frame
}

/// A text and its origin.
function text({ text, source, key, arguments: values }) {
  const shown = h("span.foreign.whole-text", plainLines(text))
  if (source === "text") return shown
  const origin = source === "key-not-found" ? chip("no string for this key", "warn", "warning") : "from"
  const list = values.length > 0 ? ` (${values.join(", ")})` : ""
  return [shown, h("span.meaning", origin, " ", h("code.foreign", plain(`${key}${list}`, 200)))]
}

function liveActivity(activity) {
  const json = (value) => {
    const isEmpty = value === null || value === undefined
    return isEmpty ? null : h("pre.foreign", h("code", plainLines(JSON.stringify(value, null, 2))))
  }
  // UNIX seconds that RFC 3339 can write.
  const date = (value) => (typeof value === "number" && Math.abs(value) < 6e10
    ? [timeElement(new Date(value * 1_000).toISOString(), { isOfClock: true }), h("span.meaning", h("code", value))]
    : json(value))
  return part("Live Activity",
    facts([
      ["Event", [foreign(activity.event ?? "none"), h("span.meaning", activity.meaning)]],
      ["Timestamp", date(activity.timestamp)],
      ["Content state", json(activity.contentState)],
      ["Attributes type", json(activity.attributesType)],
      ["Attributes", json(activity.attributes)],
      ["Stale date", date(activity.staleDate)],
      ["Dismissal date", date(activity.dismissalDate)],
    ]))
}

/// What happens in the app's state, and after a click in the others.
export function appStates({ appStates, appState, isDelivered }) {
  const isNow = (state) => state.appState === appState
  const table = (states) => h("div.table-frame", h("table.app-states",
    columns(["App state", "Result", "Calls"]),
    h("tbody", states.map((state) => h("tr",
      h("th", { scope: "row" },
        APP_STATES[state.appState] ?? state.appState,
        isDelivered && isNow(state) ? [" ", chip("at delivery", "good")] : null),
      h("td", icon(state.isShown ? "accepted" : "more"), h("span", state.summary)),
      h("td", calls(state.callbacks)))))))
  return part("Behavior by app state",
    table(appStates.filter(isNow)),
    h("details", h("summary", "Other app states"), table(appStates.filter((state) => !isNow(state)))))
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
