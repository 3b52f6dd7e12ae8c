// The page's icons: line drawings on a 16 by 16 grid.

import { svg } from "./dom.js"

const PATHS = {
  accepted: "M3 8.5 6.5 12 13 4.5",
  rejected: "M4 4l8 8M12 4l-8 8",
  stored: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM8 2.5v11M10 3.5v9M12 5v6",
  fault: "M9 1.5 3.5 9H8l-1 5.5L12.5 7H8Z",
  warning: "M8 2 1.5 13.5h13ZM8 6.5v3.5M8 11.7v.3",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3 14 14",
  close: "M4 4l8 8M12 4l-8 8",
  filter: "M2 3.5h12L9.5 9v4.5l-3-1.5V9Z",
  copy: "M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3",
  terminal: "M2.5 4 6 7.5 2.5 11M8 12h5.5",
  clock: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM8 4.5V8l2.5 1.5",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5Z",
  auto: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM8 2v12",
  up: "M3.5 10 8 5.5l4.5 4.5",
  down: "M3.5 6 8 10.5 12.5 6",
  back: "M10 3.5 5.5 8l4.5 4.5",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  device: "M5 1.5h6v13H5ZM7.5 12.7h1",
  send: "M14 2 2 7l4.5 2L9 14ZM6.5 9 14 2",
  pause: "M5.5 3v10M10.5 3v10",
  play: "M4.5 2.5v11L13 8Z",
  link: "M6.5 9.5l3-3M7 4.5 8.5 3a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7",
  trash: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9",
  discarded: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM4.2 4.2l7.6 7.6",
  mark: "M4 14V2.5h8l-2.5 3L12 8.5H4",
  download: "M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11",
  settings: "M2 4.5h6.8M12.2 4.5H14M2 11.5h1.8M7.2 11.5H14M10.5 2.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4Z"
    + "M5.5 9.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4Z",
  note: "M3 13l.8-3L10.5 3.3l2.2 2.2L6 12.2ZM9 4.8 11.2 7",
  add: "M8 3v10M3 8h10",
  pin: "M5.5 2.5h5M6.5 2.5v4.2L4 9.5h8L9.5 6.7V2.5M8 9.5v4.5",
  resend: "M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3",
  compare: "M2.5 2.5h4v11h-4ZM9.5 2.5h4v11h-4Z",
  test: "M6 2v4.5L2.8 13.5h10.4L10 6.5V2M5 2h6M4.3 10.5h7.4",
  keyboard: "M1.5 4h13v8h-13ZM4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5 9.5h6",
  help: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM6.2 6.2a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.7-.8 1.2M8 11.3v.2",
}

/// An icon beside a label. It is hidden from screen readers, so the label must say everything.
export function icon(name) {
  return svg("svg.icon", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] ?? PATHS.more }))
}
