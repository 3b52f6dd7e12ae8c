internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// The current Notification Center of the push's device, grouped by app and thread with the newest on top.
enum NotificationCenterScreen {
    private static let margin = 10.0
    private static let gap = 10.0

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let screen = PhoneFrame.screen
        PhoneFrame.draw(on: &canvas) { canvas in
            PhoneFrame.status(time: nil, on: &canvas)
            canvas.rect(screen, fill: "#000000", opacity: 0.12)
            PhoneFrame.clock(scene.clock, on: &canvas)
            let font = DrawnText.Font(size: 20, isBold: true)
            var top = screen.y + 262
            canvas.line("Notification Center", x: screen.x + 24, y: top - 16, font, fill: "#ffffff")
            if scene.groups.isEmpty {
                let placard = ("No notifications", "This is what the device shows now.")
                PhoneFrame.placard(placard, centerY: screen.midY + 20, on: &canvas)
            }
            let left = drawGroups(scene, from: &top, on: &canvas) + scene.furtherGroups
            if left > 0 {
                let text = "and " + counted(left, "more group", "more groups")
                let font = DrawnText.Font(size: 13)
                canvas.line(text, x: screen.midX, y: top + 10, font, fill: "#ffffff", side: .middle)
            }
            PhoneFrame.homeIndicator(on: &canvas)
        }
    }

    /// Returns the number of groups that did not fit.
    private static func drawGroups(
        _ scene: PreviewScene,
        from top: inout Double,
        on canvas: inout PreviewCanvas
    ) -> Int {
        let screen = PhoneFrame.screen
        let now = scene.groups.map(\.top.facts.record.clockTime).max() ?? scene.preview.facts.record.clockTime
        for (position, group) in scene.groups.enumerated() {
            let more = group.count - 1
            let card = PreviewCard(
                group.top,
                width: screen.width - 2 * margin,
                age: PreviewClock.age(of: group.top.facts.record.clockTime, at: now),
                footnote: more == 0 ? nil : counted(more, "more notification", "more notifications")
            )
            // The previewed push is expanded if its buttons fit.
            let stack =
                scene.isPushed(group.top)
                ? ActionStack(group.top, room: screen.maxY - 44 - top - card.height - ActionStack.gap) : nil
            let layers = stack == nil ? min(more, 2) : 0
            let height = card.height + Double(layers) * 9 + stack.space
            guard top + height <= screen.maxY - 44 else { return scene.groups.count - position }
            drawLayers(layers, below: top + card.height, on: &canvas)
            card.draw(x: screen.x + margin, y: top, on: &canvas)
            let below = top + card.height + ActionStack.gap
            stack?.draw(x: screen.x + margin, y: below, width: screen.width - 2 * margin, on: &canvas)
            top += height + gap
        }
        return 0
    }

    private static func drawLayers(_ layers: Int, below bottom: Double, on canvas: inout PreviewCanvas) {
        let screen = PhoneFrame.screen
        guard layers > 0 else { return }
        // Cards are translucent, so clip to the visible edges: the stack must not show through the top card.
        let visible = Box(x: screen.x, y: bottom + 0.5, width: screen.width, height: 30)
        canvas.clipped(to: visible, radius: 0) { canvas in
            for layer in stride(from: layers, to: 0, by: -1) {
                let inset = margin + Double(layer) * 12
                let top = bottom - 40 + Double(layer) * 8
                let width = screen.width - 2 * inset
                PreviewCard.ground(Box(x: screen.x + inset, y: top, width: width, height: 40), on: &canvas)
            }
        }
    }
}
