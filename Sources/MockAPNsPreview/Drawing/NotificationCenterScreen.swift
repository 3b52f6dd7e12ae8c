internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsWorld

/// The current Notification Center of the push's device, grouped by app and thread with the newest on top.
enum NotificationCenterScreen {
    private static let screen = PhoneFrame.screen
    private static let gap = 10.0
    private static let bottom = screen.maxY - 44

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        PhoneFrame.draw(on: &canvas) { canvas in
            canvas.rect(screen, fill: "#000000", opacity: 0.12)
            PhoneFrame.clock(scene.clock, on: &canvas)
            var top = screen.y + 262
            canvas.line("Notification Center", x: screen.x + 24, y: top - 16, .bold(20), fill: "#ffffff")
            if scene.groups.isEmpty {
                let placard = ("No notifications", "This is what the device shows now.")
                PhoneFrame.placard(placard, centerY: screen.midY + 20, on: &canvas)
            }
            var left = scene.groups.count + scene.furtherGroups
            for group in scene.groups {
                let card = card(of: group, in: scene, room: bottom - top)
                let layers = card.buttons == nil ? min(group.count - 1, 2) : 0
                let height = card.height + Double(layers) * 9
                guard top + height <= bottom else { break }
                drawLayers(layers, below: top + card.height, on: &canvas)
                card.draw(top: top, on: &canvas)
                top += height + gap
                left -= 1
            }
            if left > 0 {
                let text = "and " + counted(left, "more group", "more groups")
                canvas.line(text, x: screen.midX, y: top + 10, .plain(13), fill: "#ffffff", side: .middle)
            }
            PhoneFrame.homeIndicator(on: &canvas)
        }
    }

    /// The previewed push is expanded if its buttons fit in `room`.
    private static func card(
        of group: PreviewScene.Group,
        in scene: PreviewScene,
        room: Double
    ) -> PreviewCard {
        let arrivals = scene.groups.map(\.top.facts.record.clockTime)
        let arrival = group.top.facts.record.clockTime
        let more = group.count - 1
        return PreviewCard(
            group.top,
            age: PreviewClock.age(of: arrival, at: arrivals.max() ?? arrival),
            footnote: more == 0 ? nil : counted(more, "more notification", "more notifications"),
            mostButtons: scene.isPushed(group.top) ? CategoryLimit.actions : 0,
            room: room
        )
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
