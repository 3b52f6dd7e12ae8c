// The banner that shows active faults on every view, so that a simulated error is not mistaken for a real one.

import { actions, api, Call, counted, h, icon, plain, refill, router, toasts } from "../core/core.js"

export class FaultBanner {
  element = h("div.banner.bad", { role: "status", "aria-label": "Active faults", hidden: true })

  /// Shows the faults that are active.
  show(faults) {
    const on = faults.filter((fault) => fault.enabled)
    this.element.hidden = on.length === 0
    const names = on.slice(0, 3).map((fault) => plain(fault.name ?? fault.preset ?? Object.keys(fault.do)[0], 60))
    if (on.length > names.length) names.push("…")
    refill(this.element, [api.namespace, on.map(({ id }) => id), names], () => [
      icon("fault"),
      h("span.banner-text", h("strong", `${counted(on.length, "fault")} active: `), names.join(", ")),
      actions.button(
        on.length === 1 ? "Turn off" : "Turn off all",
        () => on.map((fault) => new Call("PATCH", `/faults/${encodeURIComponent(fault.id)}`, { enabled: false })),
        { kind: "small", onDone: () => toasts.show("No faults active.") }
      ),
      h("a.button.small", { href: router.path("/faults") }, "View")])
  }
}
