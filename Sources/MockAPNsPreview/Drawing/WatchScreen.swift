internal import MockAPNsWorld

/// An Apple Watch with the short look, or with the long look if the notification has buttons.
enum WatchScreen {
    private static let screen = Box(x: 63, y: 52, width: 214, height: 266)
    private static let radius = 52.0
    /// The width of the text, unless it has buttons.
    private static let width = screen.width - 30
    /// The maximum number of buttons that leaves enough space for the text.
    private static let mostButtons = 4
    private static let gap = 4.0

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let metal = canvas.gradient(["#6c6c74", "#3a3a40", "#57575e"])
        let band = canvas.gradient(["#2c2c31", "#1c1c20"])
        canvas.rect(Box(x: 92, y: 4, width: 156, height: 362), radius: 30, fill: band)
        let body = screen.inset(by: -14)
        canvas.rect(Box(x: body.maxX - 3, y: body.y + 66, width: 13, height: 44), radius: 6, fill: metal)
        canvas.rect(Box(x: body.maxX - 2, y: body.y + 150, width: 6, height: 66), radius: 3, fill: metal)
        canvas.rect(body, radius: radius + 14, fill: metal)
        canvas.mark(body)
        canvas.rect(screen, radius: radius, fill: "#000000")
        canvas.clipped(to: screen, radius: radius) { drawLook(scene, on: &$0) }
    }

    private static func drawLook(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let (preview, time) = (scene.preview, scene.clock.time)
        canvas.line(time, x: screen.maxX - 34, y: screen.y + 32, .bold(14), fill: "#ffffff", side: .end)
        if !scene.isShown {
            drawEmptyState(scene.emptyState, on: &canvas)
        } else if preview.kind != .alert {
            drawEmptyState(("No short look", preview.kind.row.sentence), on: &canvas)
        } else if let actions = preview.actions, !actions.isEmpty {
            drawLongLook(preview, actions, on: &canvas)
        } else {
            drawShortLook(preview, on: &canvas)
        }
    }

    private static func drawEmptyState(_ emptyState: PreviewScene.EmptyState, on canvas: inout PreviewCanvas) {
        let headline = DrawnText(emptyState.headline).block(.bold(18), width: width, most: 3)
        let sentence = DrawnText(emptyState.sentence).block(.plain(13), width: width, most: 5)
        let top = canvas.block(headline, x: screen.midX, top: screen.y + 74, fill: "#ffffff", side: .middle)
        canvas.block(sentence, x: screen.midX, top: top + 6, fill: "#c7c7cc", side: .middle)
    }

    private static func drawShortLook(_ preview: NotificationPreview, on canvas: inout PreviewCanvas) {
        let (app, x) = (preview.app, screen.midX)
        PreviewIcon(app: app, size: 88).draw(x: x - 44, y: screen.y + 52, isRound: true, on: &canvas)
        // Without a title, the short look shows only the app's name.
        let title = DrawnText(preview.title).block(.bold(18), width: width, most: 2)
        let top = canvas.block(title, x: x, top: screen.y + 154, fill: "#ffffff", side: .middle)
        let name = DrawnText(app.name.uppercased()).line(.bold(14), width: width)
        canvas.line(name, x: x, y: top + 20, .bold(14), fill: app.colors.top, side: .middle)
    }

    /// Draws the notification's text with its buttons below.
    ///
    /// A watch scrolls, but the picture does not: text that does not fit is truncated, and further buttons are counted.
    private static func drawLongLook(
        _ preview: NotificationPreview, _ actions: [NotificationAction], on canvas: inout PreviewCanvas
    ) {
        let app = preview.app
        PreviewIcon(app: app, size: 28).draw(x: screen.x + 24, y: screen.y + 14, isRound: true, on: &canvas)
        let name = DrawnText(app.name).line(.bold(13), width: 84)
        canvas.line(name, x: screen.x + 58, y: screen.y + 33, .bold(13), fill: app.colors.top)
        // The line that counts further buttons takes the space of one button.
        let shown = actions.prefix(actions.count <= mostButtons ? mostButtons : mostButtons - 1)
        let further = actions.count - shown.count
        let rowHeight = actions.count < mostButtons ? 34.0 : 30.0
        let bottom = screen.maxY - 16 - (further > 0 ? 22 : 0)
        let lowest = bottom - Double(shown.count) * (rowHeight + gap) + gap
        var top = min(drawWords(of: preview, to: lowest - 4, on: &canvas) + 8, lowest)
        for action in shown {
            let box = Box(x: screen.x + 10, y: top, width: screen.width - 20, height: rowHeight)
            draw(action, in: box, on: &canvas)
            top += rowHeight + gap
        }
        guard further > 0 else { return }
        let text = "and \(further) more"
        canvas.line(text, x: screen.midX, y: top + 13, .plain(12), fill: "#c7c7cc", side: .middle)
    }

    /// Returns the text's bottom edge.
    private static func drawWords(
        of preview: NotificationPreview, to bottom: Double, on canvas: inout PreviewCanvas
    ) -> Double {
        let heading = DrawnText.Font.bold(16)
        var top = screen.y + 50
        for (text, font, most) in [
            (preview.title, heading, 2), (preview.subtitle, heading, 1), (preview.body, .plain(14), .max),
        ] {
            let room = Int((bottom - top) / font.lineHeight)
            let block = DrawnText(text).block(font, width: screen.width - 32, most: min(most, room))
            top = canvas.block(block, x: screen.x + 16, top: top, fill: font.isBold ? "#ffffff" : "#d1d1d6")
        }
        return top
    }

    private static func draw(_ action: NotificationAction, in box: Box, on canvas: inout PreviewCanvas) {
        canvas.rect(box, radius: 12, fill: "#ffffff", opacity: 0.17)
        let font = DrawnText.Font.plain(15)
        let title = DrawnText(action.title)
        let isRightToLeft = title.isRightToLeft
        // Reserves the hint's width on both sides, so that the title stays centered.
        let text = title.line(font, width: box.width - (action.takesText ? 84 : 20))
        // Not from the palette, because the screen is black in both appearances.
        let color = action.isDestructive ? "#ff6961" : "#ffffff"
        let (x, y) = (box.midX, box.midY + font.size * 0.35)
        canvas.line(text, x: x, y: y, font, fill: color, side: .middle, isRightToLeft: isRightToLeft)
        if action.takesText { ActionStack.drawHint(x: box.maxX - 34, midY: box.midY, color: "#c7c7cc", on: &canvas) }
    }
}
