internal import MockAPNsWorld

/// The lock screen, with the notification at the bottom.
enum LockScreen {
    private static let screen = PhoneFrame.screen
    private static let bottom = screen.maxY - 122

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        guard scene.preview.kind != .voip else {
            PhoneFrame.draw(time: scene.clock.time, on: &canvas) { CallScreen.draw(scene.preview, on: &$0) }
            return
        }
        PhoneFrame.draw(on: &canvas) { canvas in
            PhoneFrame.clock(scene.clock, on: &canvas)
            drawButtons(on: &canvas)
            PhoneFrame.homeIndicator(on: &canvas)
            if !scene.isShown {
                PhoneFrame.emptyState(scene.emptyState, centerY: screen.midY + 60, on: &canvas)
            } else if scene.preview.kind == .liveActivity {
                let card = ActivityCard(preview: scene.preview, timeZone: scene.timeZone)
                card.draw(top: bottom - card.height, on: &canvas)
            } else {
                let card = card(of: scene.preview)
                if card.buttons != nil { canvas.rect(screen, fill: "#000000", opacity: 0.22) }
                card.draw(top: bottom - card.height, on: &canvas)
                canvas.mark(PhoneFrame.card(top: bottom - card.height, height: card.height))
            }
        }
    }

    /// Returns a card with all buttons and more text than usual, if there are buttons.
    private static func card(of preview: NotificationPreview) -> PreviewCard {
        let most = NotificationCategory.mostActions
        let room = bottom - screen.y - 216
        let opened = PreviewCard(preview, mostLines: 12, mostButtons: most)
        // If space is limited, the extra body lines go first, then the buttons shrink.
        return opened.buttons != nil && opened.height <= room
            ? opened : PreviewCard(preview, mostButtons: most, room: room)
    }

    private static func drawButtons(on canvas: inout PreviewCanvas) {
        let y = screen.maxY - 64
        let (left, right) = (screen.x + 70, screen.maxX - 70)
        for x in [left, right] { canvas.circle(x: x, y: y, radius: 25, fill: "#000000", opacity: 0.36) }
        canvas.path("M\(left - 5) \(y - 11)h10v4l-2.6 4.6v12.6h-4.8v-12.6l-2.6 -4.6z", fill: "#ffffff")
        canvas.rect(Box(x: right - 11, y: y - 6.5, width: 22, height: 15), radius: 3.5, fill: "#ffffff")
        canvas.path("M\(right - 5) \(y - 6)l2 -3.4h6l2 3.4z", fill: "#ffffff")
        canvas.circle(x: right, y: y + 1, radius: 4.6, fill: "#4c4c55")
    }
}
