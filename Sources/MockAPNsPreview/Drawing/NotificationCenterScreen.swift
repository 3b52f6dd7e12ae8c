internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsWorld

/// The current Notification Center of the push's device, grouped by app and thread with the newest on top.
enum NotificationCenterScreen {
    private static let screen = PhoneFrame.screen
    private static let gap = 10.0
    private static let bottom = screen.maxY - 44

    private static let listTop = screen.y + 262
    /// The height that a cropped picture shows of the list.
    private static let croppedHeight = 250.0

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        PhoneFrame.draw(on: &canvas) { canvas in
            canvas.rect(screen, fill: "#000000", opacity: 0.12)
            PhoneFrame.clock(scene.clock, on: &canvas)
            let y = listTop - 16
            canvas.line("Notification Center", x: screen.x + 24, y: y, .bold(20), fill: "#ffffff")
            if scene.groups.isEmpty {
                let emptyState = ("No notifications", "This is what the device shows now.")
                PhoneFrame.emptyState(emptyState, centerY: screen.midY + 20, on: &canvas)
            } else if !scene.groups.contains(where: { scene.isPushed($0.top.facts) }) {
                let text = "without this push"
                canvas.line(text, x: screen.maxX - 24, y: y, .plain(14), fill: "#ffffff", side: .end)
            }
            drawGroups(of: scene, on: &canvas)
            PhoneFrame.homeIndicator(on: &canvas)
        }
    }

    private static func drawGroups(of scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let entries = scene.groups.map { Entry(of: $0, in: scene) }
        // The previewed push gets its space first.
        var room = bottom - listTop - entries.reduce(0) { $0 + ($1.isPushed ? $1.height + gap : 0) }
        var drawn: [(entry: Entry, box: Box)] = []
        var top = listTop
        for entry in entries {
            if !entry.isPushed { room -= entry.height + gap }
            guard entry.isPushed || room >= -gap else { continue }
            entry.draw(top: top, on: &canvas)
            drawn.append((entry, PhoneFrame.card(top: top, height: entry.height)))
            top += entry.height + gap
        }
        let left = entries.count - drawn.count + scene.furtherGroups
        if left > 0 {
            let text = "and " + counted(left, "more group", "more groups")
            canvas.line(text, x: screen.midX, y: top + 10, .plain(13), fill: "#ffffff", side: .middle)
        }
        // A cropped picture has the previewed push and those above it, as far as there is room.
        let last = drawn.last { $0.entry.isPushed } ?? drawn.last { $0.box.maxY - listTop <= croppedHeight }
        for (_, box) in drawn {
            guard let last, box.y <= last.box.y, last.box.maxY - box.y <= croppedHeight || box.y == last.box.y else {
                continue
            }
            canvas.mark(box)
        }
    }

    private struct Entry {
        let isPushed: Bool
        private let card: PreviewCard
        private let layers: Int

        /// The previewed push is expanded if its buttons fit.
        init(of group: PreviewScene.Group, in scene: PreviewScene) {
            let more = group.count - 1
            let arrival = group.top.facts.record.clockTime
            isPushed = scene.isPushed(group.top.facts)
            card = PreviewCard(
                group.top, age: PreviewClock.age(of: arrival, at: scene.latest ?? arrival),
                footnote: more == 0 ? nil : counted(more, "more notification", "more notifications"),
                mostButtons: isPushed ? NotificationCategory.mostActions : 0, room: bottom - listTop)
            layers = card.buttons == nil ? min(more, 2) : 0
        }

        var height: Double { card.height + Double(layers) * 9 }

        func draw(top: Double, on canvas: inout PreviewCanvas) {
            drawLayers(layers, below: top + card.height, on: &canvas)
            card.draw(top: top, on: &canvas)
        }
    }

    private static func drawLayers(_ layers: Int, below bottom: Double, on canvas: inout PreviewCanvas) {
        guard layers > 0 else { return }
        // Cards are translucent, so clip to the visible edges: the stack must not show through the top card.
        let visible = Box(x: screen.x, y: bottom + 0.5, width: screen.width, height: 30)
        canvas.clipped(to: visible) { canvas in
            for layer in (1...layers).reversed() {
                var edge = PhoneFrame.card(top: bottom - 40 + Double(layer) * 8, height: 40)
                edge.x += Double(layer) * 12
                edge.width -= Double(layer) * 24
                canvas.ground(edge)
            }
        }
    }
}
